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
use contract_core::declaration::{Scope, TopologyMode};

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
/// How long one handoff is tried, unless told otherwise.
const DEFAULT_HANDOFF: Duration = Duration::from_secs(30);
/// With less, a consumer whose dead letters are refused would turn in a circle with its broker.
const LEAST_HANDOFF: Duration = Duration::from_secs(1);
/// Longer than anything runs, and a clock can count so far.
const LONGEST_HANDOFF: Duration = Duration::from_secs(365 * 24 * 3600);

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
    topology: TopologyMode,
    shutdown_limit: Duration,
    handoff_budget: Duration,
}

impl Worker {
    /// A worker without handlers.
    pub fn new(connection: &Connection) -> Self {
        Self {
            connection: connection.clone(),
            registry: HandlerRegistry { groups: Vec::new() },
            topology: TopologyMode::default(),
            shutdown_limit: DEFAULT_SHUTDOWN,
            handoff_budget: DEFAULT_HANDOFF,
        }
    }

    /// Adds handlers.
    pub fn handlers(mut self, registry: HandlerRegistry) -> Self {
        self.registry = self.registry.merge(registry);
        self
    }

    /// Whether the worker declares what its queues need, verifies it, or trusts it to be there: at the
    /// start, and whenever a consumer comes back. Default: [`TopologyMode::Declare`].
    pub fn topology(mut self, mode: TopologyMode) -> Self {
        self.topology = mode;
        self
    }

    /// How long a shutdown waits for the handlers that are running. Default: 30 s. What has not
    /// finished by then is given up, and the broker hands its messages out again.
    pub fn shutdown_limit(mut self, limit: Duration) -> Self {
        self.shutdown_limit = limit;
        self
    }

    /// How long the copy of a message that failed is tried to be handed on, to its retry bucket or to
    /// the dead-letter exchange, while that is refused or goes unanswered. Default: 30 s. Within this
    /// time its handler is not run again, unless the broker takes the delivery back because its
    /// channel is lost; after a third of it without an answer, or a first refusal, its queue's consumer
    /// takes no more. When it is spent, the message is given back to its queue, to be handled again.
    /// Less than 1 s counts as 1 s, more than 365 days as 365 days.
    ///
    /// Where this is longer than the [shutdown's limit](Self::shutdown_limit), a shutdown may end a
    /// handoff before it: then too the broker hands the message out again.
    ///
    /// ```no_run
    /// # use std::time::Duration;
    /// # use contract_runtime::{Connection, Worker};
    /// # fn patient(connection: &Connection) -> Worker {
    /// Worker::new(connection).handoff_budget(Duration::from_secs(300))
    /// # }
    /// ```
    pub fn handoff_budget(mut self, budget: Duration) -> Self {
        self.handoff_budget = budget.clamp(LEAST_HANDOFF, LONGEST_HANDOFF);
        self
    }

    /// Checks, declares, consumes. On an error nothing is consumed.
    pub async fn start(self) -> Result<RunningWorker, StartError> {
        // The contracts are checked first: subscriptions are made of what has passed.
        let topologies = Topologies::of(&self.registry, self.topology)?;
        let subscriptions = Subscription::of(&self.registry)?;
        topologies.declare(&self.connection).await?;
        RunningWorker::start(
            self.connection,
            subscriptions,
            Arc::new(topologies),
            self.shutdown_limit,
            self.handoff_budget,
        )
        .await
    }
}

/// What the worker's queues need on the broker, of each contract.
#[derive(Debug)]
struct Topologies {
    scopes: Vec<(Arc<Definition>, Scope)>,
    mode: TopologyMode,
}

impl Topologies {
    fn of(registry: &HandlerRegistry, mode: TopologyMode) -> Result<Self, StartError> {
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
        Ok(Self {
            scopes: topologies,
            mode,
        })
    }

    /// Brings them there, as far as the mode says. On the consuming connection: exclusive queues belong to it, and it is never blocked.
    async fn declare(&self, connection: &Connection) -> Result<(), crate::error::DeclareError> {
        for (definition, scope) in &self.scopes {
            topology::declare(
                connection.consuming(),
                definition.contract(),
                scope,
                self.mode,
            )
            .await?;
        }
        Ok(())
    }
}
