//! What is declared on the broker: which entities, in which order, with which arguments.

mod mode;
mod scope;
mod wire;

use std::collections::BTreeSet;

pub use self::mode::{Step, TopologyMode, Treatment, steps};
use self::scope::Chosen;
use self::wire::bind;
pub use self::wire::{declare_bucket, declare_exchange, declare_queue, delivery_limit};
use crate::model::{Contract, Literal, Queue};
use crate::name::{ExchangeName, QueueName};
use crate::retry::RetryPlan;
use crate::topology::Topology;

/// How often a quorum queue with a way out for its messages hands one out before the broker takes
/// that way by itself: above any retry policy, so that ours always acts first, and the same under
/// every policy, so that a changed policy never meets a queue with another argument. It ends a
/// message that crashes every process which touches it.
pub const DELIVERY_LIMIT: u32 = 120;

/// The limit of a quorum queue without a way out: reaching it would drop the message, so it cannot
/// be reached. (4.0 counts 20 where nothing is declared, and 3.10 takes -1 for 'at once'.)
pub const NO_DELIVERY_LIMIT: u32 = 0x7fff_ffff;

/// One step of declaring a contract. The steps stand in an order in which each finds what it needs.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Declaration {
    /// Declare an exchange.
    Exchange(ExchangeDeclaration),
    /// Check that an exchange exists that somebody else declares.
    ExchangeExists(ExchangeName),
    /// Declare a queue.
    Queue(QueueDeclaration),
    /// Check that a queue exists that somebody else declares.
    QueueExists(QueueName),
    /// Bind a queue or an exchange.
    Bind(BindDeclaration),
}

/// An exchange with its wire arguments.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ExchangeDeclaration {
    /// Its name.
    pub name: ExchangeName,
    /// Its type on the wire.
    pub kind: String,
    /// Whether it survives a restart.
    pub durable: bool,
    /// Whether it goes with its last binding.
    pub auto_delete: bool,
    /// Whether only exchanges may publish to it.
    pub internal: bool,
    /// Its arguments.
    pub arguments: Vec<(String, Literal)>,
}

/// A queue with its wire arguments.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct QueueDeclaration {
    /// Its name.
    pub name: QueueName,
    /// Whether it survives a restart.
    pub durable: bool,
    /// Whether it belongs to the connection that declares it.
    pub exclusive: bool,
    /// Whether it goes with its last consumer.
    pub auto_delete: bool,
    /// Its arguments.
    pub arguments: Vec<(String, Literal)>,
}

/// A binding with its wire arguments.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct BindDeclaration {
    /// Where the messages come from.
    pub source: ExchangeName,
    /// Where they go.
    pub destination: Destination,
    /// The binding key.
    pub key: String,
    /// The arguments: what a headers exchange matches.
    pub arguments: Vec<(String, Literal)>,
}

/// The bound end of a binding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// A queue.
    Queue(QueueName),
    /// An exchange.
    Exchange(ExchangeName),
}

/// How much of a contract a service declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// All of it.
    All,
    /// What consumers of these queues need: the queues with their retry buckets, the exchanges that
    /// feed them, and the way of their dead letters.
    Consuming(BTreeSet<QueueName>),
    /// What the publishers of these labels need: the exchanges that they publish to, those that their
    /// messages go through from there, alternates included, and the queues at the end that no handlers
    /// of the contract consume. A consumed queue is its consumers' to declare.
    Publishing(BTreeSet<String>),
}

/// The steps that bring the contract, as far as `scope` goes, onto the broker.
///
/// Exchanges come first, then queues, those that others name as a dead letter before the queues
/// that name them, then bindings: no message can be routed into something half made.
#[must_use]
pub fn declarations(contract: &Contract, scope: &Scope) -> Vec<Declaration> {
    let (topology, _) = Topology::of(contract);
    let chosen = Chosen::new(contract, &topology, scope);
    let mut steps = Vec::new();

    // An alternate exchange need not exist when another names it, so the order among exchanges
    // is free.
    for exchange in chosen.exchanges(&topology) {
        steps.push(if exchange.external {
            Declaration::ExchangeExists(exchange.name.clone())
        } else {
            Declaration::Exchange(declare_exchange(exchange))
        });
    }
    let (with, without): (Vec<&Queue>, Vec<&Queue>) = chosen
        .queues(&topology)
        .partition(|queue| queue.dead_letter.is_some());
    for queue in without.into_iter().chain(with) {
        steps.push(if queue.external {
            Declaration::QueueExists(queue.name.clone())
        } else {
            Declaration::Queue(declare_queue(queue))
        });
        if let Ok(plan) = RetryPlan::new(&queue.name, &queue.retry) {
            steps.extend(
                plan.buckets()
                    .iter()
                    .map(|bucket| Declaration::Queue(declare_bucket(queue, bucket))),
            );
        }
    }
    for exchange in chosen
        .exchanges(&topology)
        .filter(|exchange| !exchange.external)
    {
        let destination = Destination::Exchange(exchange.name.clone());
        let bindings = chosen.bindings(&topology, &exchange.bindings);
        steps.extend(bindings.map(|binding| bind(binding, &destination)));
    }
    for queue in chosen.queues(&topology) {
        let destination = Destination::Queue(queue.name.clone());
        let bindings = chosen.bindings(&topology, &queue.bindings);
        steps.extend(bindings.map(|binding| bind(binding, &destination)));
    }
    steps
}

#[cfg(test)]
mod tests;
