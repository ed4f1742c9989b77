//! What to do with a delivery: total over everything that can have happened to it.

use crate::model::{DeadLetter, Loss, Queue, QueueKind, Retry};

/// What a delivery came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The handler returned `Ok`.
    Handled,
    /// It failed, or never got as far as a handler.
    Failed(FailureKind),
}

/// The ways to fail: what `x-error-kind` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FailureKind {
    /// The handler says that another try may succeed.
    Retryable,
    /// The handler says that no try ever will.
    Permanent,
    /// The handler took longer than it may.
    Timeout,
    /// The handler panicked.
    Panic,
    /// The body is not what its content type says.
    Decode,
    /// The body violates the message's schema.
    Schema,
    /// No handler of this queue takes this message or version.
    UnknownMessage,
    /// Properties or headers that we own cannot be read.
    Metadata,
}

impl FailureKind {
    /// Every kind, in the order of the reference.
    pub const ALL: [Self; 8] = [
        Self::Retryable,
        Self::Permanent,
        Self::Timeout,
        Self::Panic,
        Self::Decode,
        Self::Schema,
        Self::UnknownMessage,
        Self::Metadata,
    ];

    /// The word on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Retryable => "retryable",
            Self::Permanent => "permanent",
            Self::Timeout => "timeout",
            Self::Panic => "panic",
            Self::Decode => "decode",
            Self::Schema => "schema",
            Self::UnknownMessage => "unknown-message",
            Self::Metadata => "metadata",
        }
    }

    /// The kind that a word on the wire names.
    #[must_use]
    pub fn from_wire(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }

    /// Whether another try could succeed.
    #[must_use]
    pub fn may_pass(self) -> bool {
        match self {
            Self::Retryable | Self::Timeout | Self::Panic => true,
            Self::Permanent
            | Self::Decode
            | Self::Schema
            | Self::UnknownMessage
            | Self::Metadata => false,
        }
    }
}

/// What a queue does with a failed delivery: its retry policy and its way out, as the runtime has to
/// know them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// How it tries again.
    pub retry: RetryMode,
    /// How many runs after the first.
    pub max_retries: u32,
    /// What happens to a message that is given up.
    pub end: End,
}

/// How a queue tries again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryMode {
    /// It does not.
    None,
    /// The broker takes the message back and counts.
    Requeue,
    /// We put a copy on the queue and count: where the broker does not, or where its count arrives
    /// used.
    Republish,
    /// A copy waits in a bucket.
    Park,
}

/// What happens to a message that is given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It goes to the dead-letter exchange.
    DeadLetter,
    /// It is dropped: the author signed `lossy(poison)`.
    Drop,
    /// It stays: its consumer takes dead letters, and there is nowhere further to go.
    Keep,
}

impl Policy {
    /// The policy of a queue. `reached_by_dead_letters` says whether another queue's dead letters
    /// can come here.
    #[must_use]
    pub fn of(queue: &Queue, reached_by_dead_letters: bool) -> Self {
        let retry = match (&queue.retry, queue.kind) {
            (Retry::None, _) => RetryMode::None,
            (Retry::TtlBackoff(_), _) => RetryMode::Park,
            // From 4.0 on a quorum queue's count travels with a dead letter: it would arrive used.
            (Retry::ImmediateRequeue { .. }, QueueKind::Quorum) if !reached_by_dead_letters => {
                RetryMode::Requeue
            }
            (Retry::ImmediateRequeue { .. }, _) => RetryMode::Republish,
        };
        let end = match &queue.dead_letter {
            Some(DeadLetter::Derived | DeadLetter::To { .. }) => End::DeadLetter,
            None if queue.lossy.contains(&Loss::Poison) => End::Drop,
            None => End::Keep,
        };
        Self {
            retry,
            max_retries: queue.retry.max_retries(),
            end,
        }
    }
}

/// What the runtime does with a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Acknowledge it.
    Ack,
    /// Give it back with `basic.reject(requeue = true)`, which the broker counts.
    Requeue,
    /// Put a copy for this retry (1 is the first) on the same queue, then acknowledge.
    Republish {
        /// The number of the retry.
        retry: u32,
    },
    /// Put a copy for this retry (1 is the first) into its bucket, then acknowledge.
    Park {
        /// The number of the retry.
        retry: u32,
    },
    /// Put a copy with the failure on the dead-letter exchange, then acknowledge.
    DeadLetter,
    /// Reject it, so that the broker dead-letters it by itself: without the failure, but with
    /// everything that the message had.
    Reject,
    /// Acknowledge it and say that a message was lost, as its author signed for.
    Drop,
    /// Give it back uncounted and take no more for a while.
    Keep,
}

/// Decides. `retries` is how many retries came before this run: 0 for the first.
///
/// ```
/// use contract_core::settle::{Action, End, FailureKind, Outcome, Policy, RetryMode, settle};
///
/// let policy = Policy { retry: RetryMode::Park, max_retries: 2, end: End::DeadLetter };
/// let failed = Outcome::Failed(FailureKind::Timeout);
/// assert_eq!(settle(failed, policy, 0), Action::Park { retry: 1 });
/// assert_eq!(settle(failed, policy, 2), Action::DeadLetter);
/// assert_eq!(settle(Outcome::Failed(FailureKind::Permanent), policy, 0), Action::DeadLetter);
/// ```
#[must_use]
pub fn settle(outcome: Outcome, policy: Policy, retries: u32) -> Action {
    let kind = match outcome {
        Outcome::Handled => return Action::Ack,
        Outcome::Failed(kind) => kind,
    };
    if kind.may_pass() && retries < policy.max_retries {
        match policy.retry {
            RetryMode::None => {}
            RetryMode::Requeue => return Action::Requeue,
            RetryMode::Republish => return Action::Republish { retry: retries + 1 },
            RetryMode::Park => return Action::Park { retry: retries + 1 },
        }
    }
    match policy.end {
        End::DeadLetter => Action::DeadLetter,
        End::Drop => Action::Drop,
        End::Keep => Action::Keep,
    }
}

/// What is done in place of an action that hands a copy on, where the message's own headers leave no
/// room for a copy's: it cannot be tried again, for there would be nowhere to count.
#[must_use]
pub fn without_copy(policy: Policy) -> Action {
    match policy.end {
        End::DeadLetter => Action::Reject,
        End::Drop => Action::Drop,
        End::Keep => Action::Keep,
    }
}

#[cfg(test)]
mod tests;
