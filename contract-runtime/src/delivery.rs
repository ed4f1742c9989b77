//! What a handler may know of the delivery that it handles.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use contract_core::header::Field;
use lapin::BasicProperties;
use lapin::types::FieldTable;
use tokio::time::Instant;
use uuid::Uuid;

use crate::header_value::HeaderValue;
use crate::wire::{copy, read};

/// A delivery as its handler sees it. It can be kept and shared, and holds no right to settle: the
/// runtime settles by what the handler returns.
#[derive(Clone)]
pub struct Delivery(Arc<Inner>);

struct Inner {
    queue: String,
    exchange: String,
    routing_key: String,
    redelivered: bool,
    attempt: u32,
    properties: BasicProperties,
    body: Arc<[u8]>,
    deadline: Instant,
}

impl Delivery {
    pub(crate) fn new(queue: &str, attempt: u32, deadline: Instant, received: &Received) -> Self {
        let (exchange, routing_key) = copy::original_route(
            &received.properties,
            &received.exchange,
            &received.routing_key,
        );
        Self(Arc::new(Inner {
            queue: queue.to_owned(),
            exchange: exchange.to_owned(),
            routing_key: routing_key.to_owned(),
            redelivered: received.redelivered,
            attempt,
            properties: received.properties.clone(),
            body: Arc::clone(&received.body),
            deadline,
        }))
    }

    /// The event id: the same on every copy of the message, for recognising duplicates. None where
    /// the sender set no `message_id`, or one that is not a UUID.
    #[must_use]
    pub fn event_id(&self) -> Option<Uuid> {
        self.message_id()?.parse().ok()
    }

    /// The `message_id` as the sender set it.
    #[must_use]
    pub fn message_id(&self) -> Option<&str> {
        read::short(self.0.properties.message_id())
    }

    /// Which run this is: 1 for the first. It counts retries, not the broker's redeliveries after a
    /// crash, but under `immediate_requeue` on a quorum queue, where the broker counts both.
    #[must_use]
    pub fn attempt(&self) -> u32 {
        self.0.attempt
    }

    /// Whether the broker has handed out this copy before. It says nothing about whether the message
    /// was handled.
    #[must_use]
    pub fn redelivered(&self) -> bool {
        self.0.redelivered
    }

    /// The queue that it was taken from.
    #[must_use]
    pub fn queue(&self) -> &str {
        &self.0.queue
    }

    /// The exchange that the message was first published to: not changed by retries.
    #[must_use]
    pub fn exchange(&self) -> &str {
        &self.0.exchange
    }

    /// The routing key that the message was first published with: not changed by retries.
    #[must_use]
    pub fn routing_key(&self) -> &str {
        &self.0.routing_key
    }

    /// The header of this name, if it is a text in UTF-8.
    #[must_use]
    pub fn header_text(&self, name: &str) -> Option<&str> {
        read::text(&self.0.properties, name)
    }

    /// The header of this name, if it is a whole number, of whichever AMQP type.
    #[must_use]
    pub fn header_int(&self, name: &str) -> Option<i64> {
        match read::header(&self.0.properties, name) {
            Some(Field::Int(number)) => Some(number),
            _ => None,
        }
    }

    /// The header of this name, whatever it holds.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<HeaderValue> {
        self.headers()
            .find(|(header, _)| *header == name)
            .map(|(_, value)| value)
    }

    /// All headers, in the order of their names: the sender's, ours and the broker's.
    pub fn headers(&self) -> impl Iterator<Item = (&str, HeaderValue)> {
        let headers = self
            .0
            .properties
            .headers()
            .iter()
            .flat_map(FieldTable::inner);
        headers.map(|(name, value)| (name.as_str(), HeaderValue::of(value)))
    }

    /// The `correlation_id` as the sender set it.
    #[must_use]
    pub fn correlation_id(&self) -> Option<&str> {
        read::short(self.0.properties.correlation_id())
    }

    /// Where the sender wants an answer, as it set it.
    #[must_use]
    pub fn reply_to(&self) -> Option<&str> {
        read::short(self.0.properties.reply_to())
    }

    /// The application that sent it, as it set it.
    #[must_use]
    pub fn app_id(&self) -> Option<&str> {
        read::short(self.0.properties.app_id())
    }

    /// The user that sent it, as the broker has checked it.
    #[must_use]
    pub fn user_id(&self) -> Option<&str> {
        read::short(self.0.properties.user_id())
    }

    /// The priority, as the sender set it.
    #[must_use]
    pub fn priority(&self) -> Option<u8> {
        *self.0.properties.priority()
    }

    /// How much of the handler's time is left: after that it is stopped, and the run counts as failed.
    #[must_use]
    pub fn time_left(&self) -> Duration {
        self.0.deadline.saturating_duration_since(Instant::now())
    }

    /// When the sender says that it published the message, to the second.
    #[must_use]
    pub fn timestamp(&self) -> Option<SystemTime> {
        let seconds = (*self.0.properties.timestamp())?;
        SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
    }

    pub(crate) fn properties(&self) -> &BasicProperties {
        &self.0.properties
    }

    /// The body, byte for byte.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        &self.0.body
    }
}

/// Without the body, which may hold what no log should.
impl fmt::Debug for Delivery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Delivery")
            .field("queue", &self.0.queue)
            .field("exchange", &self.0.exchange)
            .field("routing_key", &self.0.routing_key)
            .field("message_id", &self.message_id())
            .field("attempt", &self.0.attempt)
            .field("redelivered", &self.0.redelivered)
            .finish_non_exhaustive()
    }
}

/// A delivery as it came from the broker, without the right to settle it.
#[derive(Debug)]
pub(crate) struct Received {
    pub(crate) exchange: String,
    pub(crate) routing_key: String,
    pub(crate) redelivered: bool,
    pub(crate) properties: BasicProperties,
    pub(crate) body: Arc<[u8]>,
}

impl Received {
    /// What stays the same over all copies of the message: its id where it has one, else its body.
    pub(crate) fn identity(&self) -> Vec<u8> {
        match self.properties.message_id() {
            None => self.body.to_vec(),
            Some(id) => match id.as_str().parse::<Uuid>() {
                Ok(id) => id.as_bytes().to_vec(),
                Err(_) => id.as_str().as_bytes().to_vec(),
            },
        }
    }
}
