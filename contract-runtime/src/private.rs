//! The only door through which generated code reaches the runtime. Not for people: anything here may
//! change in any version.

pub use contract_core::{Millis, key, model, name};
pub use schemars;
pub use serde;

pub use crate::definition::Definition;
pub use crate::message::describe as message;
pub use crate::publisher::Publisher;
pub use crate::registry::registry;

/// Names an exchange where rustc can say that there is none.
pub fn assert_exchange<E: crate::Exchange>() {}

/// Names a queue where rustc can say that there is none.
pub fn assert_queue<Q: crate::Queue>() {}

/// Names a message where rustc can say that there is none.
pub fn assert_message<M: crate::Message>() {}

/// Names a type.
pub fn assert_type<T: ?Sized>() {}
