//! The library against a real RabbitMQ: `scripts/test` starts one and says where it is.

// The contract is written as a library would write it.
#![allow(unreachable_pub)]

mod backoff;
mod dynamic;
mod options;
mod outcomes;
mod requeue;
mod shop;
mod shutdown;
mod topic;
mod topology;
mod wire;
