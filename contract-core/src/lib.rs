//! The model of a RabbitMQ contract and every decision about it.
//!
//! Nothing here does I/O, knows tokens or waits: each decision is a function over plain data, called
//! by the `#[contract]` macro at compile time and by the runtime at run time, so that the two can
//! never disagree.
//!
//! | module | decides |
//! |---|---|
//! | [`name`], [`key`], [`millis`] | what is a name, a key, a duration: parsed once, then trusted |
//! | [`model`] | nothing: the contract as its author wrote it |
//! | [`topology`] | what the contract comes to on the broker, derived entities included |
//! | [`topic`], [`route`] | where a message goes |
//! | [`dead_letter`] | where one goes that cannot be handled or kept |
//! | [`retry`] | how long which retry waits, and where |
//! | [`check`], [`finding`] | whether the contract can work and cannot lose a message in silence |
//! | [`declaration`] | what is declared on the broker, in which order, with which arguments |
//! | [`consumer`] | how many deliveries a queue's consumer takes at once, and for how long |
//! | [`content`], [`dispatch`] | whether a body is JSON, which consumer takes it |
//! | [`settle`] | what is done with a delivery |
//! | [`header`] | what the headers are called and how they are read |
//! | [`similar`] | which word was meant |

pub mod check;
pub mod consumer;
pub mod content;
pub mod dead_letter;
pub mod declaration;
pub mod dispatch;
pub mod finding;
pub mod header;
pub mod key;
pub mod millis;
pub mod model;
pub mod name;
pub mod retry;
pub mod route;
pub mod settle;
pub mod similar;
pub mod topic;
pub mod topology;

pub use millis::Millis;
pub use model::Contract;
pub use name::{ExchangeName, Pattern, QueueName, RoutingKey};
