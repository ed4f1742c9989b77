//! What is asked of routing about all keys of a set at once.

use std::collections::{BTreeMap, BTreeSet};

use super::edge::{Edge, Target};
use super::{Headers, Router, Unroutable};
use crate::model::BindingKey;
use crate::name::ExchangeName;
use crate::topic::{self, Effect, Keys};

/// Whether every key gets through cannot be told: the patterns on the way are too entangled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undecided {
    /// The bindings that make it so: those with words behind a `#`, by their exchange's position in
    /// the topology.
    pub bindings: BTreeMap<usize, BTreeSet<String>>,
}

impl<'t> Router<'t> {
    /// A key of `keys` that reaches no queue when published to `exchange`; none if every key
    /// reaches one. An exchange that the topology does not have counts as somebody else's.
    ///
    /// # Errors
    ///
    /// [`Undecided`] if that cannot be told within bounds; so for the questions below.
    pub fn unroutable(
        &self,
        exchange: &ExchangeName,
        keys: &Keys<'_>,
        headers: Headers<'_>,
    ) -> Result<Option<Unroutable>, Undecided> {
        let Some(start) = self.topology.exchange(exchange) else {
            return Ok(None);
        };
        let question = self.question(start, headers, |edge| match edge.to {
            Target::Exchange(_) if self.has_alternate(edge) => Some(Effect::Either),
            Target::Queue(_) | Target::Exchange(_) => Some(Effect::ForIt),
        });
        let key = question.counterexample(keys, |matched| {
            self.walk(start, &question.edges, matched).reach_a_queue()
        })?;
        Ok(key.map(|key| Unroutable {
            routes: self.routes_of(start, &key, headers),
            key,
        }))
    }

