//! The library against a real RabbitMQ: `scripts/test` starts one and says where it is.

// The contract is written as a library would write it, and helpers of tests may unwrap.
#![allow(unreachable_pub, clippy::unwrap_used)]
// Tables of cases are long, and set one field each.
#![allow(
    clippy::semicolon_if_nothing_returned,
    clippy::too_many_lines,
    clippy::type_complexity,
    clippy::unnecessary_wraps
)]

mod acks;
mod backoff;
mod closing;
mod connection;
mod credentials;
mod deadlines;
mod declare;
mod dynamic;
mod options;
mod outcomes;
mod publish;
mod publish_all;
mod publisher_declares;
mod publishing;
mod requeue;
mod right_answer;
mod round_trip;
mod settlement;
mod shop;
mod shutdown;
mod topic;
mod topology;
mod unknown_broker;
mod verify;
mod wire;
mod workbench;
