//! What contracts, their handlers and the services around them use:
//! `use contract_runtime::prelude::*;`

pub use contract_macros::contract;
pub use uuid::Uuid;

pub use crate::connection::Connection;
pub use crate::dead_letter::DeadLetter;
pub use crate::delivery::Delivery;
pub use crate::error::{Classify, HandlerError, HandlerResult};
pub use crate::publisher::{PublishOptions, PublishResult};
pub use crate::raw_message::RawMessage;
pub use crate::worker::{Worker, shutdown_signal};
