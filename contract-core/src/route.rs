//! Where a message goes: over any number of exchanges, their bindings and alternates.

use std::collections::BTreeSet;

use crate::model::{Binding, BindingKey, ExchangeKind, HeaderMatch, Literal};
use crate::name::ExchangeName;
use crate::topic::{Keys, counterexample};
use crate::topology::Topology;

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

    /// A key of `keys` that reaches no queue when published to `exchange`; none if every key
    /// reaches one. An exchange that the topology does not have counts as somebody else's.
    #[must_use]
    pub fn unroutable(
        &self,
        exchange: &ExchangeName,
        keys: &Keys<'_>,
        headers: Headers<'_>,
    ) -> Option<Unroutable> {
        let start = self.topology.exchange(exchange)?;
        let patterns = self.patterns(headers);
        let key = counterexample(keys, &patterns, |matched| {
            self.walk(start, matched).reach_a_queue()
        })?;
        let routes = self.routes_of(start, &key, &patterns);
        Some(Unroutable { key, routes })
    }

    /// A key that `exchange` passes to its alternate and that reaches no queue there.
    #[must_use]
    pub fn unroutable_by_alternate(&self, exchange: &ExchangeName) -> Option<Unroutable> {
        let start = self.topology.exchange(exchange)?;
        let patterns = self.patterns(Headers::Unknown);
        let is_kept = |matched: &[bool]| {
            let takes = |(edge, matched): (&Edge<'_>, &bool)| edge.from == start && *matched;
            self.edges.iter().zip(matched).any(takes) || self.walk(start, matched).reach_a_queue()
        };
        let key = counterexample(&Keys::all(), &patterns, is_kept)?;
        let routes = self.routes_of(start, &key, &patterns);
        Some(Unroutable { key, routes })
    }

    /// Whether some key of `keys` reaches the queue at this position when published to `exchange`.
    #[must_use]
    pub fn can_reach(
        &self,
        exchange: &ExchangeName,
        keys: &Keys<'_>,
        headers: Headers<'_>,
        queue: usize,
    ) -> bool {
        let Some(start) = self.topology.exchange(exchange) else {
            return false;
        };
        let patterns = self.patterns(headers);
        let misses = |matched: &[bool]| !self.walk(start, matched).queues.contains(&queue);
        counterexample(keys, &patterns, misses).is_some()
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
        let patterns = self.patterns(headers);
        Some(self.routes_of(start, key, &patterns))
    }

    fn routes_of(&self, start: usize, key: &str, patterns: &[Keys<'_>]) -> Routes {
        let matched: Vec<bool> = patterns
            .iter()
            .map(|pattern| pattern.contain(key))
            .collect();
        self.walk(start, &matched)
    }

    /// The bindings from this exchange, as its bound things name them.
    pub fn bindings_from(&self, exchange: usize) -> impl Iterator<Item = &'t Binding> {
        self.edges
            .iter()
            .filter(move |edge| edge.from == exchange)
            .map(|edge| edge.binding)
    }

    /// The keys that each edge takes.
    fn patterns(&self, headers: Headers<'_>) -> Vec<Keys<'t>> {
        self.edges
            .iter()
            .map(|edge| self.keys(edge, headers))
            .collect()
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

    /// Follows a message, given which edges match it, as the broker does: an exchange's alternate
    /// is asked where none of its own bindings matches.
    fn walk(&self, start: usize, matched: &[bool]) -> Routes {
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
            for (edge, _) in self
                .edges
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
mod tests {
    use super::*;
    use crate::model::{Contract, Exchange, Queue};
    use crate::name::{Pattern, QueueName};

    fn exchange(name: &str, kind: ExchangeKind) -> Exchange {
        Exchange::new(ExchangeName::new(name).unwrap(), kind)
    }

    fn binding(exchange: &str, key: &str) -> Binding {
        Binding::new(
            ExchangeName::new(exchange).unwrap(),
            BindingKey::Pattern(Pattern::new(key).unwrap()),
        )
    }

    fn queue(name: &str, bindings: &[(&str, &str)]) -> Queue {
        let mut queue = Queue::new(QueueName::new(name).unwrap());
        queue.bindings = bindings
            .iter()
            .map(|(exchange, key)| binding(exchange, key))
            .collect();
        queue
    }

    fn contract(exchanges: Vec<Exchange>, queues: Vec<Queue>) -> Topology {
        let mut contract = Contract::new("c");
        contract.exchanges = exchanges;
        contract.queues = queues;
        Topology::of(&contract).0
    }

    fn reached(topology: &Topology, exchange: &str, key: &str) -> Vec<String> {
        let exchange = ExchangeName::new(exchange).unwrap();
        let routes = Router::new(topology)
            .routes(&exchange, key, Headers::Known(&[]))
            .unwrap();
        routes
            .queues
            .iter()
            .map(|queue| topology.queues[*queue].entity.name.to_string())
            .collect()
    }

    #[test]
    fn each_kind_reads_a_key_in_its_own_way() {
        let topology = contract(
            vec![
                exchange("topic", ExchangeKind::Topic),
                exchange("direct", ExchangeKind::Direct),
                exchange("fanout", ExchangeKind::Fanout),
            ],
            vec![queue(
                "q",
                &[("topic", "a.*"), ("direct", "a.*"), ("fanout", "")],
            )],
        );
        assert_eq!(reached(&topology, "topic", "a.b"), ["q"]);
        assert!(reached(&topology, "direct", "a.b").is_empty());
        assert_eq!(reached(&topology, "direct", "a.*"), ["q"]);
        assert_eq!(reached(&topology, "fanout", "any.thing"), ["q"]);
    }

    #[test]
    fn hops_and_circles_are_followed_once() {
        let mut second = exchange("second", ExchangeKind::Topic);
        second.bindings = vec![binding("first", "a.#")];
        let mut first = exchange("first", ExchangeKind::Topic);
        first.bindings = vec![binding("second", "#")];
        let topology = contract(vec![first, second], vec![queue("q", &[("second", "*.b")])]);
        assert_eq!(reached(&topology, "first", "a.b"), ["q"]);
        assert!(reached(&topology, "first", "a.c").is_empty());
        assert!(reached(&topology, "first", "b.b").is_empty());
    }

    #[test]
    fn an_alternate_is_asked_where_no_binding_matches() {
        let mut main = exchange("main", ExchangeKind::Direct);
        main.alternate = Some(ExchangeName::literal("rest"));
        let mut dead_end = exchange("dead-end", ExchangeKind::Fanout);
        dead_end.bindings = vec![binding("main", "lost")];
        let topology = contract(
            vec![main, exchange("rest", ExchangeKind::Fanout), dead_end],
            vec![
                queue("known", &[("main", "known")]),
                queue("rest", &[("rest", "")]),
            ],
        );
        assert_eq!(reached(&topology, "main", "known"), ["known"]);
        assert_eq!(reached(&topology, "main", "other"), ["rest"]);
        // A binding that matches but leads nowhere keeps the alternate from being asked.
        assert!(reached(&topology, "main", "lost").is_empty());
    }

    #[test]
    fn a_pattern_of_keys_is_routable_if_each_of_them_is() {
        let topology = contract(
            vec![exchange("x", ExchangeKind::Topic)],
            vec![
                queue("one", &[("x", "a")]),
                queue("more", &[("x", "a.*.#")]),
            ],
        );
        let router = Router::new(&topology);
        let unroutable = |keys: &'static str| {
            router.unroutable(
                &ExchangeName::literal("x"),
                &Keys::pattern(keys),
                Headers::Known(&[]),
            )
        };
        assert_eq!(unroutable("a.#"), None);
        let found = unroutable("*.b").expect("b is bound nowhere");
        assert_eq!(found.key, "_.b");
        assert_eq!(found.routes.stopped, BTreeSet::from([0]));
    }

    #[test]
    fn what_somebody_else_binds_is_routable() {
        let mut external = exchange("theirs", ExchangeKind::Topic);
        external.external = true;
        let topology = contract(
            vec![
                external,
                exchange("x", ExchangeKind::Custom("x-delayed".into())),
            ],
            vec![],
        );
        let router = Router::new(&topology);
        for name in ["theirs", "x", "unknown"] {
            let name = ExchangeName::new(name).unwrap();
            assert_eq!(
                router.unroutable(&name, &Keys::exactly("k"), Headers::Known(&[])),
                None
            );
        }
    }

    #[test]
    fn headers_match_all_or_any() {
        let header = |name: &str, value: &str| (name.to_owned(), Literal::Text(value.to_owned()));
        let bound = |all| {
            let mut queue = queue("q", &[]);
            queue.bindings = vec![Binding::new(
                ExchangeName::literal("h"),
                BindingKey::Headers(HeaderMatch::new(
                    all,
                    vec![header("a", "1"), header("b", "2")],
                )),
            )];
            contract(vec![exchange("h", ExchangeKind::Headers)], vec![queue])
        };
        let reached = |all, headers: Headers<'_>| {
            let topology = bound(all);
            let routes = Router::new(&topology)
                .routes(&ExchangeName::literal("h"), "", headers)
                .unwrap();
            routes.reach_a_queue()
        };
        let one = [header("a", "1")];
        let both = [header("b", "2"), header("a", "1")];
        assert!(reached(true, Headers::Known(&both)));
        assert!(!reached(true, Headers::Known(&one)));
        assert!(reached(false, Headers::Known(&one)));
        assert!(!reached(false, Headers::Unknown));
    }
}
