//! What is declared on the broker: which entities, in which order, with which arguments.

use std::collections::BTreeSet;

use crate::dead_letter::dead_letter_target;
use crate::model::{
    Binding, BindingKey, Contract, DeadLetterOwner, DeliveryLimit, Exchange, Literal, Loss,
    Overflow, Queue, QueueKind,
};
use crate::name::{ExchangeName, QueueName};
use crate::retry::{Bucket, RetryPlan};
use crate::topology::Topology;

/// How often a quorum queue with a way out for its messages hands one out before the broker takes
/// that way by itself: above any retry policy, so that ours always acts first, and the same under
/// every policy, so that a changed policy never meets a queue with another argument. It ends a
/// message that crashes every process which touches it.
pub const DELIVERY_LIMIT: u32 = 120;

/// The limit of a quorum queue without a way out: reaching it would drop the message, so it cannot
/// be reached. (4.0 counts 20 where nothing is declared, and 3.10 takes -1 for 'at once'.)
pub const NO_DELIVERY_LIMIT: u32 = 0x7fff_ffff;

/// One step of declaring a contract. The steps stand in an order in which each finds what it needs.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Declaration {
    /// Declare an exchange.
    Exchange(ExchangeDeclaration),
    /// Check that an exchange exists that somebody else declares.
    ExchangeExists(ExchangeName),
    /// Declare a queue.
    Queue(QueueDeclaration),
    /// Check that a queue exists that somebody else declares.
    QueueExists(QueueName),
    /// Bind a queue or an exchange.
    Bind(BindDeclaration),
}

/// An exchange with its wire arguments.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ExchangeDeclaration {
    /// Its name.
    pub name: ExchangeName,
    /// Its type on the wire.
    pub kind: String,
    /// Whether it survives a restart.
    pub durable: bool,
    /// Whether it goes with its last binding.
    pub auto_delete: bool,
    /// Whether only exchanges may publish to it.
    pub internal: bool,
    /// Its arguments.
    pub arguments: Vec<(String, Literal)>,
}

/// A queue with its wire arguments.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct QueueDeclaration {
    /// Its name.
    pub name: QueueName,
    /// Whether it survives a restart.
    pub durable: bool,
    /// Whether it belongs to the connection that declares it.
    pub exclusive: bool,
    /// Whether it goes with its last consumer.
    pub auto_delete: bool,
    /// Its arguments.
    pub arguments: Vec<(String, Literal)>,
}

/// A binding with its wire arguments.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct BindDeclaration {
    /// Where the messages come from.
    pub source: ExchangeName,
    /// Where they go.
    pub destination: Destination,
    /// The binding key.
    pub key: String,
    /// The arguments: what a headers exchange matches.
    pub arguments: Vec<(String, Literal)>,
}

/// The bound end of a binding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// A queue.
    Queue(QueueName),
    /// An exchange.
    Exchange(ExchangeName),
}

/// How much of a contract a service declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// All of it.
    All,
    /// What consumers of these queues need: the queues with their retry buckets, the exchanges that
    /// feed them, and the way of their dead letters.
    Consuming(BTreeSet<QueueName>),
}

/// The steps that bring the contract, as far as `scope` goes, onto the broker.
///
/// Exchanges come first, then queues, those that others name as a dead letter before the queues
/// that name them, then bindings: no message can be routed into something half made.
#[must_use]
pub fn declarations(contract: &Contract, scope: &Scope) -> Vec<Declaration> {
    let (topology, _) = Topology::of(contract);
    let chosen = Chosen::new(&topology, scope);
    let mut steps = Vec::new();

    // An alternate exchange need not exist when another names it, so the order among exchanges
    // is free.
    for exchange in chosen.exchanges(&topology) {
        steps.push(if exchange.external {
            Declaration::ExchangeExists(exchange.name.clone())
        } else {
            Declaration::Exchange(declare_exchange(exchange))
        });
    }
    let (with, without): (Vec<&Queue>, Vec<&Queue>) = chosen
        .queues(&topology)
        .partition(|queue| queue.dead_letter.is_some());
    for queue in without.into_iter().chain(with) {
        steps.push(if queue.external {
            Declaration::QueueExists(queue.name.clone())
        } else {
            Declaration::Queue(declare_queue(queue))
        });
        if let Ok(plan) = RetryPlan::new(&queue.name, &queue.retry) {
            steps.extend(
                plan.buckets()
                    .iter()
                    .map(|bucket| Declaration::Queue(declare_bucket(queue, bucket))),
            );
        }
    }
    for exchange in chosen
        .exchanges(&topology)
        .filter(|exchange| !exchange.external)
    {
        let destination = Destination::Exchange(exchange.name.clone());
        steps.extend(
            exchange
                .bindings
                .iter()
                .map(|binding| bind(binding, &destination)),
        );
    }
    for queue in chosen.queues(&topology) {
        let destination = Destination::Queue(queue.name.clone());
        steps.extend(
            queue
                .bindings
                .iter()
                .map(|binding| bind(binding, &destination)),
        );
    }
    steps
}

