//! Consuming: registries in, settled deliveries out.

mod acks;
mod attempt;
mod consumer;
mod desk;
mod gate;
mod handoff;
mod ledger;
mod report;
mod running;
mod settlement;
mod signal;
mod subscription;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use contract_core::check::check;
use contract_core::declaration::Scope;

pub use self::consumer::ConsumerState;
pub use self::report::Report;
pub use self::running::{RunError, RunningWorker};
pub use self::signal::shutdown_signal;
use self::subscription::Subscription;
use crate::connection::Connection;
use crate::definition::Definition;
use crate::error::{ContractError, StartError};
use crate::registry::HandlerRegistry;
use crate::topology;

/// How long a shutdown waits for handlers, unless told otherwise.
const DEFAULT_SHUTDOWN: Duration = Duration::from_secs(30);

/// Runs the handlers of one or several registries.
///
/// [`start`](Self::start) checks the contracts and their schemas before it touches the broker, declares
/// what the registries need, and returns once every queue is being consumed.
///
/// ```no_run
/// # use contract_runtime::{Connection, HandlerRegistry, Worker, shutdown_signal};
/// # async fn run(registry: HandlerRegistry) -> Result<(), Box<dyn std::error::Error>> {
/// let connection = Connection::open("amqp://localhost").await?;
/// let worker = Worker::new(&connection).handlers(registry).start().await?;
/// let report = worker.run_until(shutdown_signal()).await?;
/// println!("{report}");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "a worker does nothing until it is started"]
pub struct Worker {
    connection: Connection,
    registry: HandlerRegistry,
    shutdown_limit: Duration,
}

impl Worker {
    /// A worker without handlers.
    pub fn new(connection: &Connection) -> Self {
        Self {
            connection: connection.clone(),
            registry: HandlerRegistry { groups: Vec::new() },
            shutdown_limit: DEFAULT_SHUTDOWN,
        }
    }

    /// Adds handlers.
    pub fn handlers(mut self, registry: HandlerRegistry) -> Self {
        self.registry = self.registry.merge(registry);
        self
    }

    /// How long a shutdown waits for the handlers that are running. Default: 30 s. What has not
    /// finished by then is given up, and the broker hands its messages out again.
    pub fn shutdown_limit(mut self, limit: Duration) -> Self {
        self.shutdown_limit = limit;
        self
    }

    /// Checks, declares, consumes. On an error nothing is consumed.
    pub async fn start(self) -> Result<RunningWorker, StartError> {
        // The contracts are checked first: subscriptions are made of what has passed.
        let topologies = Topologies::of(&self.registry)?;
        let subscriptions = Subscription::of(&self.registry)?;
        topologies.declare(&self.connection).await?;
        RunningWorker::start(
            self.connection,
            subscriptions,
            Arc::new(topologies),
            self.shutdown_limit,
        )
        .await
    }
}

/// What the worker's queues need on the broker, of each contract.
#[derive(Debug)]
struct Topologies(Vec<(Arc<Definition>, Scope)>);

impl Topologies {
    fn of(registry: &HandlerRegistry) -> Result<Self, StartError> {
        let mut scopes: BTreeMap<*const Definition, (Arc<Definition>, _)> = BTreeMap::new();
        for group in &registry.groups {
            let key = Arc::as_ptr(&group.definition);
            let (_, queues) = scopes.entry(key).or_insert_with(|| {
                (
                    Arc::clone(&group.definition),
                    std::collections::BTreeSet::new(),
                )
            });
            queues.extend(
                group
                    .handlers
                    .iter()
                    .map(|handler| handler.consume.queue.clone()),
            );
        }
        let mut topologies = Vec::with_capacity(scopes.len());
        for (definition, queues) in scopes.into_values() {
            let contract = definition.contract();
            let findings = check(contract);
            if !findings.is_empty() {
                return Err(ContractError::Rules {
                    contract: contract.name.clone(),
                    findings,
                }
                .into());
            }
            topologies.push((definition, Scope::Consuming(queues)));
        }
        Ok(Self(topologies))
    }

    /// On the consuming connection: exclusive queues belong to it, and it is never blocked.
    async fn declare(&self, connection: &Connection) -> Result<(), crate::error::DeclareError> {
        for (definition, scope) in &self.0 {
            topology::declare(connection.consuming(), definition.contract(), scope).await?;
        }
        Ok(())
    }
}
