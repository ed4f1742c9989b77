//! Where a message gets to, given which bindings match it.

use std::collections::BTreeSet;

use super::Router;
use super::edge::{Edge, Target};
use crate::model::ExchangeKind;

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

impl<'t> Router<'t> {
    /// Follows a message, given which of the edges match it, as the broker does: an exchange's
    /// alternate is asked where none of its own bindings matches.
    pub(super) fn walk(&self, start: usize, edges: &[&Edge<'t>], matched: &[bool]) -> Routes {
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
