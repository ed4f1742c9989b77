//! Publishing: what is valid goes out once, and the caller learns what became of it.

mod options;
mod route;

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use contract_core::declaration::{Scope, TopologyMode};
use futures_util::StreamExt;
use futures_util::stream::FuturesOrdered;
use serde::Serialize;
use tokio::time::Instant;
use uuid::Uuid;

pub use self::options::PublishOptions;
use self::route::Route;
use crate::collector::{Collector, Outgoing, SendError, Wait};
use crate::connection::Connection;
use crate::definition::Definition;
use crate::error::{DeclareError, PublishError};
use crate::message::{Message, Payload};
use crate::topology;

/// What a publish returns.
pub type PublishResult = Result<Receipt, PublishError>;

/// A message that the broker has taken: a queue has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Receipt {
    /// The event id: the same on every copy of the message.
    pub event_id: Uuid,
}

/// What is behind the publishers that the macro writes: one group of publishes of a contract, over
/// one channel. Cheap to clone; clones share the channel and its limits.
#[derive(Clone)]
pub struct Publisher {
    shared: Arc<Shared>,
    options: PublishOptions,
}

struct Shared {
    label: String,
    connection: Connection,
    definition: Arc<Definition>,
    collector: Collector,
    routes: HashMap<String, Result<Route, PublishError>>,
}

impl Publisher {
    /// The publisher `label` of a contract. Its channel is opened with the first message.
    #[must_use]
    pub fn new(connection: &Connection, definition: &Arc<Definition>, label: &str) -> Self {
        let link = connection.publishing();
        let settings = link.settings();
        let publishes = definition
            .contract()
            .publishers
            .iter()
            .filter(|publisher| publisher.label == label)
            .flat_map(|publisher| &publisher.publishes);
        let route = |publish| Route::new(definition, publish, settings.name.as_deref());
        let routes = publishes
            .map(|publish| (publish.method.clone(), route(publish)))
            .collect();
        Self {
            shared: Arc::new(Shared {
                label: label.to_owned(),
                connection: connection.clone(),
                definition: Arc::clone(definition),
                collector: connection.collector(),
                routes,
            }),
            options: PublishOptions::new(),
        }
    }

