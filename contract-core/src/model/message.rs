//! Messages: what travels.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A message type of the contract.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Message {
    /// Its name: the `type` property on the wire.
    pub name: String,
    /// Its version: 1 unless said otherwise.
    pub version: u32,
    /// What the contract's author calls it: the type's name. Messages to people use it.
    pub label: String,
    /// The JSON Schema of its body; absent where only the type is known, as inside the compiler.
    pub schema: Option<serde_json::Value>,
}

impl Message {
    /// Version 1 of a message whose schema is not known.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        let name = name.into();
        Self {
            label: name.clone(),
            name,
            version: 1,
            schema: None,
        }
    }

    /// What others call it by.
    #[must_use]
    pub fn reference(&self) -> MessageRef {
        MessageRef {
            name: self.name.clone(),
            version: self.version,
        }
    }
}

/// A message named by those who publish or take it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MessageRef {
    /// The message's name.
    pub name: String,
    /// The message's version.
    pub version: u32,
}

impl MessageRef {
    /// Names a message.
    #[must_use]
    pub fn new(name: impl Into<String>, version: u32) -> Self {
        Self {
            name: name.into(),
            version,
        }
    }
}

/// `order.created`, and ` version 2` where it is not the first.
impl fmt::Display for MessageRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.version {
            1 => f.write_str(&self.name),
            version => write!(f, "{} version {version}", self.name),
        }
    }
}
