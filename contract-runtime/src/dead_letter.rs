//! A dead letter: the message, and why it is one.

use std::time::{Duration, SystemTime};

use contract_core::header;
use contract_core::settle::FailureKind;
use serde::de::DeserializeOwned;

use crate::delivery::Delivery;
use crate::schema::SchemaIssue;

/// A message that could not be handled, with its failure as the runtime attached it.
///
/// What the broker dead-letters by itself (an expired message, one that reached its delivery limit)
/// carries none of this: then the fields are none, and its `x-death` header says why.
///
/// A handler that takes dead letters never loses one: where its queue has no dead letter of its own, a
/// failure puts the letter back and the consumer rests.
#[derive(Debug, Clone)]
pub struct DeadLetter(Delivery);

impl DeadLetter {
    pub(crate) fn new(delivery: Delivery) -> Self {
        Self(delivery)
    }

    /// The body of the message, byte for byte.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        self.0.body()
    }

    /// The body as a `T`, without the message's schema.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_slice(self.0.body())
    }

    /// How it failed.
    #[must_use]
    pub fn kind(&self) -> Option<FailureKind> {
        FailureKind::from_wire(self.0.header_text(header::ERROR_KIND)?)
    }

    /// The text of the failure, at most 1024 bytes of it.
    #[must_use]
    pub fn error(&self) -> Option<&str> {
        self.0.header_text(header::LAST_ERROR)
    }

    /// Where the body violated its schema, values masked.
    #[must_use]
    pub fn schema_issues(&self) -> Vec<SchemaIssue> {
        let text = self.0.header_text(header::SCHEMA_ERRORS);
        text.and_then(|text| serde_json::from_str(text).ok())
            .unwrap_or_default()
    }

    /// How often it was tried: 1 where the first try was the last.
    #[must_use]
    pub fn attempts(&self) -> Option<u32> {
        u32::try_from(self.0.header_int(header::ATTEMPTS)?).ok()
    }

    /// The queue on which it failed.
    #[must_use]
    pub fn failed_queue(&self) -> Option<&str> {
        self.0.header_text(header::FAILED_QUEUE)
    }

    /// The handler that failed; none also where no handler takes the message.
    #[must_use]
    pub fn handler(&self) -> Option<&str> {
        self.0.header_text(header::CONSUMER)
    }

    /// When it failed first, to the millisecond.
    #[must_use]
    pub fn first_failure(&self) -> Option<SystemTime> {
        self.time(header::FIRST_FAILURE)
    }

    /// When it failed last, to the millisecond.
    #[must_use]
    pub fn last_failure(&self) -> Option<SystemTime> {
        self.time(header::LAST_FAILURE)
    }

    fn time(&self, header: &str) -> Option<SystemTime> {
        let millis = u64::try_from(self.0.header_int(header)?).ok()?;
        SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(millis))
    }
}
