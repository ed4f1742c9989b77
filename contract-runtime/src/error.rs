//! The errors, one enum an operation.

mod connect;
mod contract;
mod declare;
mod handler;
mod publish;
mod start;

pub use self::connect::{ConnectError, FailedAttempt};
pub use self::contract::ContractError;
pub use self::declare::{DeclareError, Difference, DifferenceKind};
pub use self::handler::{Classify, HandlerError, HandlerResult};
pub use self::publish::{PublishError, PublishOutcome};
pub use self::start::StartError;
