//! Harm on a larger scale: brokers that are killed, stopped and short of memory, and many connections
//! lost at once. Each test that harms a broker has one of its own.

// A contract is written as a library would write it, and helpers of tests may unwrap.
#![allow(unreachable_pub, clippy::unwrap_used)]

#[path = "../behaviour/workbench.rs"]
#[allow(dead_code)]
mod workbench;

mod alarm;
mod fire;
mod storm;

/// One after the other: they look at the memory of the process, and at times.
static ALONE: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());
