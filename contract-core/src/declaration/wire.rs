//! The wire form of each entity: its flags and arguments.

use super::{
    BindDeclaration, DELIVERY_LIMIT, Declaration, Destination, ExchangeDeclaration,
    NO_DELIVERY_LIMIT, QueueDeclaration,
};
use crate::dead_letter::dead_letter_target;
use crate::model::{
    Argument, Binding, BindingKey, DeadLetterOwner, DeliveryLimit, Exchange, Literal, Loss,
    Overflow, Queue, QueueKind,
};
use crate::retry::Bucket;

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

pub(super) fn bind(binding: &Binding, destination: &Destination) -> Declaration {
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

    fn raw(&mut self, arguments: &[Argument]) {
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
