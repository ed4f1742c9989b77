//! The attributes, a file each.

pub mod argument;
mod binding;
mod consume;
mod contract;
mod dead_letter;
mod exchange;
mod message;
pub mod option;
mod publish;
mod queue;
mod retry;

pub use self::consume::parse_consume;
pub use self::contract::parse_contract;
pub use self::exchange::parse_exchange;
pub use self::message::{parse_message, parse_plain};
pub use self::publish::parse_publish;
pub use self::queue::parse_queue;
