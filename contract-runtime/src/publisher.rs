//! Placeholder for the seams; replaced by the publisher itself.

use std::sync::Arc;

use crate::connection::Connection;
use crate::definition::Definition;
use crate::error::PublishError;
use crate::message::Message;

/// What a publish returns.
pub type PublishResult = Result<Receipt, PublishError>;

/// Receipt.
#[derive(Debug, Clone)]
pub struct Receipt {}

/// Outcome.
#[derive(Debug, Clone, Copy)]
pub enum PublishOutcome {
    /// Not sent.
    NotSent,
}

/// Options.
#[derive(Debug, Clone, Default)]
pub struct PublishOptions {}

/// Publisher.
#[derive(Debug, Clone)]
pub struct Publisher {}

impl Publisher {
    /// New.
    #[must_use]
    pub fn new(
        _connection: &Connection,
        _definition: &Arc<Definition>,
        _publisher: &'static str,
    ) -> Self {
        unimplemented!()
    }

    /// With.
    #[must_use]
    pub fn with(&self, _options: PublishOptions) -> Self {
        unimplemented!()
    }

    /// Publish.
    #[allow(clippy::unused_async)]
    pub async fn publish<M: Message>(&self, _method: &'static str, _message: &M) -> PublishResult {
        unimplemented!()
    }
}
#[derive(Debug, Clone)]
pub(crate) struct Collector {}
#[derive(Debug, Clone)]
pub(crate) struct Outgoing {
    pub(crate) exchange: String,
    pub(crate) routing_key: String,
    pub(crate) properties: lapin::BasicProperties,
    pub(crate) body: Arc<[u8]>,
}
#[derive(Debug, thiserror::Error)]
#[error("x")]
pub(crate) enum SendError {}
impl Collector {
    pub(crate) async fn send(
        &self,
        _o: Outgoing,
        _d: tokio::time::Instant,
    ) -> Result<(), SendError> {
        unimplemented!()
    }
}
pub(crate) fn fits_a_frame(_: &lapin::BasicProperties) -> bool {
    true
}
