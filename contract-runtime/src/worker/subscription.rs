//! What a worker has to know of a queue to consume it.

use std::collections::BTreeMap;
use std::sync::Arc;

use contract_core::QueueName;
use contract_core::consumer::ConsumerOptions;
use contract_core::dead_letter::{DeadLetterTarget, dead_letter_target, reached_by_dead_letters};
use contract_core::model::{Consume, Takes};
use contract_core::retry::RetryPlan;
use contract_core::settle::Policy;
use contract_core::topology::Topology;

use crate::error::{ContractError, StartError};
use crate::registry::{Group, Handler, HandlerRegistry, Invoke, InvokeJson, InvokeWhole};
use crate::schema::Schema;

/// A queue with its policy and its handlers.
pub(crate) struct Subscription {
    pub(crate) queue: QueueName,
    pub(crate) options: ConsumerOptions,
    pub(crate) policy: Policy,
    pub(crate) plan: RetryPlan,
    pub(crate) dead_letter: Option<DeadLetterTarget>,
    /// What each of `runnables` takes.
    pub(crate) takes: Vec<Takes>,
    pub(crate) runnables: Vec<Runnable>,
}

/// A handler that can be run.
pub(crate) struct Runnable {
    pub(crate) name: String,
    pub(crate) run: Run,
}

/// What it takes to run a handler.
pub(crate) enum Run {
    /// A body that this schema finds valid.
    Json(Arc<Schema>, InvokeJson),
    /// Any delivery.
    Whole(InvokeWhole),
}

impl Subscription {
    /// One for each queue that the registry takes from.
    pub(crate) fn of(registry: &HandlerRegistry) -> Result<Vec<Self>, StartError> {
        let mut subscriptions: BTreeMap<QueueName, Self> = BTreeMap::new();
        for group in &registry.groups {
            for (queue, handlers) in by_queue(group) {
                let subscription = Self::new(group, queue, &handlers)?;
                if subscriptions.insert(queue.clone(), subscription).is_some() {
                    return Err(StartError::QueueTwice {
                        queue: queue.to_string(),
                    });
                }
            }
        }
        if subscriptions.is_empty() {
            return Err(StartError::NoHandlers);
        }
        Ok(subscriptions.into_values().collect())
    }

    fn new(group: &Group, name: &QueueName, handlers: &[&Handler]) -> Result<Self, StartError> {
        let contract = group.definition.contract();
        let (topology, _) = Topology::of(contract);
        let position = contract.queues.iter().position(|queue| queue.name == *name);
        let position = position.expect("a checked contract has the queues that it consumes");
        let queue = &contract.queues[position];
        let mut runnables = Vec::with_capacity(handlers.len());
        for handler in handlers {
            let run = match (&handler.invoke, &handler.consume.takes) {
                (Invoke::Json(invoke), Takes::Message(message)) => Run::Json(
                    group
                        .definition
                        .schema(message)
                        .map_err(ContractError::from)?,
                    Arc::clone(invoke),
                ),
                (Invoke::Whole(invoke), Takes::Raw | Takes::DeadLetter) => {
                    Run::Whole(Arc::clone(invoke))
                }
                _ => unreachable!("a registry and its contract are made from the same trait"),
            };
            runnables.push(Runnable {
                name: handler.consume.method.clone(),
                run,
            });
        }
        let consumes: Vec<&Consume> = handlers.iter().map(|handler| &handler.consume).collect();
        Ok(Self {
            queue: name.clone(),
            options: ConsumerOptions::of(&consumes),
            policy: Policy::of(queue, reached_by_dead_letters(&topology, position)),
            plan: RetryPlan::new(name, &queue.retry).expect("a checked contract can be retried"),
            dead_letter: dead_letter_target(queue),
            takes: consumes
                .iter()
                .map(|consume| consume.takes.clone())
                .collect(),
            runnables,
        })
    }
}

fn by_queue(group: &Group) -> BTreeMap<&QueueName, Vec<&Handler>> {
    let mut queues: BTreeMap<&QueueName, Vec<&Handler>> = BTreeMap::new();
    for handler in &group.handlers {
        queues
            .entry(&handler.consume.queue)
            .or_default()
            .push(handler);
    }
    queues
}
