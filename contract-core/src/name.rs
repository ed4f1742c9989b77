//! Names on the broker: parsed once, then trusted.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The longest name or routing key that AMQP 0-9-1 can carry, in bytes (a short string).
pub const MAX_NAME_BYTES: usize = 255;

/// Why a text cannot be a name or a routing key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameError {
    /// The text is empty: RabbitMQ would invent a name, or take the default exchange.
    #[error("the name is empty")]
    Empty,
    /// The text is longer than an AMQP short string.
    #[error("the name has {bytes} bytes; RabbitMQ takes at most 255")]
    TooLong {
        /// How long it is.
        bytes: usize,
    },
}

const fn check(text: &str, may_be_empty: bool) -> Result<(), NameError> {
    if text.is_empty() && !may_be_empty {
        Err(NameError::Empty)
    } else if text.len() > MAX_NAME_BYTES {
        Err(NameError::TooLong { bytes: text.len() })
    } else {
        Ok(())
    }
}

macro_rules! name {
    ($(#[$doc:meta])* $name:ident, may_be_empty = $may_be_empty:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(Cow<'static, str>);

        impl $name {
            /// Takes `text` if it is a valid name.
            pub fn new(text: impl Into<String>) -> Result<Self, NameError> {
                let text = text.into();
                match check(&text, $may_be_empty) {
                    Ok(()) => Ok(Self(Cow::Owned(text))),
                    Err(error) => Err(error),
                }
            }

            /// Takes a literal. In a `const` an invalid one is a compile error.
            ///
            /// # Panics
            ///
            /// If `text` is not a valid name.
            #[must_use]
            pub const fn literal(text: &'static str) -> Self {
                match check(text, $may_be_empty) {
                    Ok(()) => Self(Cow::Borrowed(text)),
                    Err(NameError::Empty) => panic!("the name is empty"),
                    Err(NameError::TooLong { .. }) => panic!("the name is longer than 255 bytes"),
                }
            }

            /// The text of the name.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl TryFrom<String> for $name {
            type Error = NameError;

            fn try_from(text: String) -> Result<Self, NameError> {
                Self::new(text)
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> String {
                name.0.into_owned()
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                self.0 == other
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                self.0 == *other
            }
        }
    };
}

name! {
    /// The name of an exchange: 1 to 255 bytes. The default exchange has none and needs none.
    ExchangeName, may_be_empty = false
}

name! {
    /// The name of a queue: 1 to 255 bytes.
    QueueName, may_be_empty = false
}

name! {
    /// A routing key: 0 to 255 bytes, words separated by dots where a topic exchange reads it.
    RoutingKey, may_be_empty = true
}

name! {
    /// A binding key: 0 to 255 bytes. On a topic exchange `*` stands for one word and `#` for any
    /// number of words; on a direct exchange the key is taken literally.
    Pattern, may_be_empty = true
}

impl From<RoutingKey> for Pattern {
    fn from(key: RoutingKey) -> Self {
        Self(key.0)
    }
}

/// Whether the broker keeps this name for itself (`amq.`): it refuses to declare one.
#[must_use]
pub fn is_reserved(name: &str) -> bool {
    name.starts_with("amq.")
}

/// The names that a queue's own name gives rise to.
impl QueueName {
    /// The exchange of a derived dead letter: `<queue>.dlx`.
    pub fn derived_dead_letter_exchange(&self) -> Result<ExchangeName, NameError> {
        ExchangeName::new(format!("{self}.dlx"))
    }

    /// The routing key of a derived dead letter: the queue's name.
    #[must_use]
    pub fn derived_dead_letter_key(&self) -> RoutingKey {
        // A name is no longer than a routing key may be.
        RoutingKey(self.0.clone())
    }

    /// The queue of a derived dead letter: `<queue>.dlq`.
    pub fn derived_dead_letter_queue(&self) -> Result<QueueName, NameError> {
        QueueName::new(format!("{self}.dlq"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_counted_in_bytes() {
        assert!(QueueName::new("ä".repeat(127)).is_ok());
        assert_eq!(
            QueueName::new("ä".repeat(128)),
            Err(NameError::TooLong { bytes: 256 })
        );
    }

    #[test]
    fn only_keys_may_be_empty() {
        assert_eq!(ExchangeName::new(""), Err(NameError::Empty));
        assert!(RoutingKey::new("").is_ok());
        assert!(Pattern::new("").is_ok());
    }

    #[test]
    fn reserved_is_a_prefix() {
        assert!(is_reserved("amq.topic"));
        assert!(!is_reserved("amqp"));
    }

    #[test]
    fn an_invalid_name_does_not_deserialize() {
        assert!(serde_json::from_str::<QueueName>("\"\"").is_err());
        assert_eq!(serde_json::from_str::<QueueName>("\"q\"").unwrap(), "q");
    }
}
