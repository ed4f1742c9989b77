//! Whether a message can be lost in silence.

use super::Subject;
use crate::finding::{Entity, Finding, Part, Rule};
use crate::model::{BindingKey, DeadLetterOwner, Loss, PublishKey, Queue, Retry};
use crate::route::{Headers, Routes, Unroutable};
use crate::topic::Keys;
use crate::topology::{dead_letter_target, gives_up_messages};

/// `publisher-unroutable`: every key that a publisher uses reaches a queue.
pub(super) fn check_publishers(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    for (index, publisher) in subject.contract.publishers.iter().enumerate() {
        for (at, publish) in publisher.publishes.iter().enumerate() {
            if publish.external || publish.lossy_unroutable {
                continue;
            }
            let PublishKey::Fixed(key) = &publish.key;
            let headers = Headers::Known(&publish.headers);
            let Some(lost) =
                subject
                    .router
                    .unroutable(&publish.exchange, &Keys::exactly(key.as_str()), headers)
            else {
                continue;
            };
            let label = label_of(subject, &lost.routes);
            found.push(
                Finding::new(
                    Rule::PublisherUnroutable,
                    Entity::Publish(index, at).at(Part::Exchange),
                    format!(
                        "messages published by `{}` with key \"{}\" reach no queue",
                        publish.method, lost.key
                    ),
                    format!(
                        "bind a queue to `{label}` with key \"{}\", mark the publish `external` if another \
                         contract binds it, or sign for the loss with `lossy(unroutable)`",
                        lost.key
                    ),
                )
                .with_facts(stops(subject, &lost.routes)),
            );
        }
    }
}

/// `poison-loss`: a message that cannot be handled has somewhere to go.
pub(super) fn check_poison(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    for (index, queue) in subject.contract.queues.iter().enumerate() {
        let is_safe = queue.dead_letter.is_some() || queue.lossy.contains(&Loss::Poison);
        if is_safe || !gives_up_messages(subject.contract.consumers_of(&queue.name)) {
            continue;
        }
        let label = &queue.label;
        found.push(Finding::new(
            Rule::PoisonLoss,
            Entity::Queue(index).at(Part::Whole),
            format!(
                "a message of queue `{}` that cannot be handled has nowhere to go",
                queue.name
            ),
            format!("add `dead_letter` to `{label}`, or sign for the loss with `lossy(poison)`"),
        ));
    }
}

/// `dead-letter-unroutable`: dead letters reach a queue, whichever key they carry.
pub(super) fn check_dead_letters(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    for (index, queue) in subject.contract.queues.iter().enumerate() {
        let Some(target) = dead_letter_target(queue) else {
            continue;
        };
        if target.owner != DeadLetterOwner::Contract {
            continue;
        }
        let unroutable = |keys: &Keys<'_>| {
            subject
                .router
                .unroutable(&target.exchange, keys, Headers::Unknown)
        };
        let lost = match &target.key {
            Some(key) => unroutable(&Keys::exactly(key.as_str())).map(|lost| (lost, KeyIs::Set)),
            None => kept_keys(queue)
                .into_iter()
                .find_map(|(keys, why)| Some((unroutable(&keys)?, why))),
        };
        let Some((Unroutable { key, routes }, why)) = lost else {
            continue;
        };
        let label = label_of(subject, &routes);
        let (queue, reason) = (&queue.name, why.reason(&key));
        found.push(
            Finding::new(
                Rule::DeadLetterUnroutable,
                Entity::Queue(index).at(Part::DeadLetter),
                format!("messages dead-lettered by queue `{queue}` reach no queue"),
                format!("bind a queue to `{label}` with key \"{key}\", or mark the dead letter `external`"),
            )
            .with_facts(reason)
            .with_facts(stops(subject, &routes)),
        );
    }
}

/// Where the key of a dead letter comes from.
#[derive(Clone, Copy)]
enum KeyIs {
    Set,
    Kept,
    QueueName,
}

impl KeyIs {
    fn reason(self, key: &str) -> Option<String> {
        match self {
            Self::Set => None,
            Self::Kept => Some(format!(
                "a dead letter keeps its routing key, such as \"{key}\""
            )),
            Self::QueueName => Some(format!(
                "after a retry the broker's own dead letters carry the key \"{key}\""
            )),
        }
    }
}

/// The keys that dead letters carry where none is set: those that the queue is bound with, and
/// after a retry, which comes through the default exchange, the queue's name.
fn kept_keys(queue: &Queue) -> Vec<(Keys<'_>, KeyIs)> {
    let mut keys: Vec<(Keys<'_>, KeyIs)> = queue
        .bindings
        .iter()
        .map(|binding| match &binding.key {
            BindingKey::Pattern(pattern) => (Keys::pattern(pattern.as_str()), KeyIs::Kept),
            BindingKey::None | BindingKey::Headers(_) => (Keys::all(), KeyIs::Kept),
        })
        .collect();
    if queue.retry != Retry::None {
        keys.push((Keys::exactly(queue.name.as_str()), KeyIs::QueueName));
    }
    keys
}

/// What the author calls the exchange at which a message stopped.
fn label_of<'s>(subject: &'s Subject<'_>, routes: &Routes) -> &'s str {
    let stopped = routes
        .stopped
        .first()
        .map(|at| &subject.topology.exchanges[*at].entity);
    stopped.map_or("", |exchange| &exchange.label)
}

/// A line for each exchange at which a message stopped: what it would have taken.
fn stops(subject: &Subject<'_>, routes: &Routes) -> Vec<String> {
    let stop = |at: &usize| {
        let exchange = &subject.topology.exchanges[*at].entity;
        let keys: Vec<String> = subject
            .router
            .bindings_from(*at)
            .map(|binding| match &binding.key {
                BindingKey::Pattern(pattern) => format!("\"{pattern}\""),
                BindingKey::None => "\"\"".to_owned(),
                BindingKey::Headers(_) => "by headers".to_owned(),
            })
            .collect();
        let (name, kind) = (&exchange.name, exchange.kind.as_str());
        if keys.is_empty() {
            format!("exchange `{name}` ({kind}) has no bindings")
        } else {
            format!(
                "exchange `{name}` ({kind}) has bindings: {}",
                keys.join(", ")
            )
        }
    };
    routes.stopped.iter().map(stop).collect()
}
