//! Handlers, each with the queue and the message that it takes.

use std::fmt;
use std::sync::Arc;

use contract_core::model;
use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::definition::Definition;
use crate::delivery::Delivery;
use crate::error::HandlerResult;
use crate::message::Message;

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

/// Decodes a body that its schema has found valid, and starts the handler; or says why the body
/// cannot be decoded all the same.
pub(crate) type Invoke = Arc<
    dyn Fn(Value, Delivery) -> Result<BoxFuture<'static, HandlerResult>, serde_json::Error>
        + Send
        + Sync,
>;

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
    pub fn consume<M, F, R>(mut self, method: &'static str, handler: F) -> Self
    where
        M: Message,
        F: Fn(M, Delivery) -> R + Send + Sync + 'static,
        R: Future<Output = HandlerResult> + Send + 'static,
    {
        let invoke: Invoke = Arc::new(move |value, delivery| {
            let message = serde_json::from_value::<M>(value)?;
            Ok(Box::pin(handler(message, delivery)))
        });
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
