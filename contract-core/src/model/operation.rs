//! What services do: publish and consume.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::exchange::Literal;
use super::message::MessageRef;
use crate::key::KeyTemplate;
use crate::millis::Millis;
use crate::name::{ExchangeName, QueueName, RoutingKey};
use crate::topic::Keys;

/// A group of publishes that one service makes: a `#[publisher]` trait.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Publisher {
    /// What the contract's author calls it: the trait's name.
    pub label: String,
    /// Its methods.
    pub publishes: Vec<Publish>,
}

impl Publisher {
    /// A group of publishes.
    #[must_use]
    pub fn new(label: impl Into<String>, publishes: Vec<Publish>) -> Self {
        Self {
            label: label.into(),
            publishes,
        }
    }
}

/// One thing that a service publishes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Publish {
    /// The method's name.
    pub method: String,
    /// Where it is published.
    pub exchange: ExchangeName,
    /// With which routing key.
    pub key: PublishKey,
    /// What is published.
    pub message: MessageRef,
    /// Headers that every publish carries.
    pub headers: Vec<(String, Literal)>,
    /// How long the message may wait in a queue.
    pub expiration: Option<Millis>,
    /// Whether another contract binds the queue: the key counts as routable.
    pub external: bool,
    /// Whether the author accepts that the key may reach no queue.
    pub lossy_unroutable: bool,
}

impl Publish {
    /// A publish without headers or expiration.
    #[must_use]
    pub fn new(
        method: impl Into<String>,
        exchange: ExchangeName,
        key: PublishKey,
        message: MessageRef,
    ) -> Self {
        Self {
            method: method.into(),
            exchange,
            key,
            message,
            headers: Vec::new(),
            expiration: None,
            external: false,
            lossy_unroutable: false,
        }
    }
}

/// The routing key of a publish.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PublishKey {
    /// Always this key.
    Fixed(RoutingKey),
    /// A key with fields, filled at each publish.
    Template(KeyTemplate),
}

impl PublishKey {
    /// The keys that a publish can carry.
    #[must_use]
    pub fn keys(&self) -> Keys<'_> {
        match self {
            Self::Fixed(key) => Keys::exactly(key.as_str()),
            Self::Template(template) => template.keys(),
        }
    }
}

impl fmt::Display for PublishKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(key) => key.fmt(f),
            Self::Template(template) => template.fmt(f),
        }
    }
}

/// A group of consumers that one service runs: a `#[handlers]` trait.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Handlers {
    /// What the contract's author calls it: the trait's name.
    pub label: String,
    /// Its methods.
    pub consumers: Vec<Consume>,
}

impl Handlers {
    /// A group of consumers.
    #[must_use]
    pub fn new(label: impl Into<String>, consumers: Vec<Consume>) -> Self {
        Self {
            label: label.into(),
            consumers,
        }
    }
}

/// One thing that a service consumes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Consume {
    /// The method's name.
    pub method: String,
    /// The queue that it takes from.
    pub queue: QueueName,
    /// What it takes.
    pub takes: Takes,
    /// How many handlers run at once on this queue. Default: 16; 1 keeps order.
    pub concurrency: Option<u16>,
    /// How many deliveries the broker may send ahead. Default: 4 for each concurrent handler.
    pub prefetch: Option<u16>,
    /// How long one run may take. Default: 30 s.
    pub timeout: Option<Millis>,
    /// The consumer's priority on the broker.
    pub priority: Option<i32>,
    /// Whether it refuses to share the queue (classic queues).
    pub exclusive: bool,
}

impl Consume {
    /// A consumer with every option at its default.
    #[must_use]
    pub fn new(method: impl Into<String>, queue: QueueName, takes: Takes) -> Self {
        Self {
            method: method.into(),
            queue,
            takes,
            concurrency: None,
            prefetch: None,
            timeout: None,
            priority: None,
            exclusive: false,
        }
    }
}

/// What a consumer takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Takes {
    /// One message, decoded and validated.
    Message(MessageRef),
    /// Whatever comes, as bytes.
    Raw,
    /// Whatever comes, as a dead letter: the failure and the bytes.
    DeadLetter,
}
