//! What a caller may add to a publish.

use std::collections::BTreeMap;
use std::time::Duration;

use contract_core::header;
use uuid::Uuid;

use crate::error::PublishError;
use crate::header_value::HeaderValue;

/// How long a publish may take where nobody says otherwise.
pub(super) const TIMEOUT: Duration = Duration::from_secs(30);

/// Options of a publish, for a publisher's `with`. Options given later go before those given
/// earlier; headers add up.
///
/// ```
/// use std::time::Duration;
/// use contract_runtime::{PublishOptions, Uuid};
///
/// # fn options(id: Uuid) -> Result<PublishOptions, contract_runtime::PublishError> {
/// let again = PublishOptions::new()
///     .event_id(id)
///     .timeout(Duration::from_secs(5))
///     .header("tenant", "acme")?;
/// # Ok(again) }
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[must_use]
pub struct PublishOptions {
    event_id: Option<Uuid>,
    headers: BTreeMap<String, HeaderValue>,
    priority: Option<u8>,
    no_wait: Option<bool>,
    timeout: Option<Duration>,
}

impl PublishOptions {
    /// No options: an event id of its own for each publish, 30 s, waiting where it has to.
    pub fn new() -> Self {
        Self::default()
    }

    /// The event id (`message_id` on the wire). Default: a fresh UUID of version 7 for each publish.
    /// To publish a message again whose outcome is unknown, give it the id that it had.
    pub fn event_id(mut self, id: Uuid) -> Self {
        self.event_id = Some(id);
        self
    }

    /// A header of the application's own. On classic queues every header costs throughput.
    ///
    /// Fails for a name that is empty or has more than 255 bytes, for `CC` and `BCC`, which would
    /// send the message past the contract, and for names that the library or the broker writes.
    pub fn header(
        mut self,
        name: impl Into<String>,
        value: impl Into<HeaderValue>,
    ) -> Result<Self, PublishError> {
        let name = name.into();
        let reason = match name.as_str() {
            "" => "its name is empty",
            long if long.len() > 255 => "its name has more than 255 bytes",
            "CC" | "BCC" => "it would send the message to queues that the contract does not know",
            own if is_ours(own) => "its name is the library's own or the broker's",
            _ => {
                self.headers.insert(name, value.into());
                return Ok(self);
            }
        };
        Err(PublishError::InvalidHeader { name, reason })
    }

    /// The message's priority, on queues that have priorities. Default: none, which counts as 0.
    pub fn priority(mut self, priority: u8) -> Self {
        self.priority = Some(priority);
        self
    }

    /// Waits for neither room nor a connection: the error is there at once. The broker's answer is
    /// waited for all the same.
    pub fn no_wait(mut self) -> Self {
        self.no_wait = Some(true);
        self
    }

    /// How long a publish may take: waiting for room and a connection, sending, and the broker's
    /// answer together. Default: 30 s.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// These options over others.
    pub(super) fn over(self, base: &Self) -> Self {
        let mut headers = base.headers.clone();
        headers.extend(self.headers);
        Self {
            event_id: self.event_id.or(base.event_id),
            headers,
            priority: self.priority.or(base.priority),
            no_wait: self.no_wait.or(base.no_wait),
            timeout: self.timeout.or(base.timeout),
        }
    }

    pub(super) fn id_or_new(&self) -> Uuid {
        self.event_id.unwrap_or_else(Uuid::now_v7)
    }

    pub(super) fn headers(&self) -> impl Iterator<Item = (&str, &HeaderValue)> {
        self.headers
            .iter()
            .map(|(name, value)| (name.as_str(), value))
    }

    pub(super) fn priority_set(&self) -> Option<u8> {
        self.priority
    }

    pub(super) fn waits(&self) -> bool {
        self.no_wait != Some(true)
    }

    pub(super) fn timeout_or_default(&self) -> Duration {
        self.timeout.unwrap_or(TIMEOUT)
    }
}

/// Whether a header is written by the library, or read as the broker's own.
fn is_ours(name: &str) -> bool {
    header::ALL.contains(&name) || header::is_history(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_options_go_before_and_headers_add_up() {
        let id = Uuid::now_v7();
        let first = PublishOptions::new()
            .event_id(id)
            .priority(1)
            .header("a", 1)
            .unwrap()
            .header("b", 1)
            .unwrap();
        let second = PublishOptions::new()
            .priority(2)
            .header("b", "two")
            .unwrap();
        let merged = second.over(&first);
        assert_eq!(merged.id_or_new(), id);
        assert_eq!(merged.priority_set(), Some(2));
        let headers: Vec<_> = merged.headers().collect();
        assert_eq!(
            headers,
            [
                ("a", &HeaderValue::Int(1)),
                ("b", &HeaderValue::Text("two".into()))
            ]
        );
        assert!(merged.waits());
        assert_eq!(merged.timeout_or_default(), TIMEOUT);
        let no_wait = PublishOptions::new().no_wait().over(&merged);
        assert!(!PublishOptions::new().over(&no_wait).waits());
    }

    #[test]
    fn each_publish_has_an_id_of_its_own() {
        let options = PublishOptions::new();
        let id = options.id_or_new();
        assert_ne!(id, options.id_or_new());
        assert_eq!(id.get_version_num(), 7);
    }

    #[test]
    fn headers_that_mean_something_to_others_are_refused() {
        for name in [
            "",
            "CC",
            "BCC",
            "x-death",
            "x-delivery-count",
            "x-retry-count",
            "x-consumer",
        ] {
            assert!(PublishOptions::new().header(name, true).is_err(), "{name}");
        }
        assert!(PublishOptions::new().header("n".repeat(256), 1).is_err());
        assert!(PublishOptions::new().header("x-tenant", 1).is_ok());
    }
}
