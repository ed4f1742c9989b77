//! Queues and what becomes of messages that stay in none.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::exchange::{Argument, Binding};
use super::retry::Retry;
use crate::millis::Millis;
use crate::name::{ExchangeName, QueueName, RoutingKey};

/// A queue: where messages wait for a consumer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Queue {
    /// Its name on the broker.
    pub name: QueueName,
    /// What the contract's author calls it: the type's name. Messages to people use it.
    pub label: String,
    /// How the broker keeps it. Default: quorum.
    pub kind: QueueKind,
    /// Where its messages come from.
    pub bindings: Vec<Binding>,
    /// Where messages go that cannot be handled or kept.
    pub dead_letter: Option<DeadLetter>,
    /// How hard a failed delivery is tried again. Default: not at all.
    pub retry: Retry,
    /// How long a message may wait.
    pub message_ttl: Option<Millis>,
    /// How long the queue may be unused before the broker deletes it.
    pub expires: Option<Millis>,
    /// How many messages it may hold.
    pub max_length: Option<u32>,
    /// How many bytes of bodies it may hold.
    pub max_length_bytes: Option<u64>,
    /// What happens when it is full. Default: the publisher is refused.
    pub overflow: Overflow,
    /// How often the broker hands out a message before it gives up.
    pub delivery_limit: DeliveryLimit,
    /// Whether only one consumer at a time is given messages. Default: false.
    pub single_active_consumer: bool,
    /// The highest priority, where the queue knows priorities (classic queues).
    pub max_priority: Option<u8>,
    /// Whether it belongs to one connection and dies with it. Default: false.
    pub exclusive: bool,
    /// Whether the broker deletes it when its last consumer goes. Default: false.
    pub auto_delete: bool,
    /// Whether it survives a restart of the broker. Default: true.
    pub durable: bool,
    /// Raw arguments, as declared.
    pub arguments: Vec<Argument>,
    /// Declared by somebody else: checked at start, never declared.
    pub external: bool,
    /// The ways to lose a message that its author has signed for.
    pub lossy: BTreeSet<Loss>,
}

impl Queue {
    /// A durable quorum queue without bindings, dead letter or retries.
    #[must_use]
    pub fn new(name: QueueName) -> Self {
        Self {
            label: name.to_string(),
            name,
            kind: QueueKind::Quorum,
            bindings: Vec::new(),
            dead_letter: None,
            retry: Retry::None,
            message_ttl: None,
            expires: None,
            max_length: None,
            max_length_bytes: None,
            overflow: Overflow::RejectPublish,
            delivery_limit: DeliveryLimit::Default,
            single_active_consumer: false,
            max_priority: None,
            exclusive: false,
            auto_delete: false,
            durable: true,
            arguments: Vec::new(),
            external: false,
            lossy: BTreeSet::new(),
        }
    }
}

/// How the broker keeps a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum QueueKind {
    /// Replicated, and counting deliveries.
    Quorum,
    /// On one node.
    Classic,
}

impl QueueKind {
    /// The type's name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Quorum => "quorum",
            Self::Classic => "classic",
        }
    }
}

/// Where a queue's dead letters go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DeadLetter {
    /// To a queue `<queue>.dlq`, through a direct exchange `<queue>.dlx`, both made for it.
    Derived,
    /// To an exchange.
    To {
        /// The exchange.
        exchange: ExchangeName,
        /// The routing key; without one a message keeps its own.
        key: Option<RoutingKey>,
        /// Who answers for what lies behind it.
        owner: DeadLetterOwner,
    },
}

/// Who answers for the way of a dead letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DeadLetterOwner {
    /// The contract: it declares the way and the queue at its end.
    Contract,
    /// Somebody else binds the queue; the contract declares the arguments.
    External,
    /// A policy of the broker holds the arguments; our own handoffs go to the same exchange.
    Policy,
}

/// What happens to a publish into a full queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Overflow {
    /// The broker refuses it, and the publisher is told.
    RejectPublish,
    /// The broker takes it and drops (or dead-letters) the oldest message.
    DropHead,
}

/// How often the broker hands out a message of a quorum queue before it dead-letters or drops it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DeliveryLimit {
    /// The library's choice: see [`declaration`](crate::declaration).
    Default,
    /// This many returns.
    Count(u32),
    /// Not declared: the broker's own default or a policy rules.
    Broker,
}

/// A way to lose a message that its author has signed for with `lossy(..)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Loss {
    /// A message that cannot be handled is dropped.
    Poison,
    /// A message whose time runs out is dropped.
    Expiry,
    /// The oldest message of a full queue is dropped.
    Overflow,
    /// The queue is deleted with messages in it.
    Deletion,
    /// The broker restarts without its messages.
    Restart,
    /// The broker's own dead-letter hop does not wait for its target.
    Hop,
}

impl Loss {
    /// Every cause, in the order of the reference.
    pub const ALL: [Self; 6] = [
        Self::Poison,
        Self::Expiry,
        Self::Overflow,
        Self::Deletion,
        Self::Restart,
        Self::Hop,
    ];

    /// The word that the contract writes.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Poison => "poison",
            Self::Expiry => "expiry",
            Self::Overflow => "overflow",
            Self::Deletion => "deletion",
            Self::Restart => "restart",
            Self::Hop => "hop",
        }
    }
}
