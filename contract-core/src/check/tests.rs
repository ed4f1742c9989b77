//! For each rule the smallest contract that breaks it, and its mended twin.

// `UPDATE_EXPECT=1` writes the expected texts, with hashes.
#![allow(clippy::needless_raw_string_hashes)]
#![allow(
    clippy::needless_pass_by_value,
    clippy::semicolon_if_nothing_returned,
    clippy::unnecessary_wraps
)]

mod argument;
mod binding;
mod consumer;
mod dead_letter;
mod exchange;
mod loss;
mod name;
mod publisher;
mod queue;
mod reference;
mod retry;

use expect_test::{Expect, expect};

use super::check;
use crate::Millis;
use crate::key::KeyTemplate;
use crate::model::{
    Argument, Backoff, Binding, BindingKey, Consume, Contract, DeadLetter, DeadLetterOwner,
    DeliveryLimit, Exchange, ExchangeKind, Handlers, Literal, Loss, Message, MessageRef, Overflow,
    Publish, PublishKey, Publisher, Queue, QueueKind, Retry, Schedule, Takes,
};
use crate::name::{ExchangeName, Pattern, QueueName, RoutingKey};

fn exchange(name: &str, kind: ExchangeKind) -> Exchange {
    Exchange::new(ExchangeName::new(name).unwrap(), kind)
}

fn bind(exchange: &str, key: &str) -> Binding {
    Binding::new(
        ExchangeName::new(exchange).unwrap(),
        BindingKey::Pattern(Pattern::new(key).unwrap()),
    )
}

fn queue(name: &str, bindings: Vec<Binding>) -> Queue {
    let mut queue = Queue::new(QueueName::new(name).unwrap());
    queue.bindings = bindings;
    queue
}

fn dead_letter(exchange: &str, key: Option<&str>) -> Option<DeadLetter> {
    Some(DeadLetter::To {
        exchange: ExchangeName::new(exchange).unwrap(),
        key: key.map(|key| RoutingKey::new(key).unwrap()),
        owner: DeadLetterOwner::Contract,
    })
}

fn takes(message: &str) -> Takes {
    Takes::Message(MessageRef::new(message, 1))
}

fn consume(method: &str, queue: &str, takes: Takes) -> Consume {
    Consume::new(method, QueueName::new(queue).unwrap(), takes)
}

fn publish(method: &str, exchange: &str, key: &str) -> Publish {
    let key = PublishKey::Fixed(RoutingKey::new(key).unwrap());
    Publish::new(
        method,
        ExchangeName::new(exchange).unwrap(),
        key,
        MessageRef::new("order.created", 1),
    )
}

/// One exchange, one queue with a derived dead letter, one message published and consumed: works.
fn orders() -> Contract {
    let mut contract = Contract::new("orders");
    contract.exchanges = vec![exchange("orders", ExchangeKind::Topic)];
    contract.queues = vec![queue("processing", vec![bind("orders", "order.created")])];
    contract.queues[0].dead_letter = Some(DeadLetter::Derived);
    contract.messages = vec![Message::new("order.created")];
    contract.publishers = vec![Publisher::new(
        "Events",
        vec![publish("order_created", "orders", "order.created")],
    )];
    let consumers = vec![consume("process", "processing", takes("order.created"))];
    contract.handlers = vec![Handlers::new("OrderHandlers", consumers)];
    contract
}

/// `broken` breaks what works, `mended` mends that in the way that the finding's help says.
fn breaks(broken: impl Fn(&mut Contract), said: Expect, mended: impl Fn(&mut Contract)) {
    let mut contract = orders();
    broken(&mut contract);
    let findings: Vec<String> = check(&contract).iter().map(ToString::to_string).collect();
    said.assert_eq(&findings.join("\n\n"));
    mended(&mut contract);
    assert_eq!(check(&contract), []);
}

#[test]
fn the_smallest_contract_works() {
    assert_eq!(check(&orders()), []);
    assert_eq!(check(&Contract::new("empty")), []);
}

#[test]
fn every_rule_has_an_id_of_its_own_in_kebab_case() {
    use crate::finding::Rule;
    let mut ids: Vec<&str> = Rule::ALL.iter().map(|rule| rule.id()).collect();
    assert!(
        ids.iter()
            .all(|id| id.chars().all(|c| c.is_ascii_lowercase() || c == '-'))
    );
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), Rule::ALL.len());
}
