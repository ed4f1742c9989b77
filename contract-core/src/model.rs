//! The contract as data: what its author wrote, with nothing decided yet.
//!
//! The macro builds it from tokens; a program can build one by hand; both are checked by the same
//! [rules](crate::check) and run by the same runtime.

mod exchange;
mod format;
mod message;
mod operation;
mod queue;
mod retry;

use serde::{Deserialize, Serialize};

pub use self::exchange::{
    Argument, Binding, BindingKey, Exchange, ExchangeKind, HeaderMatch, Literal,
};
pub use self::format::Format;
pub use self::message::{Message, MessageRef};
pub use self::operation::{Consume, Handlers, Publish, PublishKey, Publisher, Takes};
pub use self::queue::{
    DeadLetter, DeadLetterOwner, DeliveryLimit, Loss, Overflow, Queue, QueueKind,
};
pub use self::retry::{Backoff, Retry, Schedule};
use crate::name::{ExchangeName, QueueName};

/// Everything that teams agree on when they talk over RabbitMQ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Contract {
    /// The format of its JSON.
    pub format: Format,
    /// What the contract is called: the module's name.
    pub name: String,
    /// The exchanges, in the order in which they were written.
    pub exchanges: Vec<Exchange>,
    /// The queues, in the order in which they were written.
    pub queues: Vec<Queue>,
    /// The messages, in the order in which they were written.
    pub messages: Vec<Message>,
    /// Groups of things that a service can publish.
    pub publishers: Vec<Publisher>,
    /// Groups of things that a service can consume.
    pub handlers: Vec<Handlers>,
}

impl Contract {
    /// An empty contract.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            format: Format,
            name: name.into(),
            exchanges: Vec::new(),
            queues: Vec::new(),
            messages: Vec::new(),
            publishers: Vec::new(),
            handlers: Vec::new(),
        }
    }

    /// The exchange of this name, if the contract has one.
    #[must_use]
    pub fn exchange(&self, name: &ExchangeName) -> Option<&Exchange> {
        self.exchanges
            .iter()
            .find(|exchange| exchange.name == *name)
    }

    /// The queue of this name, if the contract has one.
    #[must_use]
    pub fn queue(&self, name: &QueueName) -> Option<&Queue> {
        self.queues.iter().find(|queue| queue.name == *name)
    }

    /// Every consumer of a queue, in whichever group of handlers.
    pub fn consumers_of(&self, queue: &QueueName) -> impl Iterator<Item = &Consume> {
        self.handlers
            .iter()
            .flat_map(|handlers| &handlers.consumers)
            .filter(move |consumer| consumer.queue == *queue)
    }
}

#[cfg(test)]
mod tests;
