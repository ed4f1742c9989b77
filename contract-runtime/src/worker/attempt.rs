//! One run: from a delivery to what it came to.

use std::any::Any;
use std::panic::AssertUnwindSafe;

use contract_core::dispatch::consumer_of;
use contract_core::header::{self, Malformed};
use contract_core::settle::{FailureKind, RetryMode};
use futures_util::FutureExt;
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use super::subscription::{Run, Runnable, Subscription};
use crate::body::{self, BodyError};
use crate::delivery::{Delivery, Received};
use crate::error::HandlerError;
use crate::schema::Schema;
use crate::wire::copy::Failure;
use crate::wire::read;

/// What became of a delivery.
pub(crate) struct Attempt<'s> {
    /// How many retries came before it.
    pub(crate) retries: u32,
    /// The handler that took it; none where none does.
    pub(crate) handler: Option<&'s str>,
    /// Whether it was handled, else why not.
    pub(crate) result: Result<(), Failure>,
}

impl Subscription {
    /// Reads, decodes, validates and handles a delivery.
    pub(crate) async fn attempt(&self, received: &Received) -> Attempt<'_> {
        let retries = match self.retries(received) {
            Ok(retries) => retries,
            Err(malformed) => return Attempt::refused(0, FailureKind::Metadata, &malformed),
        };
        let runnable = match self.runnable(received) {
            Ok(runnable) => runnable,
            Err(failure) => {
                return Attempt {
                    retries,
                    handler: None,
                    result: Err(failure),
                };
            }
        };
        let deadline = Instant::now() + self.options.timeout.duration();
        let attempt = retries.saturating_add(1);
        let delivery = Delivery::new(self.queue.as_str(), attempt, deadline, received);
        let result = match &runnable.run {
            Run::Whole(invoke) => {
                self.bounded(deadline, async { Ok(invoke(delivery).await?) })
                    .await
            }
            Run::Json(schema, invoke) => match decode(received, schema) {
                Err(error) => Err(error.into()),
                Ok(value) => {
                    self.bounded(deadline, async {
                        Ok(invoke(value, delivery).map_err(BodyError::from)?.await?)
                    })
                    .await
                }
            },
        };
        Attempt {
            retries,
            handler: Some(&runnable.name),
            result,
        }
    }

    /// How many retries came before: by the broker's count where it does the counting, else by ours.
    fn retries(&self, received: &Received) -> Result<u32, Malformed> {
        let properties = &received.properties;
        match self.policy.retry {
            RetryMode::Requeue => Ok(header::read_delivery_count(
                read::header(properties, header::DELIVERY_COUNT),
                received.redelivered,
            )),
            RetryMode::None | RetryMode::Republish | RetryMode::Park => header::read_retry_count(
                read::header(properties, header::RETRY_COUNT),
                read::header(properties, header::RETRY_QUEUE),
                self.queue.as_str(),
            ),
        }
    }

    fn runnable(&self, received: &Received) -> Result<&Runnable, Failure> {
        let properties = &received.properties;
        let version = header::read_schema_version(read::header(properties, header::SCHEMA_VERSION))
            .map_err(|malformed| Failure::now(FailureKind::Metadata, malformed.to_string()))?;
        let name = read::short(properties.kind());
        let at = consumer_of(&self.takes, name, version)
            .map_err(|unknown| Failure::now(FailureKind::UnknownMessage, unknown.to_string()))?;
        Ok(&self.runnables[at])
    }

    /// Runs a handler, bounded in time; a panic of it is a failure like any other.
    async fn bounded(
        &self,
        deadline: Instant,
        handler: impl Future<Output = Result<(), Failure>>,
    ) -> Result<(), Failure> {
        let limit = self.options.timeout;
        // The timeout stands inside: what the handler holds is dropped in there too, and may panic.
        let run = AssertUnwindSafe(async { timeout_at(deadline, handler).await });
        match run.catch_unwind().await {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => {
                let error = format!("the handler did not return within {limit}");
                Err(Failure::now(FailureKind::Timeout, error))
            }
            Err(payload) => Err(Failure::now(FailureKind::Panic, panic_text(payload))),
        }
    }
}

impl Attempt<'_> {
    fn refused(retries: u32, kind: FailureKind, why: &Malformed) -> Self {
        Self {
            retries,
            handler: None,
            result: Err(Failure::now(kind, why.to_string())),
        }
    }
}

/// Reads the body of a delivery.
fn decode(received: &Received, schema: &Schema) -> Result<Value, BodyError> {
    let properties = &received.properties;
    let content_type = read::short(properties.content_type());
    let content_encoding = read::short(properties.content_encoding());
    body::read(content_type, content_encoding, &received.body, schema)
}

impl From<BodyError> for Failure {
    fn from(error: BodyError) -> Self {
        let text = error.to_string();
        match error {
            BodyError::UnknownMessage(_) => Self::now(FailureKind::UnknownMessage, text),
            BodyError::Content(_) | BodyError::ByteOrderMark | BodyError::NotJson(_) => {
                Self::now(FailureKind::Decode, text)
            }
            BodyError::Invalid(issues) => {
                let mut failure = Self::now(FailureKind::Schema, text);
                failure.schema_issues = issues;
                failure
            }
        }
    }
}

impl From<HandlerError> for Failure {
    fn from(error: HandlerError) -> Self {
        let kind = if error.is_retryable() {
            FailureKind::Retryable
        } else {
            FailureKind::Permanent
        };
        Self::now(kind, error.to_string())
    }
}

fn panic_text(payload: Box<dyn Any + Send>) -> String {
    let text = match payload.downcast_ref::<&str>() {
        Some(text) => Some((*text).to_owned()),
        None => payload.downcast_ref::<String>().cloned(),
    };
    // Dropping somebody's payload can panic too.
    let _ = std::panic::catch_unwind(AssertUnwindSafe(move || drop(payload)));
    match text {
        Some(text) => format!("the handler panicked: {text}"),
        None => "the handler panicked".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_with_an_odd_payload_is_a_panic() {
        struct Bomb;
        impl Drop for Bomb {
            fn drop(&mut self) {
                panic!("and again");
            }
        }
        assert_eq!(panic_text(Box::new(Bomb)), "the handler panicked");
        assert_eq!(
            panic_text(Box::new("static")),
            "the handler panicked: static"
        );
        assert_eq!(
            panic_text(Box::new("owned".to_owned())),
            "the handler panicked: owned"
        );
    }
}
