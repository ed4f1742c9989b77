//! What the inside of a contract and the code of its handlers use: `use contract_runtime::prelude::*;`

pub use uuid::Uuid;

pub use crate::dead_letter::DeadLetter;
pub use crate::delivery::Delivery;
pub use crate::error::{Classify, HandlerError, HandlerResult};
pub use crate::publisher::PublishResult;
pub use crate::raw_message::RawMessage;
