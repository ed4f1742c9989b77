//! What a contract is declared as.

use super::*;
use crate::millis::Millis;
use crate::model::{Backoff, DeadLetter, ExchangeKind, Retry, Schedule};
use crate::model::{
    Binding, BindingKey, Consume, DeadLetterOwner, DeliveryLimit, Exchange, Handlers, MessageRef,
    Overflow, Publish, PublishKey, Publisher, QueueKind, Takes,
};
use crate::name::{Pattern, RoutingKey};

fn exchange(name: &str) -> Exchange {
    Exchange::new(ExchangeName::new(name).unwrap(), ExchangeKind::Direct)
}

fn queue(name: &str, exchange: &str) -> Queue {
    let mut queue = Queue::new(QueueName::new(name).unwrap());
    queue.bindings = vec![Binding::new(
        ExchangeName::new(exchange).unwrap(),
        BindingKey::Pattern(Pattern::literal("k")),
    )];
    queue
}

fn shown(steps: &[Declaration]) -> Vec<String> {
    let show = |step: &Declaration| match step {
        Declaration::Exchange(exchange) => format!("exchange {}", exchange.name),
        Declaration::ExchangeExists(name) => format!("exchange {name}?"),
        Declaration::Queue(queue) => format!("queue {}", queue.name),
        Declaration::QueueExists(name) => format!("queue {name}?"),
        Declaration::Bind(bind) => format!("{} -> {:?}", bind.source, bind.destination),
    };
    steps.iter().map(show).collect()
}

fn two_services() -> Contract {
    let mut contract = Contract::new("c");
    contract.exchanges = vec![exchange("events"), exchange("dead"), exchange("theirs")];
    contract.exchanges[2].external = true;
    let mut mine = queue("mine", "events");
    mine.dead_letter = Some(DeadLetter::To {
        exchange: ExchangeName::literal("dead"),
        key: Some(RoutingKey::literal("k")),
        owner: DeadLetterOwner::Contract,
    });
    mine.retry = Retry::TtlBackoff(Backoff::new(Schedule::Delays(vec![Millis(10)])));
    contract.queues = vec![mine, queue("yours", "theirs"), queue("letters", "dead")];
    contract
}

#[test]
fn what_others_name_comes_first() {
    assert_eq!(
        shown(&declarations(&two_services(), &Scope::All)),
        [
            "exchange events",
            "exchange dead",
            "exchange theirs?",
            "queue yours",
            "queue letters",
            "queue mine",
            "queue mine.retry.v1.10ms",
            "events -> Queue(QueueName(\"mine\"))",
            "theirs -> Queue(QueueName(\"yours\"))",
            "dead -> Queue(QueueName(\"letters\"))",
        ]
    );
}

#[test]
fn a_service_declares_what_it_consumes_and_no_more() {
    let scope = Scope::Consuming(BTreeSet::from([QueueName::literal("mine")]));
    assert_eq!(
        shown(&declarations(&two_services(), &scope)),
        [
            "exchange events",
            "exchange dead",
            "queue letters",
            "queue mine",
            "queue mine.retry.v1.10ms",
            "events -> Queue(QueueName(\"mine\"))",
            "dead -> Queue(QueueName(\"letters\"))",
        ]
    );
}

/// A publisher's exchange leads by another to a queue that is consumed, by its alternate to one that is
/// not; others publish to the second exchange, and have a publisher and an exchange of their own.
fn published() -> Contract {
    let name = ExchangeName::literal;
    let from = |source| Binding::new(name(source), BindingKey::Pattern(Pattern::literal("k")));
    let mut contract = Contract::new("c");
    for of in ["mine", "hop", "spare", "yours", "aside"] {
        contract.exchanges.push(exchange(of));
    }
    contract.exchanges[0].alternate = Some(name("spare"));
    contract.exchanges[1].bindings = vec![from("mine"), from("yours")];
    // Of another key.
    let aside = BindingKey::Pattern(Pattern::literal("other"));
    contract.exchanges[4].bindings = vec![Binding::new(name("mine"), aside)];
    contract.queues = vec![
        queue("consumed", "hop"),
        queue("kept", "spare"),
        queue("theirs", "yours"),
        queue("besides", "aside"),
    ];
    contract.exchanges[2].kind = ExchangeKind::Fanout;
    contract.queues[1].dead_letter = Some(DeadLetter::Derived);
    let publish = |exchange| {
        let key = PublishKey::Fixed(RoutingKey::literal("k"));
        Publish::new("created", name(exchange), key, MessageRef::new("m", 1))
    };
    contract.publishers = vec![
        Publisher::new("Mine", vec![publish("mine")]),
        Publisher::new("Yours", vec![publish("yours")]),
    ];
    let consume = Consume::new("take", QueueName::literal("consumed"), Takes::Raw);
    contract.handlers = vec![Handlers::new("Takers", vec![consume])];
    contract
}

