use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::model::{Binding, Contract, Exchange, ExchangeKind, Queue};
use crate::name::{Pattern, QueueName};
use crate::topic::tests::{matches_by_definition, short_keys, text, word_list};
use crate::topology::Topology;

const EXCHANGES: usize = 3;

fn name(exchange: usize) -> ExchangeName {
    ExchangeName::new(format!("x{exchange}")).unwrap()
}

fn bindings() -> impl Strategy<Value = Vec<Binding>> {
    let binding = (0..EXCHANGES, word_list(&["a", "", "*", "#"], 2)).prop_map(|(exchange, key)| {
        let key = Pattern::new(text(&key)).unwrap();
        Binding::new(name(exchange), BindingKey::Pattern(key))
    });
    prop::collection::vec(binding, 0..3)
}

fn topologies() -> impl Strategy<Value = Topology> {
    // A direct exchange would know `*` as a word, which no short key has.
    let kind = select(vec![
        ExchangeKind::Topic,
        ExchangeKind::Topic,
        ExchangeKind::Fanout,
    ]);
    let exchange = (kind, option::of(0..EXCHANGES), bindings());
    let exchanges = prop::collection::vec(exchange, EXCHANGES);
    (exchanges, prop::collection::vec(bindings(), 2)).prop_map(|(exchanges, queues)| {
        let mut contract = Contract::new("c");
        for (index, (kind, alternate, bindings)) in exchanges.into_iter().enumerate() {
            let mut exchange = Exchange::new(name(index), kind);
            exchange.alternate = alternate.map(name);
            exchange.bindings = bindings;
            contract.exchanges.push(exchange);
        }
        for (index, bindings) in queues.into_iter().enumerate() {
            let mut queue = Queue::new(QueueName::new(format!("q{index}")).unwrap());
            queue.bindings = bindings;
            contract.queues.push(queue);
        }
        Topology::of(&contract).0
    })
}

fn length(unroutable: Option<&Unroutable>) -> Option<usize> {
    unroutable.map(|found| crate::topic::words(&found.key).count())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// What is answered about all keys at once is what each key by itself shows.
    #[test]
    fn an_answer_about_all_keys_is_that_of_each(
        topology in topologies(),
        pattern in word_list(&["a", "", "*", "#"], 2),
    ) {
        let router = Router::new(&topology);
        let (start, headers) = (name(0), Headers::Unknown);
        let routes: Vec<_> = short_keys()
            .iter()
            .map(|key| (key, router.routes(&start, &text(key), headers).unwrap()))
            .collect();
        let text = text(&pattern);
        let keys = Keys::pattern(&text);
        let of_pattern = || routes.iter().filter(|(key, _)| matches_by_definition(&pattern, key));

        let lost = of_pattern().find(|(_, routes)| !routes.reach_a_queue());
        let unroutable = router.unroutable(&start, &keys, headers).unwrap();
        prop_assert_eq!(length(unroutable.as_ref()), lost.map(|(key, _)| key.len()), "{:?}", &unroutable);
        if let Some(unroutable) = unroutable {
            prop_assert_eq!(unroutable.routes, router.routes(&start, &unroutable.key, headers).unwrap());
        }

        let takes = |key: &str| {
            let mut from_start = router.edges.iter().filter(|edge| edge.from == 0);
            from_start.any(|edge| router.keys(edge, headers).contain(key))
        };
        let passed = routes.iter().find(|(key, routes)| {
            !takes(&key.join(".")) && !routes.reach_a_queue()
        });
        let by_alternate = router.unroutable_by_alternate(&start).unwrap();
        prop_assert_eq!(length(by_alternate.as_ref()), passed.map(|(key, _)| key.len()), "{:?}", &by_alternate);

        for queue in 0..topology.queues.len() {
            let reaches = of_pattern().any(|(_, routes)| routes.queues.contains(&queue));
            prop_assert_eq!(router.can_reach(&start, &keys, headers, queue).unwrap(), reaches);
        }
    }
}

#[test]
fn what_cannot_be_told_names_the_patterns_that_make_it_so() {
    // A message has to pass all of them, one behind the other.
    let mut contract = Contract::new("c");
    for at in 0..8_usize {
        let mut exchange = Exchange::new(name(at), ExchangeKind::Topic);
        if at > 0 {
            let key = format!("#.a{at}{}", ".*".repeat(12));
            exchange.bindings = vec![Binding::new(
                name(at - 1),
                BindingKey::Pattern(Pattern::new(key).unwrap()),
            )];
        }
        contract.exchanges.push(exchange);
    }
    let mut queue = Queue::new(QueueName::literal("q"));
    for pattern in ["#._", "a.#"] {
        queue.bindings.push(Binding::new(
            name(7),
            BindingKey::Pattern(Pattern::literal(pattern)),
        ));
    }
    contract.queues.push(queue);
    let (topology, _) = Topology::of(&contract);
    let router = Router::new(&topology);
    let undecided = router
        .can_reach(&name(0), &Keys::all(), Headers::Unknown, 0)
        .unwrap_err();
    assert_eq!(undecided.bindings.len(), 8);
    assert_eq!(
        undecided.bindings[&0],
        BTreeSet::from([format!("#.a1{}", ".*".repeat(12))])
    );
    assert_eq!(undecided.bindings[&7], BTreeSet::from(["#._".to_owned()]));
}
