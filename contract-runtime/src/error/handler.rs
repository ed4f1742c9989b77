//! What a handler says when it cannot handle a message.

use std::error::Error;
use std::fmt;

/// What a handler returns.
pub type HandlerResult = Result<(), HandlerError>;

/// Why a message was not handled, and whether another try could succeed.
///
/// The handler answers only this: *could it ever succeed?* How often and after which pauses it is
/// tried again is the queue's retry policy. `?` on a foreign error does not compile in a handler, so
/// that the question is never answered by accident: say [`retryable`](Classify::retryable) or
/// [`permanent`](Classify::permanent), or implement `From<YourError> for HandlerError`.
///
/// ```
/// use contract_runtime::prelude::*;
///
/// async fn charge(card: &str) -> HandlerResult {
///     let number: u64 = card.parse().permanent()?; // no try will make it a number
///     let _balance = std::fs::read_to_string(format!("/balances/{number}")).retryable()?;
///     Ok(())
/// }
/// ```
pub struct HandlerError {
    retryable: bool,
    source: Box<dyn Error + Send + Sync>,
}

impl HandlerError {
    /// Another try may succeed: a timeout, a service that is down, a lock that is held.
    pub fn retryable(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self {
            retryable: true,
            source: error.into(),
        }
    }

    /// No try will ever succeed: the message is dead-lettered at once.
    pub fn permanent(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self {
            retryable: false,
            source: error.into(),
        }
    }

    /// Whether another try could succeed.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        self.retryable
    }
}

impl fmt::Debug for HandlerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.retryable {
            "retryable"
        } else {
            "permanent"
        };
        f.debug_tuple(kind).field(&self.source).finish()
    }
}

/// The error with its causes, each behind a colon.
impl fmt::Display for HandlerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.source)?;
        let mut cause = self.source.source();
        while let Some(error) = cause {
            write!(f, ": {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}

impl Error for HandlerError {}

/// Says of a failure whether another try could succeed, so that `?` can be written.
pub trait Classify<T> {
    /// Another try may succeed.
    fn retryable(self) -> Result<T, HandlerError>;
    /// No try will ever succeed.
    fn permanent(self) -> Result<T, HandlerError>;
}

impl<T, E: Into<Box<dyn Error + Send + Sync>>> Classify<T> for Result<T, E> {
    fn retryable(self) -> Result<T, HandlerError> {
        self.map_err(HandlerError::retryable)
    }

    fn permanent(self) -> Result<T, HandlerError> {
        self.map_err(HandlerError::permanent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("the gateway is down")]
    struct Down(#[source] std::io::Error);

    #[test]
    fn the_text_names_every_cause() {
        let error = HandlerError::retryable(Down(std::io::Error::other("no route")));
        assert_eq!(error.to_string(), "the gateway is down: no route");
        assert!(error.is_retryable());
        assert!(!Err::<(), _>("text").permanent().unwrap_err().is_retryable());
    }
}
