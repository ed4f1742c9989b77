//! How much of a topology a service declares.

use std::collections::BTreeSet;

use super::Scope;
use crate::dead_letter::dead_letter_target;
use crate::model::{Binding, DeadLetterOwner, Exchange, Queue};
use crate::name::ExchangeName;
use crate::topology::Topology;

/// The part of a topology that a scope covers, by position.
pub(super) struct Chosen {
    exchanges: BTreeSet<usize>,
    queues: BTreeSet<usize>,
}

impl Chosen {
    pub(super) fn new(topology: &Topology, scope: &Scope) -> Self {
        let Scope::Consuming(consumed) = scope else {
            return Self {
                exchanges: (0..topology.exchanges.len()).collect(),
                queues: (0..topology.queues.len()).collect(),
            };
        };
        let mut chosen = Self {
            exchanges: BTreeSet::new(),
            queues: BTreeSet::new(),
        };
        for (index, queue) in topology.queues.iter().enumerate() {
            if consumed.contains(&queue.entity.name) {
                chosen.add_queue(topology, index);
            }
        }
        chosen
    }

    /// A queue, what feeds it, and where its dead letters go.
    fn add_queue(&mut self, topology: &Topology, index: usize) {
        if !self.queues.insert(index) {
            return;
        }
        let queue = &topology.queues[index].entity;
        self.add_sources(topology, &queue.bindings);
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

    pub(super) fn queues<'t>(&self, topology: &'t Topology) -> impl Iterator<Item = &'t Queue> {
        self.queues
            .iter()
            .map(|index| &topology.queues[*index].entity)
    }
}
