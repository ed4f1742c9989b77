//! Contracts that are built at run time, checked by the same rules and run by the same code as those
//! of the macro: for tools, tests, and services that learn their topology from elsewhere.

use std::fmt;
use std::sync::Arc;

use contract_core::Contract;
use contract_core::check::check;
use contract_core::model::{Consume, MessageRef, Takes};
use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::body::{self, BodyError};
use crate::connection::Connection;
use crate::dead_letter::DeadLetter;
use crate::definition::Definition;
use crate::delivery::Delivery;
use crate::error::{ContractError, DeclareError, HandlerResult};
use crate::publisher::{PublishOptions, PublishResult, Publisher};
use crate::raw_message::RawMessage;
use crate::registry::{Group, Handler, HandlerRegistry, Invoke};

/// A contract that a program has built, and that breaks no rule.
///
/// ```
/// use contract_runtime::contract_core::QueueName;
/// use contract_runtime::contract_core::model::{
///     Consume, DeadLetter, Handlers, Message, MessageRef, Queue, Takes,
/// };
/// use contract_runtime::{Contract, dynamic::DynamicContract};
/// use serde_json::{Value, json};
///
/// let name = QueueName::literal("orders");
/// let mut queue = Queue::new(name.clone());
/// queue.dead_letter = Some(DeadLetter::Derived);
/// let mut message = Message::new("order.created");
/// message.schema = Some(json!({ "type": "object", "required": ["id"] }));
/// let consume = Consume::new("process", name, Takes::Message(message.reference()));
///
/// let mut contract = Contract::new("orders");
/// contract.queues.push(queue);
/// contract.messages.push(message);
/// contract.handlers.push(Handlers::new("OrderHandlers", vec![consume]));
///
/// let contract = DynamicContract::new(contract)?;
/// let registry = contract
///     .handlers("OrderHandlers")?
///     .json("process", async |order: Value, _delivery| {
///         println!("{}", order["id"]);
///         Ok(())
///     })?
///     .registry()?;
/// # Ok::<(), contract_runtime::ContractError>(())
/// ```
#[derive(Debug, Clone)]
pub struct DynamicContract(Arc<Definition>);

impl DynamicContract {
    /// Checks a contract and compiles its schemas.
    pub fn new(contract: Contract) -> Result<Self, ContractError> {
        let findings = check(&contract);
        if !findings.is_empty() {
            return Err(ContractError::Rules {
                contract: contract.name,
                findings,
            });
        }
        let definition = Definition::new(contract);
        for message in &definition.contract().messages {
            definition.schema(&message.reference())?;
        }
        Ok(Self(Arc::new(definition)))
    }

    /// The contract.
    #[must_use]
    pub fn contract(&self) -> &Contract {
        self.0.contract()
    }

    /// Reads a body as a worker would: JSON that the schema of `message` finds valid.
    pub fn read_body(&self, message: &MessageRef, body: &[u8]) -> Result<Value, BodyError> {
        // The schemas were compiled when the contract was checked.
        match self.0.schema(message) {
            Ok(schema) => body::read(None, None, body, &schema),
            Err(error) => Err(BodyError::UnknownMessage(error.message)),
        }
    }

    /// Starts a registry for a group of the contract's handlers.
    pub fn handlers(&self, label: &str) -> Result<DynamicHandlers, ContractError> {
        let handlers = self
            .contract()
            .handlers
            .iter()
            .find(|handlers| handlers.label == label);
        let handlers = handlers.ok_or_else(|| self.unknown("handlers", label))?;
        let group = Group {
            definition: Arc::clone(&self.0),
            handlers: Vec::new(),
        };
        Ok(DynamicHandlers {
            open: handlers.consumers.clone(),
            group,
        })
    }

    /// A publisher for a group of the contract's publishes.
    pub fn publisher(
        &self,
        connection: &Connection,
        label: &str,
    ) -> Result<DynamicPublisher, ContractError> {
        if !self
            .contract()
            .publishers
            .iter()
            .any(|publisher| publisher.label == label)
        {
            return Err(self.unknown("publisher", label));
        }
        Ok(DynamicPublisher(Publisher::new(connection, &self.0, label)))
    }

    fn unknown(&self, kind: &'static str, name: &str) -> ContractError {
        let contract = self.contract().name.clone();
        ContractError::Unknown {
            contract,
            kind,
            name: name.to_owned(),
        }
    }
}

/// The handlers of one group, as closures.
#[derive(Clone)]
#[must_use = "handlers do nothing until a worker runs them"]
pub struct DynamicHandlers {
    /// The consumers that have no handler yet.
    open: Vec<Consume>,
    group: Group,
}

impl DynamicHandlers {
    /// The handler of a consumer that takes one message: it gets the body, which the message's schema
    /// has found valid.
    pub fn json<F, R>(self, method: &str, handler: F) -> Result<Self, ContractError>
    where
        F: Fn(Value, Delivery) -> R + Send + Sync + 'static,
        R: Future<Output = HandlerResult> + Send + 'static,
    {
        let invoke = Invoke::Json(Arc::new(move |value, delivery| {
            Ok(Box::pin(handler(value, delivery)))
        }));
        self.add(method, invoke, |takes| matches!(takes, Takes::Message(_)))
    }

