//! Why a contract could not be declared.

use std::fmt;
use std::time::Duration;

/// Why a contract is not on the broker as it says. Declaring again is always safe.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeclareError {
    /// The broker has something else, lacks something, or refuses something: all of it, in the order
    /// of declaration. Everything else has been declared.
    #[error("contract `{contract}` differs from the broker in {}", shown(.differences))]
    Differs {
        /// The contract's name.
        contract: String,
        /// What differs.
        differences: Vec<Difference>,
    },
    /// The broker ended the whole connection over a declaration: it can never take it.
    #[error("RabbitMQ closed the connection while {entity} was declared: {text} [{code}]")]
    Fatal {
        /// What was being declared; several may have been, and the broker names none.
        entity: String,
        /// The AMQP reply code.
        code: u16,
        /// The broker's words.
        text: String,
    },
    /// The broker did not answer in time: it is away, overloaded, or part of a cluster without a
    /// majority. What was declared until then is there.
    #[error("contract `{contract}` was not declared within {within:?}: {reason}")]
    Timeout {
        /// The contract's name.
        contract: String,
        /// The time that it had.
        within: Duration,
        /// What was waited for.
        reason: String,
    },
    /// The connection was closed by its owner.
    #[error("contract `{contract}` was not declared: the connection is closed")]
    Closed {
        /// The contract's name.
        contract: String,
    },
}

impl DeclareError {
    /// What differs between the contract and the broker; empty where the error is another.
    #[must_use]
    pub fn differences(&self) -> &[Difference] {
        match self {
            Self::Differs { differences, .. } => differences,
            _ => &[],
        }
    }

    /// Whether another try could succeed without anybody changing the contract or the broker.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Timeout { .. } => true,
            // A lock is held by a connection, and connections end.
            Self::Differs { differences, .. } => differences
                .iter()
                .all(|difference| difference.kind == DifferenceKind::Locked),
            Self::Fatal { .. } | Self::Closed { .. } => false,
        }
    }
}

fn shown(differences: &[Difference]) -> String {
    let places = match differences.len() {
        1 => "1 place".to_owned(),
        number => format!("{number} places"),
    };
    let lines = differences
        .iter()
        .map(|difference| format!("\n{difference}"));
    format!("{places}:{}", lines.collect::<String>())
}

/// One thing that is not on the broker as the contract says.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// What it is, as in ``queue `orders` ``.
    pub entity: String,
    /// What kind of difference it is.
    pub kind: DifferenceKind,
    /// The AMQP reply code; 0 where nothing was sent.
    pub code: u16,
    /// The broker's words. Of an entity that is there with other arguments they name the first: what
    /// the contract says ("received") and what is there ("current").
    pub text: String,
}

impl Difference {
    pub(crate) fn new(
        entity: impl Into<String>,
        kind: DifferenceKind,
        code: u16,
        text: impl Into<String>,
    ) -> Self {
        Self {
            entity: entity.into(),
            kind,
            code,
            text: text.into(),
        }
    }

    pub(crate) fn unsendable(entity: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(entity, DifferenceKind::Unsendable, 0, text)
    }
}

/// The entity and the broker's words, and below them the ways out.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.entity, self.text)?;
        if self.code != 0 {
            write!(f, " [{}]", self.code)?;
        }
        write!(f, "\n  help: {}", self.kind.ways_out())
    }
}

/// How the broker differs from the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DifferenceKind {
    /// It is there with other properties or arguments, or with ones that it cannot have (406).
    Other,
    /// It is not there, and somebody else should have declared it (404).
    Missing,
    /// It is the contract's own and not there, and was to be verified, not declared (404).
    Undeclared,
    /// The user may not do this (403).
    Denied,
    /// An exclusive queue belongs to another connection (405).
    Locked,
    /// Its name or an argument cannot be sent at all.
    Unsendable,
}

impl DifferenceKind {
    /// What a person can do about it.
    #[must_use]
    pub fn ways_out(self) -> &'static str {
        match self {
            Self::Other => {
                "write in the contract what the broker has; or delete the entity on the broker once it is \
                 empty, and declare again; or give it another name"
            }
            Self::Missing => {
                "declare it where it belongs first; or, if it is this contract's own, take `external` off it"
            }
            Self::Undeclared => {
                "declare the contract, with a user who may configure it (`connection.declare`), before \
                 what only verifies it"
            }
            Self::Denied => {
                "grant the user configure permission on what is declared, write on what is bound or named \
                 as dead-letter or alternate exchange, read on what it is bound to or dead-letters from; \
                 or, if somebody else declares it, verify or trust the topology, or mark it `external`"
            }
            Self::Locked => {
                "another connection holds it: stop the other instance, or wait for the broker to notice \
                 that it is gone"
            }
            Self::Unsendable => "shorten the name to at most 255 bytes",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_difference_is_told_with_its_ways_out() {
        let error = DeclareError::Differs {
            contract: "orders".into(),
            differences: vec![
                Difference::new(
                    "queue `q`",
                    DifferenceKind::Other,
                    406,
                    "inequivalent arg 'x-max-length'",
                ),
                Difference::new(
                    "exchange `x`",
                    DifferenceKind::Missing,
                    404,
                    "no exchange 'x'",
                ),
            ],
        };
        let shown = error.to_string();
        assert!(
            shown.starts_with(
                "contract `orders` differs from the broker in 2 places:\nqueue `q`: inequivalent arg"
            ),
            "{shown}"
        );
        assert_eq!(shown.matches("help: ").count(), 2);
        assert!(!error.is_retryable());
    }

    #[test]
    fn only_a_lock_goes_away_by_itself() {
        let locked = DeclareError::Differs {
            contract: "c".into(),
            differences: vec![Difference::new(
                "queue `q`",
                DifferenceKind::Locked,
                405,
                "locked",
            )],
        };
        assert!(locked.is_retryable());
    }
}