    /// A key that `exchange` passes to its alternate and that reaches no queue there.
    ///
    /// # Errors
    ///
    /// [`Undecided`]
    pub fn unroutable_by_alternate(
        &self,
        exchange: &ExchangeName,
    ) -> Result<Option<Unroutable>, Undecided> {
        let Some(start) = self.topology.exchange(exchange) else {
            return Ok(None);
        };
        let question = self.question(start, Headers::Unknown, |edge| match edge.to {
            // What the exchange takes by itself is not asked about.
            _ if edge.from == start => Some(Effect::ForIt),
            Target::Exchange(_) if self.has_alternate(edge) => Some(Effect::Either),
            Target::Queue(_) | Target::Exchange(_) => Some(Effect::ForIt),
        });
        let is_kept = |matched: &[bool]| {
            let takes = |(edge, matched): (&&Edge<'_>, &bool)| edge.from == start && *matched;
            question.edges.iter().zip(matched).any(takes)
                || self.walk(start, &question.edges, matched).reach_a_queue()
        };
        let key = question.counterexample(&Keys::all(), is_kept)?;
        Ok(key.map(|key| Unroutable {
            routes: self.routes_of(start, &key, Headers::Unknown),
            key,
        }))
    }

    /// Whether some key of `keys` reaches the queue at this position when published to `exchange`.
    ///
    /// # Errors
    ///
    /// [`Undecided`]
    pub fn can_reach(
        &self,
        exchange: &ExchangeName,
        keys: &Keys<'_>,
        headers: Headers<'_>,
        queue: usize,
    ) -> Result<bool, Undecided> {
        let Some(start) = self.topology.exchange(exchange) else {
            return Ok(false);
        };
        let before = self.exchanges_before(queue);
        let question = self.question(start, headers, |edge| {
            let leads_there = match edge.to {
                Target::Queue(to) => to == queue,
                Target::Exchange(exchange) => before.contains(&exchange),
            };
            // What a match would keep from being asked.
            let alternate_leads_there = self
                .alternate(edge.from)
                .is_some_and(|alternate| before.contains(&alternate));
            match (leads_there, alternate_leads_there) {
                (true, true) if edge.to != Target::Queue(queue) => Some(Effect::Either),
                (true, _) => Some(Effect::Against),
                (false, true) => Some(Effect::ForIt),
                (false, false) => None,
            }
        });
        let misses = |matched: &[bool]| {
            !self
                .walk(start, &question.edges, matched)
                .queues
                .contains(&queue)
        };
        Ok(question.counterexample(keys, misses)?.is_some())
    }

    /// The exchanges by which messages from the one at `start` can come to the queue at `queue`, itself
    /// among them if they can at all; whatever their keys are.
    #[must_use]
    pub fn exchanges_between(&self, start: usize, queue: usize) -> BTreeSet<usize> {
        let behind = self.exchanges_behind(start);
        let mut between = self.exchanges_before(queue);
        between.retain(|exchange| behind.contains(exchange));
        between
    }

    /// What is asked about messages that start at `start`. Only edges that lead on from there matter,
    /// and of those the ones that have an effect.
    fn question(
        &self,
        start: usize,
        headers: Headers<'_>,
        effect: impl Fn(&Edge<'t>) -> Option<Effect>,
    ) -> Question<'_, 't> {
        let behind = self.exchanges_behind(start);
        let (edges, patterns) = self
            .edges
            .iter()
            .filter(|edge| behind.contains(&edge.from))
            .filter_map(|edge| Some((edge, (self.keys(edge, headers), effect(edge)?))))
            .unzip();
        Question { edges, patterns }
    }

    /// The exchanges that messages can come to from `start`, itself among them.
    fn exchanges_behind(&self, start: usize) -> BTreeSet<usize> {
        let mut behind = BTreeSet::new();
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            if !behind.insert(at) {
                continue;
            }
            let bound = self.edges.iter().filter(|edge| edge.from == at);
            open.extend(bound.filter_map(|edge| match edge.to {
                Target::Queue(_) => None,
                Target::Exchange(exchange) => Some(exchange),
            }));
            open.extend(self.alternate(at));
        }
        behind
    }

    /// The exchanges from which messages can come to this queue.
    fn exchanges_before(&self, queue: usize) -> BTreeSet<usize> {
        let leads = |edge: &&Edge<'t>| edge.to == Target::Queue(queue);
        let mut open: Vec<usize> = self
            .edges
            .iter()
            .filter(leads)
            .map(|edge| edge.from)
            .collect();
        let mut before = BTreeSet::new();
        while let Some(at) = open.pop() {
            if !before.insert(at) {
                continue;
            }
            let leads = |edge: &&Edge<'t>| edge.to == Target::Exchange(at);
            open.extend(self.edges.iter().filter(leads).map(|edge| edge.from));
            let exchanges = 0..self.topology.exchanges.len();
            open.extend(exchanges.filter(|exchange| self.alternate(*exchange) == Some(at)));
        }
        before
    }

    /// The alternate of an exchange, if the contract knows it.
    fn alternate(&self, exchange: usize) -> Option<usize> {
        let alternate = self.topology.exchanges[exchange].entity.alternate.as_ref();
        alternate.and_then(|alternate| self.topology.exchange(alternate))
    }

    /// Whether a match of this edge keeps an alternate from being asked.
    fn has_alternate(&self, edge: &Edge<'_>) -> bool {
        self.topology.exchanges[edge.from]
            .entity
            .alternate
            .is_some()
    }
}

/// The edges that matter to a question, and what each takes and does to it.
struct Question<'r, 't> {
    edges: Vec<&'r Edge<'t>>,
    patterns: Vec<(Keys<'t>, Effect)>,
}

impl Question<'_, '_> {
    fn counterexample(
        &self,
        keys: &Keys<'_>,
        holds: impl Fn(&[bool]) -> bool,
    ) -> Result<Option<String>, Undecided> {
        topic::counterexample(keys, &self.patterns, holds).map_err(|topic::Undecided| {
            let mut bindings: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
            for (edge, (keys, _)) in self.edges.iter().zip(&self.patterns) {
                if let (BindingKey::Pattern(pattern), true) =
                    (&edge.binding.key, keys.go_on_after_many())
                {
                    bindings
                        .entry(edge.from)
                        .or_default()
                        .insert(pattern.to_string());
                }
            }
            Undecided { bindings }
        })
    }
}

#[cfg(test)]
mod tests;
