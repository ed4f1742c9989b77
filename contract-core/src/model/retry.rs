//! How hard a failed delivery is tried again, as the contract says it.

use serde::{Deserialize, Serialize};

use crate::millis::Millis;

/// The retry policy of a queue. Whether a failure could ever succeed is the handler's to say; how
/// hard it is tried is said here.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Retry {
    /// Not at all: a retryable failure is dead-lettered like a permanent one.
    #[default]
    None,
    /// At once, on the same queue.
    ImmediateRequeue {
        /// How many runs after the first.
        max_retries: u32,
    },
    /// After a pause that the broker keeps, in a queue of its own for each length of pause.
    TtlBackoff(Backoff),
}

impl Retry {
    /// How many runs a message gets after the first.
    #[must_use]
    pub fn max_retries(&self) -> u32 {
        match self {
            Self::None => 0,
            Self::ImmediateRequeue { max_retries } => *max_retries,
            Self::TtlBackoff(backoff) => backoff.schedule.max_retries(),
        }
    }
}

/// The pauses of `ttl_backoff`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Backoff {
    /// The nominal pauses.
    pub schedule: Schedule,
    /// How far a pause may be spread, as a part of it: 0.0 to 0.5. Default: 0.
    pub jitter: f64,
    /// How many messages one bucket may hold. Default: no bound.
    pub bucket_max_length: Option<u32>,
}

impl Backoff {
    /// A backoff without jitter and without a bound on its buckets.
    #[must_use]
    pub fn new(schedule: Schedule) -> Self {
        Self {
            schedule,
            jitter: 0.0,
            bucket_max_length: None,
        }
    }
}

/// The pauses before the first, second, .. retry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Schedule {
    /// `min(initial * multiplier^n, max)` before retry n = 0, 1, ..
    Exponential {
        /// How many runs after the first.
        max_retries: u32,
        /// The first pause.
        initial: Millis,
        /// The longest pause.
        max: Millis,
        /// How much longer each pause is than the one before.
        multiplier: f64,
    },
    /// These pauses, one for each retry.
    Delays(Vec<Millis>),
}

impl Schedule {
    /// How many runs a message gets after the first.
    #[must_use]
    pub fn max_retries(&self) -> u32 {
        match self {
            Self::Exponential { max_retries, .. } => *max_retries,
            Self::Delays(delays) => u32::try_from(delays.len()).unwrap_or(u32::MAX),
        }
    }
}
