//! Why a worker did not start.

use super::{ContractError, DeclareError};

/// Why a worker did not start. Nothing is consumed then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// A contract cannot be run.
    #[error(transparent)]
    Contract(#[from] ContractError),
    /// The worker was given no handlers.
    #[error("the worker has no handlers: give it some with `handlers(..)`")]
    NoHandlers,
    /// Two of the worker's registries take from one queue.
    #[error(
        "queue `{queue}` is taken by two registries of this worker: each would get messages that only the \
         other takes"
    )]
    QueueTwice {
        /// The queue.
        queue: String,
    },
    /// The topology could not be declared.
    #[error(transparent)]
    Declare(#[from] DeclareError),
    /// The broker refuses to let a queue be consumed.
    #[error("queue `{queue}` cannot be consumed: {reason}")]
    Consume {
        /// The queue.
        queue: String,
        /// The broker's words.
        reason: String,
    },
    /// The connection was closed before the worker had started.
    #[error("the connection is closed")]
    Closed,
}
