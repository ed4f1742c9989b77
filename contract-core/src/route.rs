//! Where a message goes: over any number of exchanges, their bindings and alternates.

mod edge;
mod headers;
mod question;
mod walk;

use self::edge::{Edge, edges};
pub use self::headers::Headers;
pub use self::question::Undecided;
pub use self::walk::Routes;
use crate::model::Binding;
use crate::name::ExchangeName;
use crate::topic::Keys;
use crate::topology::Topology;

/// A routing key that reaches no queue, and where it got to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unroutable {
    /// The key; a `_` stands for a word that no binding knows.
    pub key: String,
    /// Where it was when nothing took it.
    pub routes: Routes,
}

/// The bindings of a topology, followed from exchange to exchange.
pub struct Router<'t> {
    topology: &'t Topology,
    edges: Vec<Edge<'t>>,
}

impl std::fmt::Debug for Router<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Router")
            .field("bindings", &self.edges.len())
            .finish_non_exhaustive()
    }
}

impl<'t> Router<'t> {
    /// Follows the bindings of `topology`. A binding to an exchange that it does not have is left
    /// out.
    #[must_use]
    pub fn new(topology: &'t Topology) -> Self {
        Self {
            topology,
            edges: edges(topology),
        }
    }

    /// Where a message of this key ends up when published to `exchange`; none if the topology does
    /// not have that exchange.
    #[must_use]
    pub fn routes(
        &self,
        exchange: &ExchangeName,
        key: &str,
        headers: Headers<'_>,
    ) -> Option<Routes> {
        let start = self.topology.exchange(exchange)?;
        Some(self.routes_of(start, key, headers))
    }

    fn routes_of(&self, start: usize, key: &str, headers: Headers<'_>) -> Routes {
        let edges: Vec<&Edge<'t>> = self.edges.iter().collect();
        let takes = |edge: &&Edge<'t>| self.keys(edge, headers).contain(key);
        let matched: Vec<bool> = edges.iter().map(takes).collect();
        self.walk(start, &edges, &matched)
    }

    /// The bindings from this exchange, as its bound things name them.
    pub fn bindings_from(&self, exchange: usize) -> impl Iterator<Item = &'t Binding> {
        self.edges
            .iter()
            .filter(move |edge| edge.from == exchange)
            .map(|edge| edge.binding)
    }

    /// The keys that an edge takes.
    fn keys(&self, edge: &Edge<'t>, headers: Headers<'_>) -> Keys<'t> {
        edge.keys(&self.topology.exchanges[edge.from].entity.kind, headers)
    }
}

#[cfg(test)]
mod tests;
