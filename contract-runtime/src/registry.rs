//! Handlers, each with the queue and the message that it takes.

use std::fmt;
use std::sync::Arc;

use contract_core::model;
use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::dead_letter::DeadLetter;
use crate::definition::Definition;
use crate::delivery::Delivery;
use crate::error::HandlerResult;
use crate::message::{Message, Payload};
use crate::raw_message::RawMessage;

/// The handlers of one or several `#[handlers]` traits, ready to be run by a
/// [`Worker`](crate::Worker).
///
/// Made by the function that [`#[contract]`](macro@crate::contract) generates for each trait:
/// `order_handlers(..)` for `trait OrderHandlers`.
#[derive(Clone)]
pub struct HandlerRegistry {
    pub(crate) groups: Vec<Group>,
}

impl HandlerRegistry {
    /// The handlers of both.
    #[must_use]
    pub fn merge(mut self, other: Self) -> Self {
        self.groups.extend(other.groups);
        self
    }
}

impl fmt::Debug for HandlerRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let handlers = self.groups.iter().flat_map(|group| &group.handlers);
        f.debug_set()
            .entries(handlers.map(|handler| &handler.consume.method))
            .finish()
    }
}

/// The handlers of one trait.
#[derive(Clone)]
pub(crate) struct Group {
    pub(crate) definition: Arc<Definition>,
    pub(crate) handlers: Vec<Handler>,
}

/// One handler.
#[derive(Clone)]
pub(crate) struct Handler {
    pub(crate) consume: model::Consume,
    pub(crate) invoke: Invoke,
}

/// How a handler is started.
#[derive(Clone)]
pub(crate) enum Invoke {
    /// With the body, which its message's schema has found valid, and which may still not decode.
    Json(InvokeJson),
    /// With the delivery as it came.
    Whole(InvokeWhole),
}

pub(crate) type InvokeJson = Arc<
    dyn Fn(Value, Delivery) -> Result<BoxFuture<'static, HandlerResult>, serde_json::Error>
        + Send
        + Sync,
>;
pub(crate) type InvokeWhole =
    Arc<dyn Fn(Delivery) -> BoxFuture<'static, HandlerResult> + Send + Sync>;

/// Starts a registry for the trait `handlers` of a contract. For generated code.
#[must_use]
pub fn registry(definition: &Arc<Definition>, handlers: &'static str) -> RegistryBuilder {
    let group = Group {
        definition: Arc::clone(definition),
        handlers: Vec::new(),
    };
    RegistryBuilder { handlers, group }
}

/// A registry under construction. For generated code.
#[allow(missing_debug_implementations)]
pub struct RegistryBuilder {
    handlers: &'static str,
    group: Group,
}

impl RegistryBuilder {
    /// Adds the method `method`, which takes message `M`.
    #[must_use]
    pub fn consume<M, F, R>(self, method: &'static str, handler: F) -> Self
    where
        M: Message,
        F: Fn(M::Payload, Delivery) -> R + Send + Sync + 'static,
        R: Future<Output = HandlerResult> + Send + 'static,
    {
        let invoke: InvokeJson = Arc::new(move |value, delivery| {
            let message = M::Payload::from_json(value)?;
            Ok(Box::pin(handler(message, delivery)))
        });
        self.push(method, Invoke::Json(invoke))
    }

    /// Adds the method `method`, which takes what no other handler of its queue takes.
    #[must_use]
    pub fn raw<F, R>(self, method: &'static str, handler: F) -> Self
    where
        F: Fn(RawMessage, Delivery) -> R + Send + Sync + 'static,
        R: Future<Output = HandlerResult> + Send + 'static,
    {
        self.whole(method, move |delivery| {
            handler(RawMessage::new(delivery.clone()), delivery)
        })
    }

    /// Adds the method `method`, which takes dead letters.
    #[must_use]
    pub fn dead_letter<F, R>(self, method: &'static str, handler: F) -> Self
    where
        F: Fn(DeadLetter, Delivery) -> R + Send + Sync + 'static,
        R: Future<Output = HandlerResult> + Send + 'static,
    {
        self.whole(method, move |delivery| {
            handler(DeadLetter::new(delivery.clone()), delivery)
        })
    }

    fn whole<F, R>(self, method: &'static str, handler: F) -> Self
    where
        F: Fn(Delivery) -> R + Send + Sync + 'static,
        R: Future<Output = HandlerResult> + Send + 'static,
    {
        let invoke: InvokeWhole = Arc::new(move |delivery| Box::pin(handler(delivery)));
        self.push(method, Invoke::Whole(invoke))
    }

    fn push(mut self, method: &str, invoke: Invoke) -> Self {
        let consume = self.consume_of(method).clone();
        self.group.handlers.push(Handler { consume, invoke });
        self
    }

    fn consume_of(&self, method: &str) -> &model::Consume {
        self.group
            .definition
            .contract()
            .handlers
            .iter()
            .filter(|handlers| handlers.label == self.handlers)
            .flat_map(|handlers| &handlers.consumers)
            .find(|consume| consume.method == method)
            .expect("the contract and its registry are generated from the same trait")
    }

    /// The registry.
    #[must_use]
    pub fn finish(self) -> HandlerRegistry {
        HandlerRegistry {
            groups: vec![self.group],
        }
    }
}
