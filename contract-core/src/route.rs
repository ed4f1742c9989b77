//! Where a message goes: over any number of exchanges, their bindings and alternates.

mod question;

use std::collections::BTreeSet;

use crate::model::{Binding, BindingKey, ExchangeKind, HeaderMatch, Literal};
use crate::name::ExchangeName;
use crate::topic::Keys;
use crate::topology::Topology;

pub use question::Undecided;

/// What is known of the headers of a message.
#[derive(Debug, Clone, Copy)]
pub enum Headers<'a> {
    /// These, and none that a binding could look for beside them.
    Known(&'a [(String, Literal)]),
    /// Nothing.
    Unknown,
}

/// Where messages end up.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Routes {
    /// The queues that get a copy, by their position in the topology.
    pub queues: BTreeSet<usize>,
    /// Whether a copy leaves what the contract knows: to an exchange that somebody else binds, or
    /// that routes by a plugin's rule.
    pub elsewhere: bool,
    /// The exchanges at which nothing took it, by their position in the topology.
    pub stopped: BTreeSet<usize>,
}

impl Routes {
    /// Whether some queue gets a copy, as far as the contract can know.
    #[must_use]
    pub fn reach_a_queue(&self) -> bool {
        self.elsewhere || !self.queues.is_empty()
    }
}

/// A routing key that reaches no queue, and where it got to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unroutable {
    /// The key; a `_` stands for a word that no binding knows.
    pub key: String,
    /// Where it was when nothing took it.
    pub routes: Routes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Queue(usize),
    Exchange(usize),
}

struct Edge<'t> {
    from: usize,
    to: Target,
    binding: &'t Binding,
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
        let mut edges = Vec::new();
        let mut bind = |to: fn(usize) -> Target, index, bindings: &'t [Binding]| {
            for binding in bindings {
                if let Some(from) = topology.exchange(&binding.exchange) {
                    edges.push(Edge {
                        from,
                        to: to(index),
                        binding,
                    });
                }
            }
        };
        for (index, queue) in topology.queues.iter().enumerate() {
            bind(Target::Queue, index, &queue.entity.bindings);
        }
        for (index, exchange) in topology.exchanges.iter().enumerate() {
            bind(Target::Exchange, index, &exchange.entity.bindings);
        }
        Self { topology, edges }
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
        let pattern = match &edge.binding.key {
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
        match self.topology.exchanges[edge.from].entity.kind {
            ExchangeKind::Direct => Keys::exactly(pattern),
            ExchangeKind::Topic => Keys::pattern(pattern),
            // A headers exchange that is bound without headers takes everything.
            ExchangeKind::Fanout | ExchangeKind::Headers | ExchangeKind::Custom(_) => Keys::all(),
        }
    }

    /// Follows a message, given which of the edges match it, as the broker does: an exchange's
    /// alternate is asked where none of its own bindings matches.
    fn walk(&self, start: usize, edges: &[&Edge<'t>], matched: &[bool]) -> Routes {
        let mut routes = Routes::default();
        let mut visited = BTreeSet::new();
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            if !visited.insert(at) {
                continue;
            }
            let exchange = &self.topology.exchanges[at].entity;
            if exchange.external || matches!(exchange.kind, ExchangeKind::Custom(_)) {
                routes.elsewhere = true;
            }
            let mut taken = false;
            for (edge, _) in edges
                .iter()
                .zip(matched)
                .filter(|(edge, matched)| edge.from == at && **matched)
            {
                taken = true;
                match edge.to {
                    Target::Queue(queue) => _ = routes.queues.insert(queue),
                    Target::Exchange(exchange) => open.push(exchange),
                }
            }
            if !taken {
                match &exchange.alternate {
                    None => _ = routes.stopped.insert(at),
                    Some(alternate) => match self.topology.exchange(alternate) {
                        Some(alternate) => open.push(alternate),
                        None => routes.elsewhere = true,
                    },
                }
            }
        }
        routes
    }
}

/// Whether a headers exchange takes a message over a binding. What is not known does not match.
fn headers_match(wanted: &HeaderMatch, headers: Headers<'_>) -> bool {
    let has = |wanted: &(String, Literal)| match headers {
        Headers::Known(headers) => headers.contains(wanted),
        Headers::Unknown => false,
    };
    if wanted.all {
        wanted.headers.iter().all(has)
    } else {
        wanted.headers.iter().any(has)
    }
}

#[cfg(test)]
mod tests;