/// The part of a topology that a scope covers, by position.
struct Chosen {
    exchanges: BTreeSet<usize>,
    queues: BTreeSet<usize>,
}

impl Chosen {
    fn new(topology: &Topology, scope: &Scope) -> Self {
        let Scope::Consuming(consumed) = scope else {
            return Self {
                exchanges: (0..topology.exchanges.len()).collect(),
                queues: (0..topology.queues.len()).collect(),
            };
        };
        let mut chosen = Self {
            exchanges: BTreeSet::new(),
            queues: BTreeSet::new(),
        };
        for (index, queue) in topology.queues.iter().enumerate() {
            if consumed.contains(&queue.entity.name) {
                chosen.add_queue(topology, index);
            }
        }
        chosen
    }

    /// A queue, what feeds it, and where its dead letters go.
    fn add_queue(&mut self, topology: &Topology, index: usize) {
        if !self.queues.insert(index) {
            return;
        }
        let queue = &topology.queues[index].entity;
        self.add_sources(topology, &queue.bindings);
        let Some(target) = dead_letter_target(queue) else {
            return;
        };
        let Some(exchange) = topology.exchange(&target.exchange) else {
            return;
        };
        self.add_exchange(topology, exchange);
        if target.owner == DeadLetterOwner::Contract {
            self.add_destinations(topology, &target.exchange);
        }
    }

    /// An exchange with its alternate and what feeds it.
    fn add_exchange(&mut self, topology: &Topology, index: usize) {
        if !self.exchanges.insert(index) {
            return;
        }
        let exchange = &topology.exchanges[index].entity;
        self.add_sources(topology, &exchange.bindings);
        if let Some(alternate) = exchange
            .alternate
            .as_ref()
            .and_then(|name| topology.exchange(name))
        {
            self.add_exchange(topology, alternate);
        }
    }

    fn add_sources(&mut self, topology: &Topology, bindings: &[Binding]) {
        for binding in bindings {
            if let Some(source) = topology.exchange(&binding.exchange) {
                self.add_exchange(topology, source);
            }
        }
    }

    /// Everything that is bound to a dead-letter exchange: nobody else declares it.
    fn add_destinations(&mut self, topology: &Topology, source: &ExchangeName) {
        let from =
            |bindings: &[Binding]| bindings.iter().any(|binding| binding.exchange == *source);
        for (index, queue) in topology.queues.iter().enumerate() {
            if from(&queue.entity.bindings) {
                self.add_queue(topology, index);
            }
        }
        for (index, exchange) in topology.exchanges.iter().enumerate() {
            if from(&exchange.entity.bindings) && !self.exchanges.contains(&index) {
                self.add_exchange(topology, index);
                self.add_destinations(topology, &exchange.entity.name);
            }
        }
    }

    fn exchanges<'t>(&self, topology: &'t Topology) -> impl Iterator<Item = &'t Exchange> {
        self.exchanges
            .iter()
            .map(|index| &topology.exchanges[*index].entity)
    }

    fn queues<'t>(&self, topology: &'t Topology) -> impl Iterator<Item = &'t Queue> {
        self.queues
            .iter()
            .map(|index| &topology.queues[*index].entity)
    }
}

/// The wire form of an exchange.
#[must_use]
pub fn declare_exchange(exchange: &Exchange) -> ExchangeDeclaration {
    let mut arguments = Arguments::default();
    if let Some(alternate) = &exchange.alternate {
        arguments.text("alternate-exchange", alternate.as_str());
    }
    arguments.raw(&exchange.arguments);
    ExchangeDeclaration {
        name: exchange.name.clone(),
        kind: exchange.kind.as_str().to_owned(),
        durable: exchange.durable,
        auto_delete: exchange.auto_delete,
        internal: exchange.internal,
        arguments: arguments.0,
    }
}

