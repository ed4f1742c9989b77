//! How much of a topology a service declares.

use std::collections::BTreeSet;

use super::Scope;
use crate::dead_letter::dead_letter_target;
use crate::model::{Binding, Contract, DeadLetterOwner, Exchange, Publish, Queue};
use crate::name::{ExchangeName, QueueName};
use crate::route::{Headers, Router};
use crate::topology::Topology;

/// The part of a topology that a scope covers, by position.
pub(super) struct Chosen {
    exchanges: BTreeSet<usize>,
    queues: BTreeSet<usize>,
}

impl Chosen {
    pub(super) fn new(contract: &Contract, topology: &Topology, scope: &Scope) -> Self {
        let mut chosen = Self {
            exchanges: BTreeSet::new(),
            queues: BTreeSet::new(),
        };
        match scope {
            Scope::All => {
                chosen.exchanges = (0..topology.exchanges.len()).collect();
                chosen.queues = (0..topology.queues.len()).collect();
            }
            Scope::Consuming(consumed) => {
                for (index, queue) in topology.queues.iter().enumerate() {
                    if consumed.contains(&queue.entity.name) {
                        chosen.add_queue(topology, index);
                    }
                }
            }
            Scope::Publishing(labels) => chosen.add_publishers(contract, topology, labels),
        }
        chosen
    }

    fn add_publishers(
        &mut self,
        contract: &Contract,
        topology: &Topology,
        labels: &BTreeSet<String>,
    ) {
        let consumers = contract.handlers.iter().flat_map(|group| &group.consumers);
        let consumed: BTreeSet<&QueueName> = consumers.map(|consume| &consume.queue).collect();
        let router = Router::new(topology);
        let publishers = contract.publishers.iter();
        for publish in publishers
            .filter(|publisher| labels.contains(&publisher.label))
            .flat_map(|publisher| &publisher.publishes)
        {
            self.add_publish(topology, &router, publish, &consumed);
        }
    }

    /// Where messages of this publish go. What feeds the exchange otherwise is others' concern.
    fn add_publish(
        &mut self,
        topology: &Topology,
        router: &Router<'_>,
        publish: &Publish,
        consumed: &BTreeSet<&QueueName>,
    ) {
        let alternate = |at: &usize| {
            let alternate = topology.exchanges[*at].entity.alternate.as_ref()?;
            topology.exchange(alternate)
        };
        // Each alternate counts as one that is published to: until the consumers have bound their
        // queues, more goes there than the contract says.
        let starts = std::iter::successors(topology.exchange(&publish.exchange), alternate);
        let (keys, headers) = (publish.key.keys(), Headers::Known(&publish.headers));
        for start in starts.take(topology.exchanges.len()) {
            self.exchanges.insert(start);
            let exchange = &topology.exchanges[start].entity.name;
            for (index, queue) in topology.queues.iter().enumerate() {
                // What cannot be told might be.
                let reached = router.can_reach(exchange, &keys, headers, index);
                if !reached.unwrap_or(true) {
                    continue;
                }
                self.exchanges
                    .extend(router.exchanges_between(start, index));
                if !consumed.contains(&queue.entity.name) && self.queues.insert(index) {
                    self.add_dead_letters(topology, &queue.entity);
                }
            }
        }
    }

    /// A queue, what feeds it, and where its dead letters go.
    fn add_queue(&mut self, topology: &Topology, index: usize) {
        if !self.queues.insert(index) {
            return;
        }
        let queue = &topology.queues[index].entity;
        self.add_sources(topology, &queue.bindings);
        self.add_dead_letters(topology, queue);
    }

    fn add_dead_letters(&mut self, topology: &Topology, queue: &Queue) {
        let Some(target) = dead_letter_target(queue) else {
            return;
        };
        let Some(exchange) = topology.exchange(&target.exchange) else {
            return;
        };
        self.add_exchange(topology, exchange);
        if target.owner == DeadLetterOwner::Contract {
            self.add_destinations(topology, &target.exchange);
        }
    }

    /// An exchange with its alternate and what feeds it.
    fn add_exchange(&mut self, topology: &Topology, index: usize) {
        if !self.exchanges.insert(index) {
            return;
        }
        let exchange = &topology.exchanges[index].entity;
        self.add_sources(topology, &exchange.bindings);
        if let Some(alternate) = exchange
            .alternate
            .as_ref()
            .and_then(|name| topology.exchange(name))
        {
            self.add_exchange(topology, alternate);
        }
    }

    fn add_sources(&mut self, topology: &Topology, bindings: &[Binding]) {
        for binding in bindings {
            if let Some(source) = topology.exchange(&binding.exchange) {
                self.add_exchange(topology, source);
            }
        }
    }

    /// Everything that is bound to a dead-letter exchange: nobody else declares it.
    fn add_destinations(&mut self, topology: &Topology, source: &ExchangeName) {
        let from =
            |bindings: &[Binding]| bindings.iter().any(|binding| binding.exchange == *source);
        for (index, queue) in topology.queues.iter().enumerate() {
            if from(&queue.entity.bindings) {
                self.add_queue(topology, index);
            }
        }
        for (index, exchange) in topology.exchanges.iter().enumerate() {
            if from(&exchange.entity.bindings) && !self.exchanges.contains(&index) {
                self.add_exchange(topology, index);
                self.add_destinations(topology, &exchange.entity.name);
            }
        }
    }

    pub(super) fn exchanges<'t>(
        &self,
        topology: &'t Topology,
    ) -> impl Iterator<Item = &'t Exchange> {
        self.exchanges
            .iter()
            .map(|index| &topology.exchanges[*index].entity)
    }

    /// Those of `bindings` whose source is covered too.
    pub(super) fn bindings<'t>(
        &self,
        topology: &Topology,
        bindings: &'t [Binding],
    ) -> impl Iterator<Item = &'t Binding> {
        bindings.iter().filter(|binding| {
            let source = topology.exchange(&binding.exchange);
            source.is_none_or(|source| self.exchanges.contains(&source))
        })
    }

    pub(super) fn queues<'t>(&self, topology: &'t Topology) -> impl Iterator<Item = &'t Queue> {
        self.queues
            .iter()
            .map(|index| &topology.queues[*index].entity)
    }
}
