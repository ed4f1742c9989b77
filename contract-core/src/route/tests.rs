use std::collections::BTreeSet;

use super::*;
use crate::model::{BindingKey, Contract, Exchange, ExchangeKind, HeaderMatch, Literal, Queue};
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
        router
            .unroutable(
                &ExchangeName::literal("x"),
                &Keys::pattern(keys),
                Headers::Known(&[]),
            )
            .expect("few states")
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
            Ok(None)
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
