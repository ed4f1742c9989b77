//! Whether publishes and consumers can work, and each message of a queue has one consumer.

use std::collections::HashMap;

use super::Subject;
use crate::finding::{Entity, Finding, Part, Rule};
use crate::model::{Consume, QueueKind, Takes};
use crate::name::QueueName;

/// `publish-internal`: an internal exchange takes messages from exchanges only.
pub(super) fn check_publish_internal(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    for (index, publisher) in subject.contract.publishers.iter().enumerate() {
        for (at, publish) in publisher.publishes.iter().enumerate() {
            let exchange = subject.contract.exchange(&publish.exchange);
            if let Some(exchange) = exchange.filter(|exchange| exchange.internal) {
                found.push(Finding::new(
                    Rule::PublishInternal,
                    Entity::Publish(index, at).at(Part::Exchange),
                    format!("exchange `{}` is internal: RabbitMQ refuses what `{}` publishes", exchange.name, publish.method),
                    format!("leave `internal` out of `{}`, or publish to an exchange that it is bound to", exchange.label),
                ));
            }
        }
    }
}

/// `consumer-option`: an option of a queue's consumer stands on one of its handlers, is in range, and
/// does something.
pub(super) fn check_consumer_options(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    for (index, handlers) in subject.contract.handlers.iter().enumerate() {
        for (at, consumer) in handlers.consumers.iter().enumerate() {
            let entity = Entity::Consume(index, at);
            let earlier: Vec<&Consume> = handlers.consumers[..at]
                .iter()
                .filter(|earlier| earlier.queue == consumer.queue)
                .collect();
            for (option, is_set) in OPTIONS {
                let first = earlier.iter().find(|earlier| is_set(earlier));
                if let (Some(first), true) = (first, is_set(consumer)) {
                    found.push(Finding::new(
                        Rule::ConsumerOption,
                        entity.at(Part::Option(option)),
                        format!("`{option}` of queue `{}` stands on `{}` already", consumer.queue, first.method),
                        format!("the handlers of a queue share its consumer: leave `{option}` on one of them"),
                    ));
                }
            }
            let zeros = [
                ("concurrency", consumer.concurrency, "handles no message"),
                (
                    "prefetch",
                    consumer.prefetch,
                    "lets RabbitMQ send all messages at once",
                ),
            ];
            for (option, _, effect) in zeros.into_iter().filter(|(_, value, _)| *value == Some(0)) {
                found.push(Finding::new(
                    Rule::ConsumerOption,
                    entity.at(Part::Option(option)),
                    format!("`{option} = 0` on queue `{}` {effect}", consumer.queue),
                    format!("write `{option} = 1` or more"),
                ));
            }
            let queue = subject.contract.queue(&consumer.queue);
            if consumer.exclusive && queue.is_some_and(|queue| queue.kind == QueueKind::Quorum) {
                found.push(Finding::new(
                    Rule::ConsumerOption,
                    entity.at(Part::Option("exclusive")),
                    format!(
                        "RabbitMQ ignores `exclusive` on quorum queue `{}`",
                        consumer.queue
                    ),
                    "write `single_active_consumer` on the queue, or make it `classic`",
                ));
            }
        }
    }
}

type IsSet = fn(&Consume) -> bool;

/// The options of a consumer, and whether one is set.
const OPTIONS: [(&str, IsSet); 5] = [
    ("concurrency", |consumer| consumer.concurrency.is_some()),
    ("prefetch", |consumer| consumer.prefetch.is_some()),
    ("timeout", |consumer| consumer.timeout.is_some()),
    ("priority", |consumer| consumer.priority.is_some()),
    ("exclusive", |consumer| consumer.exclusive),
];

/// `duplicate-consumer`: within one group of handlers, one consumer for each message of a queue.
pub(super) fn check_duplicate_consumers(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    for (index, handlers) in subject.contract.handlers.iter().enumerate() {
        for (at, consumer) in handlers.consumers.iter().enumerate() {
            let earlier = handlers.consumers[..at].iter().find(|earlier| {
                earlier.queue == consumer.queue && overlap(&earlier.takes, &consumer.takes)
            });
            if let Some(earlier) = earlier {
                let what = match &consumer.takes {
                    Takes::Message(message) => format!("message `{message}`"),
                    Takes::Raw | Takes::DeadLetter => "what no other consumer takes".to_owned(),
                };
                found.push(Finding::new(
                    Rule::DuplicateConsumer,
                    Entity::Consume(index, at).at(Part::Message),
                    format!(
                        "`{}` and `{}` both take {what} from queue `{}`",
                        earlier.method, consumer.method, consumer.queue
                    ),
                    "keep one of them, or give each a queue of its own",
                ));
            }
        }
    }
}

fn overlap(a: &Takes, b: &Takes) -> bool {
    match (a, b) {
        (Takes::Message(a), Takes::Message(b)) => a == b,
        (Takes::Message(_), _) | (_, Takes::Message(_)) => false,
        _ => true,
    }
}

/// `queue-split`: a queue belongs to one group of handlers. Two services on one queue would each be
/// given messages that only the other takes, and dead-letter them.
pub(super) fn check_queue_split(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    let mut owners: HashMap<&QueueName, (usize, &str)> = HashMap::new();
    for (index, handlers) in subject.contract.handlers.iter().enumerate() {
        let mut said = Vec::new();
        for (at, consumer) in handlers.consumers.iter().enumerate() {
            let (owner, label) = *owners
                .entry(&consumer.queue)
                .or_insert((index, &handlers.label));
            if owner != index && !said.contains(&&consumer.queue) {
                said.push(&consumer.queue);
                found.push(Finding::new(
                    Rule::QueueSplit,
                    Entity::Consume(index, at).at(Part::Queue),
                    format!(
                        "queue `{}` is consumed by `{label}` and by `{}`: each would dead-letter what only the \
                         other takes",
                        consumer.queue, handlers.label
                    ),
                    format!("move the method to `{label}`, or bind a queue of its own for `{}`", handlers.label),
                ));
            }
        }
    }
}