    /// The handler of a consumer that takes whatever comes.
    pub fn raw<F, R>(self, method: &str, handler: F) -> Result<Self, ContractError>
    where
        F: Fn(RawMessage, Delivery) -> R + Send + Sync + 'static,
        R: Future<Output = HandlerResult> + Send + 'static,
    {
        let invoke = move |delivery: Delivery| -> BoxFuture<'static, _> {
            Box::pin(handler(RawMessage::new(delivery.clone()), delivery))
        };
        self.add(method, Invoke::Whole(Arc::new(invoke)), |takes| {
            *takes == Takes::Raw
        })
    }

    /// The handler of a consumer that takes dead letters.
    pub fn dead_letter<F, R>(self, method: &str, handler: F) -> Result<Self, ContractError>
    where
        F: Fn(DeadLetter, Delivery) -> R + Send + Sync + 'static,
        R: Future<Output = HandlerResult> + Send + 'static,
    {
        let invoke = move |delivery: Delivery| -> BoxFuture<'static, _> {
            Box::pin(handler(DeadLetter::new(delivery.clone()), delivery))
        };
        self.add(method, Invoke::Whole(Arc::new(invoke)), |takes| {
            *takes == Takes::DeadLetter
        })
    }

    fn add(
        mut self,
        method: &str,
        invoke: Invoke,
        fits: impl Fn(&Takes) -> bool,
    ) -> Result<Self, ContractError> {
        let open = self
            .open
            .iter()
            .position(|consume| consume.method == method);
        match open {
            Some(at) if fits(&self.open[at].takes) => {
                let consume = self.open.remove(at);
                self.group.handlers.push(Handler { consume, invoke });
                Ok(self)
            }
            Some(at) => Err(ContractError::OtherKind {
                method: method.to_owned(),
                takes: match &self.open[at].takes {
                    Takes::Message(message) => format!("message `{message}`"),
                    Takes::Raw => "raw messages".to_owned(),
                    _ => "dead letters".to_owned(),
                },
            }),
            None => Err(ContractError::Unknown {
                contract: self.group.definition.contract().name.clone(),
                kind: "consumer without a handler",
                name: method.to_owned(),
            }),
        }
    }

    /// The registry, once every consumer of the group has its handler.
    pub fn registry(self) -> Result<HandlerRegistry, ContractError> {
        match self.open.first() {
            Some(open) => Err(ContractError::NoHandler {
                method: open.method.clone(),
            }),
            None => Ok(HandlerRegistry {
                groups: vec![self.group],
            }),
        }
    }
}

impl fmt::Debug for DynamicHandlers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let without: Vec<&str> = self
            .open
            .iter()
            .map(|consume| consume.method.as_str())
            .collect();
        f.debug_struct("DynamicHandlers")
            .field("without_handler", &without)
            .finish_non_exhaustive()
    }
}

/// A publisher of JSON values, for one group of a contract's publishes. Cheap to clone.
#[derive(Debug, Clone)]
pub struct DynamicPublisher(Publisher);

impl DynamicPublisher {
    /// The same publisher with these options over its own.
    #[must_use]
    pub fn with(&self, options: PublishOptions) -> Self {
        Self(self.0.with(options))
    }

    /// Publishes many, and gives the result of each, in their order: `publishes` are calls of this
    /// publisher's methods. They are begun in their order, and as many are under way as the
    /// publisher's limits allow. One that fails stops no other.
    pub async fn publish_all<F>(&self, publishes: impl IntoIterator<Item = F>) -> Vec<PublishResult>
    where
        F: Future<Output = PublishResult>,
    {
        self.0.publish_all(publishes).await
    }

    /// Declares where its messages go: the exchanges, alternates included, and the queues that no
    /// handlers of the contract consume, with their dead letters. A consumed queue is its consumers' to
    /// declare: until they have, a publish that only it would take is
    /// [unroutable](crate::PublishError::Unroutable). What is there as the contract says stays as it is.
    ///
    /// Fails like [`Connection::declare`](crate::Connection::declare), which declares all of a contract.
    pub async fn declare(&self) -> Result<(), DeclareError> {
        self.0.declare().await
    }

    /// Takes no more publishes, of any clone, and waits for the answers to those that there are, at
    /// most the connection's [close timeout](crate::ConnectionBuilder::close_timeout).
    pub async fn close(&self) {
        self.0.close().await;
    }

    /// Publishes `message` as the contract says of `method`, and waits for the broker's answer. The
    /// message is read at once, and sent when the future is polled.
    pub fn publish<'p>(
        &'p self,
        method: &str,
        message: &Value,
    ) -> impl Future<Output = PublishResult> + Send + use<'p> {
        self.0.publish(method, message)
    }

    /// The same for a routing key with fields, each given with its value: one word.
    pub fn publish_filled<'p>(
        &'p self,
        method: &str,
        fields: &[(&str, &dyn fmt::Display)],
        message: &Value,
    ) -> impl Future<Output = PublishResult> + Send + use<'p> {
        self.0.publish_filled(method, fields, message)
    }
}