    /// The same publisher with these options over its own.
    #[must_use]
    pub fn with(&self, options: PublishOptions) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            options: options.over(&self.options),
        }
    }

    /// Publishes a message as the contract says of `method`, and waits until the broker has answered
    /// for it.
    ///
    /// The message is read at once, and sent when the future is polled. Dropping the future before
    /// the message was handed to the channel takes it back; later, the broker may have it.
    pub fn publish<'p, M: Serialize>(
        &'p self,
        method: &str,
        message: &M,
    ) -> impl Future<Output = PublishResult> + Send + use<'p, M> {
        self.publish_filled(method, &[], message)
    }

    /// The same for a routing key with fields: each is filled by the value of its name, which has to
    /// be one word.
    pub fn publish_filled<'p, M: Serialize>(
        &'p self,
        method: &str,
        fields: &[(&str, &dyn fmt::Display)],
        message: &M,
    ) -> impl Future<Output = PublishResult> + Send + use<'p, M> {
        let prepared = self.prepare(method, fields, || serde_json::to_vec(message));
        self.send_prepared(prepared)
    }

    /// The same for a message that the compiler knows: what generated code calls.
    pub fn publish_message<'p, M: Message>(
        &'p self,
        method: &str,
        fields: &[(&str, &dyn fmt::Display)],
        message: &M::Payload,
    ) -> impl Future<Output = PublishResult> + Send + use<'p, M> {
        let prepared = self.prepare(method, fields, || message.to_json());
        self.send_prepared(prepared)
    }

    /// Publishes many, and gives the result of each, in their order. They are begun in their order,
    /// and as many are under way as the publisher's limits allow; the time of each is counted from
    /// when it is begun. One that fails stops no other.
    ///
    /// Dropping the future drops those that are begun, and begins no more.
    pub async fn publish_all<F>(&self, publishes: impl IntoIterator<Item = F>) -> Vec<PublishResult>
    where
        F: Future<Output = PublishResult>,
    {
        let mut waiting = publishes.into_iter().fuse();
        let mut begun = FuturesOrdered::new();
        let mut results = Vec::with_capacity(waiting.size_hint().0);
        poll_fn(|context| {
            loop {
                // Each is polled before the next is begun: that is what makes their order.
                while begun.is_empty() || self.shared.collector.has_room() {
                    let Some(publish) = waiting.next() else { break };
                    begun.push_back(publish);
                    if let Poll::Ready(Some(result)) = begun.poll_next_unpin(context) {
                        results.push(result);
                    }
                }
                match begun.poll_next_unpin(context) {
                    Poll::Ready(Some(result)) => results.push(result),
                    Poll::Ready(None) => return Poll::Ready(()),
                    Poll::Pending => return Poll::Pending,
                }
            }
        })
        .await;
        results
    }

    /// Declares where its messages go: the exchanges, alternates included, and the queues that no
    /// handlers of the contract consume, with their dead letters. A consumed queue is its consumers' to
    /// declare: until they have, a publish that only it would take is
    /// [unroutable](crate::PublishError::Unroutable). What is there as the contract says stays as it is.
    ///
    /// Fails like [`Connection::declare`](crate::Connection::declare), which declares all of a contract.
    pub async fn declare(&self) -> Result<(), DeclareError> {
        let contract = self.shared.definition.contract();
        let scope = Scope::Publishing(BTreeSet::from([self.shared.label.clone()]));
        let link = self.shared.connection.consuming();
        topology::declare(link, contract, &scope, TopologyMode::Declare).await
    }

    /// Takes no more publishes, of any clone, and waits for the answers to those that there are, at
    /// most the connection's [close timeout](crate::ConnectionBuilder::close_timeout). The
    /// connection and its other publishers stay.
    pub async fn close(&self) {
        let most = self.shared.collector.link().settings().close_timeout;
        let pending = self.shared.collector.close(Instant::now() + most).await;
        if pending > 0 {
            let publisher = &self.shared.label;
            tracing::warn!(
                publisher,
                pending,
                "RabbitMQ did not answer all publishes in time"
            );
        }
    }

    /// What goes on the wire, and whether it may. Not inside the future: values that are shown need
    /// not be `Sync`.
    fn prepare(
        &self,
        method: &str,
        fields: &[(&str, &dyn fmt::Display)],
        json: impl FnOnce() -> serde_json::Result<Vec<u8>>,
    ) -> Result<Prepared<'_>, PublishError> {
        let route = match self.shared.routes.get(method) {
            Some(Ok(route)) => route,
            Some(Err(error)) => return Err(error.clone()),
            None => {
                return Err(PublishError::NotInContract {
                    publisher: self.shared.label.clone(),
                    method: method.to_owned(),
                });
            }
        };
        let event_id = self.options.id_or_new();
        let outgoing = Outgoing {
            exchange: route.exchange.clone(),
            routing_key: route.routing_key(fields)?,
            properties: route.properties(event_id, &self.options)?,
            body: body(route, json)?.into(),
            lossy: route.lossy,
        };
        Ok((route, event_id, outgoing))
    }

    async fn send_prepared(&self, prepared: Result<Prepared<'_>, PublishError>) -> PublishResult {
        let (route, event_id, outgoing) = prepared?;
        self.send(route, event_id, outgoing).await
    }

    async fn send(&self, route: &Route, event_id: Uuid, outgoing: Outgoing) -> PublishResult {
        let deadline = Instant::now() + self.options.timeout_or_default();
        let wait = if self.options.waits() {
            Wait::Yes
        } else {
            Wait::No
        };
        let routing_key = outgoing.routing_key.clone();
        let sent = self.shared.collector.send_waiting(outgoing, deadline, wait);
        match sent.await {
            Ok(()) => Ok(Receipt { event_id }),
            Err(error) => Err(self.explain(route, routing_key, event_id, error)),
        }
    }

    fn explain(
        &self,
        route: &Route,
        routing_key: String,
        event_id: Uuid,
        error: SendError,
    ) -> PublishError {
        let exchange = route.exchange.clone();
        match error {
            SendError::TooLarge { what, bytes, limit } => PublishError::TooLarge {
                message: route.message.clone(),
                what,
                bytes,
                limit,
            },
            SendError::InvalidKey(_) => PublishError::InvalidKey {
                reason: error.to_string(),
            },
            SendError::Unavailable => PublishError::Unavailable {
                within: self.options.timeout_or_default(),
            },
            SendError::Blocked(reason) => PublishError::Blocked { reason },
            SendError::Overloaded => PublishError::Overloaded,
            SendError::Closed => PublishError::Closed,
            SendError::Unroutable => PublishError::Unroutable {
                exchange,
                routing_key,
                event_id,
            },
            SendError::Rejected => PublishError::Rejected {
                exchange,
                routing_key,
                event_id,
                partly: route.several_queues,
            },
            SendError::ExchangeMissing { certain } => PublishError::ExchangeMissing {
                exchange,
                event_id,
                certain,
            },
            SendError::Refused {
                code,
                text,
                certain,
            } => PublishError::Refused {
                exchange,
                routing_key,
                event_id,
                code,
                text,
                certain,
            },
            SendError::Unknown(reason) => PublishError::Unconfirmed { event_id, reason },
        }
    }
}

/// A message on its way, and the event id that it is given.
type Prepared<'p> = (&'p Route, Uuid, Outgoing);

/// The body of a message: what is validated is what is sent, byte for byte.
fn body(
    route: &Route,
    json: impl FnOnce() -> serde_json::Result<Vec<u8>>,
) -> Result<Vec<u8>, PublishError> {
    let not_json = |error: serde_json::Error| PublishError::NotJson {
        message: route.message.clone(),
        reason: error.to_string(),
    };
    let schema = route.schema.as_ref().map_err(Clone::clone)?;
    let body = json().map_err(not_json)?;
    let issues = schema.issues(&serde_json::from_slice(&body).map_err(not_json)?);
    if issues.is_empty() {
        return Ok(body);
    }
    Err(PublishError::Invalid {
        message: route.message.clone(),
        issues,
    })
}

impl fmt::Debug for Publisher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Publisher")
            .field("label", &self.shared.label)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
