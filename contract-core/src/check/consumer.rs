//! Whether each message of a queue has one consumer that takes it.

use std::collections::HashMap;

use super::Subject;
use crate::finding::{Entity, Finding, Part, Rule};
use crate::model::Takes;
use crate::name::QueueName;

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