#[test]
fn a_publisher_declares_where_its_messages_go_and_no_more() {
    let scope = |label: &str| Scope::Publishing(BTreeSet::from([label.to_owned()]));
    let declared = |label| shown(&declarations(&published(), &scope(label)));
    assert_eq!(
        declared("Mine"),
        [
            "exchange mine",
            "exchange hop",
            "exchange spare",
            "exchange kept.dlx",
            "queue kept.dlq",
            "queue kept",
            "mine -> Exchange(ExchangeName(\"hop\"))",
            "spare -> Queue(QueueName(\"kept\"))",
            "kept.dlx -> Queue(QueueName(\"kept.dlq\"))",
        ]
    );
    assert_eq!(
        declared("Yours"),
        [
            "exchange hop",
            "exchange yours",
            "queue theirs",
            "yours -> Exchange(ExchangeName(\"hop\"))",
            "yours -> Queue(QueueName(\"theirs\"))",
        ]
    );
    assert!(declared("Nobody").is_empty());
}

#[test]
fn alternates_in_a_circle_are_declared_once() {
    let mut contract = published();
    contract.exchanges[2].alternate = Some(ExchangeName::literal("mine"));
    let scope = Scope::Publishing(BTreeSet::from(["Mine".to_owned()]));
    let exchanges = shown(&declarations(&contract, &scope));
    let count = exchanges.iter().filter(|one| *one == "exchange mine");
    assert_eq!(count.count(), 1);
}

fn argument(queue: &QueueDeclaration, name: &str) -> Option<Literal> {
    queue
        .arguments
        .iter()
        .find(|(argument, _)| argument == name)
        .map(|(_, value)| value.clone())
}

#[test]
fn type_and_limit_are_always_explicit() {
    let mut queue = queue("q", "x");
    let declared = declare_queue(&queue);
    assert_eq!(
        argument(&declared, "x-queue-type"),
        Some(Literal::Text("quorum".into()))
    );
    assert_eq!(
        argument(&declared, "x-delivery-limit"),
        Some(Literal::Int(0x7fff_ffff))
    );
    queue.dead_letter = Some(DeadLetter::Derived);
    assert_eq!(
        argument(&declare_queue(&queue), "x-delivery-limit"),
        Some(Literal::Int(120))
    );
    queue.delivery_limit = DeliveryLimit::Broker;
    assert_eq!(argument(&declare_queue(&queue), "x-delivery-limit"), None);
    queue.kind = QueueKind::Classic;
    queue.delivery_limit = DeliveryLimit::Default;
    assert_eq!(argument(&declare_queue(&queue), "x-delivery-limit"), None);
    assert_eq!(
        argument(&declare_queue(&queue), "x-dead-letter-strategy"),
        None
    );
}

#[test]
fn dead_letters_of_a_quorum_queue_wait_for_their_target() {
    let mut queue = queue("q", "x");
    queue.dead_letter = Some(DeadLetter::Derived);
    let strategy = |queue: &Queue| argument(&declare_queue(queue), "x-dead-letter-strategy");
    assert_eq!(
        strategy(&queue),
        Some(Literal::Text("at-least-once".into()))
    );
    queue.overflow = Overflow::DropHead;
    assert_eq!(strategy(&queue), None);
}

#[test]
fn a_policys_dead_letter_is_not_declared() {
    let mut queue = queue("q", "x");
    queue.dead_letter = Some(DeadLetter::To {
        exchange: ExchangeName::literal("dead"),
        key: Some(RoutingKey::literal("k")),
        owner: DeadLetterOwner::Policy,
    });
    let declared = declare_queue(&queue);
    for name in [
        "x-dead-letter-exchange",
        "x-dead-letter-routing-key",
        "x-dead-letter-strategy",
    ] {
        assert_eq!(argument(&declared, name), None);
    }
}

#[test]
fn a_mode_says_what_is_declared_and_what_compared() {
    let mut contract = two_services();
    let mut own = queue("own", "events");
    own.kind = QueueKind::Classic;
    own.exclusive = true;
    contract.queues.push(own);
    let under = |mode| -> Vec<(String, Treatment)> {
        let steps = steps(&contract, &Scope::All, mode);
        let declarations: Vec<Declaration> =
            steps.iter().map(|step| step.declaration.clone()).collect();
        let treatments = steps.iter().map(|step| step.treatment);
        shown(&declarations).into_iter().zip(treatments).collect()
    };
    let declared = |text: &str| (text.to_owned(), Treatment::Declare);
    let compared = |text: &str| (text.to_owned(), Treatment::Compare);
    let own = [
        declared("queue own"),
        declared("events -> Queue(QueueName(\"own\"))"),
    ];
    assert_eq!(under(TopologyMode::Trust), own);
    assert_eq!(
        under(TopologyMode::Verify),
        [
            compared("exchange events"),
            compared("exchange dead"),
            compared("exchange theirs?"),
            compared("queue yours"),
            compared("queue letters"),
            own[0].clone(),
            compared("queue mine"),
            compared("queue mine.retry.v1.10ms"),
            own[1].clone(),
        ]
    );
    let all = declarations(&contract, &Scope::All);
    let declared = under(TopologyMode::Declare);
    assert_eq!(declared.len(), all.len());
    assert!(declared.iter().all(|(_, done)| *done == Treatment::Declare));
}