/// The wire form of a queue. The type and the delivery limit are always explicit: their defaults
/// differ between versions, virtual hosts and configurations.
#[must_use]
pub fn declare_queue(queue: &Queue) -> QueueDeclaration {
    let mut arguments = Arguments::default();
    arguments.text("x-queue-type", queue.kind.as_str());
    arguments.text("x-overflow", overflow(queue.overflow));
    let declares_dead_letter = dead_letter_target(queue)
        .filter(|target| target.owner != DeadLetterOwner::Policy)
        .inspect(|target| {
            arguments.text("x-dead-letter-exchange", target.exchange.as_str());
            if let Some(key) = &target.key {
                arguments.text("x-dead-letter-routing-key", key.as_str());
            }
        })
        .is_some();
    if queue.kind == QueueKind::Quorum {
        // At-least-once asks for reject-publish; under drop-head the broker would take it without a
        // word and forget it.
        if declares_dead_letter && queue.overflow == Overflow::RejectPublish {
            arguments.text("x-dead-letter-strategy", "at-least-once");
        }
        if let Some(limit) = delivery_limit(queue) {
            arguments.int("x-delivery-limit", i64::from(limit));
        }
    }
    if let Some(ttl) = queue.message_ttl {
        arguments.int("x-message-ttl", int(ttl.0));
    }
    if let Some(expires) = queue.expires {
        arguments.int("x-expires", int(expires.0));
    }
    if let Some(length) = queue.max_length {
        arguments.int("x-max-length", i64::from(length));
    }
    if let Some(bytes) = queue.max_length_bytes {
        arguments.int("x-max-length-bytes", int(bytes));
    }
    if queue.single_active_consumer {
        arguments
            .0
            .push(("x-single-active-consumer".to_owned(), Literal::Bool(true)));
    }
    if let Some(priority) = queue.max_priority {
        arguments.int("x-max-priority", i64::from(priority));
    }
    arguments.raw(&queue.arguments);
    QueueDeclaration {
        name: queue.name.clone(),
        durable: queue.durable,
        exclusive: queue.exclusive,
        auto_delete: queue.auto_delete,
        arguments: arguments.0,
    }
}

/// The limit that a quorum queue declares; none where the author leaves it to the broker.
#[must_use]
pub fn delivery_limit(queue: &Queue) -> Option<u32> {
    match queue.delivery_limit {
        DeliveryLimit::Count(limit) => Some(limit),
        DeliveryLimit::Broker => None,
        DeliveryLimit::Default
            if queue.dead_letter.is_some() || queue.lossy.contains(&Loss::Poison) =>
        {
            Some(DELIVERY_LIMIT)
        }
        DeliveryLimit::Default => Some(NO_DELIVERY_LIMIT),
    }
}

/// The wire form of a retry bucket: whatever happens to it, its messages go back to `queue`.
#[must_use]
pub fn declare_bucket(queue: &Queue, bucket: &Bucket) -> QueueDeclaration {
    let mut arguments = Arguments::default();
    arguments.text("x-queue-type", QueueKind::Quorum.as_str());
    arguments.text("x-overflow", overflow(Overflow::RejectPublish));
    arguments.text("x-dead-letter-exchange", "");
    arguments.text("x-dead-letter-routing-key", queue.name.as_str());
    arguments.text("x-dead-letter-strategy", "at-least-once");
    arguments.int("x-delivery-limit", i64::from(NO_DELIVERY_LIMIT));
    arguments.int("x-message-ttl", int(bucket.delay.0));
    if let Some(length) = bucket.max_length {
        arguments.int("x-max-length", i64::from(length));
    }
    QueueDeclaration {
        name: bucket.name.clone(),
        durable: true,
        exclusive: false,
        auto_delete: false,
        arguments: arguments.0,
    }
}

fn overflow(overflow: Overflow) -> &'static str {
    match overflow {
        Overflow::RejectPublish => "reject-publish",
        Overflow::DropHead => "drop-head",
    }
}

fn bind(binding: &Binding, destination: &Destination) -> Declaration {
    let (key, arguments) = match &binding.key {
        BindingKey::None => (String::new(), Vec::new()),
        BindingKey::Pattern(pattern) => (pattern.to_string(), Vec::new()),
        BindingKey::Headers(wanted) => {
            let mut arguments = Arguments::default();
            arguments.text("x-match", if wanted.all { "all" } else { "any" });
            arguments.0.extend(wanted.headers.iter().cloned());
            (String::new(), arguments.0)
        }
    };
    Declaration::Bind(BindDeclaration {
        source: binding.exchange.clone(),
        destination: destination.clone(),
        key,
        arguments,
    })
}

#[derive(Default)]
struct Arguments(Vec<(String, Literal)>);

impl Arguments {
    fn text(&mut self, name: &str, value: &str) {
        self.0
            .push((name.to_owned(), Literal::Text(value.to_owned())));
    }

    fn int(&mut self, name: &str, value: i64) {
        self.0.push((name.to_owned(), Literal::Int(value)));
    }

    fn raw(&mut self, arguments: &[crate::model::Argument]) {
        self.0.extend(
            arguments
                .iter()
                .map(|argument| (argument.name.clone(), argument.value.clone())),
        );
    }
}

/// What RabbitMQ counts fits an i64 by far; more than that is its largest.
fn int(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::millis::Millis;
    use crate::model::{Backoff, DeadLetter, ExchangeKind, Retry, Schedule};
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
}
