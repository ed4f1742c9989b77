//! Which messages a binding takes.

use super::headers::{Headers, headers_match};
use crate::model::{Binding, BindingKey, ExchangeKind};
use crate::topic::Keys;
use crate::topology::Topology;

/// What a binding leads to, by its position in the topology.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Queue(usize),
    Exchange(usize),
}

/// A binding, and what it ties together.
pub(super) struct Edge<'t> {
    pub(super) from: usize,
    pub(super) to: Target,
    pub(super) binding: &'t Binding,
}

/// The bindings of a topology. One to an exchange that it does not have is left out.
pub(super) fn edges(topology: &Topology) -> Vec<Edge<'_>> {
    let mut edges = Vec::new();
    for (index, queue) in topology.queues.iter().enumerate() {
        let bound = bound(topology, &queue.entity.bindings);
        edges.extend(bound.map(|(from, binding)| Edge {
            from,
            to: Target::Queue(index),
            binding,
        }));
    }
    for (index, exchange) in topology.exchanges.iter().enumerate() {
        let bound = bound(topology, &exchange.entity.bindings);
        edges.extend(bound.map(|(from, binding)| Edge {
            from,
            to: Target::Exchange(index),
            binding,
        }));
    }
    edges
}

fn bound<'t>(
    topology: &Topology,
    bindings: &'t [Binding],
) -> impl Iterator<Item = (usize, &'t Binding)> {
    bindings
        .iter()
        .filter_map(|binding| Some((topology.exchange(&binding.exchange)?, binding)))
}

impl<'t> Edge<'t> {
    /// The keys that it takes from an exchange of this kind.
    pub(super) fn keys(&self, kind: &ExchangeKind, headers: Headers<'_>) -> Keys<'t> {
        let pattern = match &self.binding.key {
            BindingKey::None => "",
            BindingKey::Pattern(pattern) => pattern.as_str(),
            BindingKey::Headers(wanted) => {
                return if headers_match(wanted, headers) {
                    Keys::all()
                } else {
                    Keys::none()
                };
            }
        };
        match kind {
            ExchangeKind::Direct => Keys::exactly(pattern),
            ExchangeKind::Topic => Keys::pattern(pattern),
            // A headers exchange that is bound without headers takes everything.
            ExchangeKind::Fanout | ExchangeKind::Headers | ExchangeKind::Custom(_) => Keys::all(),
        }
    }
}
