//! Typed publishers and handlers over RabbitMQ, from a contract that the compiler has checked.
//!
//! **A contract that compiles cannot lose a message in silence.** See [`contract`] for how one is
//! written, [`Connection`] for how a service connects, [`Worker`] for how it consumes.

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod body;
mod collector;
mod connection;
mod dead_letter;
mod definition;
mod delivery;
pub mod dynamic;
mod entity;
mod error;
mod header_value;
mod link;
mod message;
pub mod prelude;
mod publisher;
mod raw_message;
mod registry;
mod schema;
mod topology;
mod wire;
mod worker;

pub use contract_core::declaration::TopologyMode;
pub use contract_core::{self, Contract};
pub use contract_macros::{
    consume, contract, exchange, handlers, message, payload, publish, publisher, queue,
};
pub use uuid::Uuid;

pub use self::body::BodyError;
pub use self::collector::PublishCounts;
pub use self::connection::{Connection, ConnectionBuilder, ConnectionState};
pub use self::dead_letter::DeadLetter;
pub use self::delivery::Delivery;
pub use self::entity::{Exchange, Queue};
pub use self::error::{
    ConnectError, ContractError, DeclareError, Difference, DifferenceKind, FailedAttempt,
    HandlerError, HandlerResult, PublishError, PublishOutcome, StartError,
};
pub use self::header_value::HeaderValue;
pub use self::link::{Credentials, Tls};
pub use self::message::{Message, Payload};
pub use self::publisher::{PublishOptions, PublishResult, Receipt};
pub use self::registry::HandlerRegistry;
pub use self::schema::{SchemaError, SchemaIssue};
pub use self::worker::{ConsumerState, Report, RunError, RunningWorker, Worker, shutdown_signal};
