//! The library against a real RabbitMQ: `scripts/test` starts one and says where it is.

// The contract is written as a library would write it, and helpers of tests may unwrap.
#![allow(unreachable_pub, clippy::unwrap_used)]

mod backoff;
mod bench;
mod connection;
mod declare;
mod dynamic;
mod options;
mod outcomes;
mod proxy;
mod publish;
mod requeue;
mod shop;
mod shutdown;
mod topic;
mod topology;
mod wire;
