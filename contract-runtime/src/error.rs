//! The errors, one enum an operation.

mod connect;
mod declare;
mod handler;
mod publish;
mod start;

pub use self::connect::ConnectError;
pub use self::declare::DeclareError;
pub use self::handler::{Classify, HandlerError, HandlerResult};
pub use self::publish::PublishError;
pub use self::start::StartError;
