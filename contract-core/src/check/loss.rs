//! Whether a message can be lost in silence.

use super::Subject;
use crate::dead_letter::{KeyOrigin, dead_letter_keys, dead_letter_target, gives_up_messages};
use crate::finding::{Entity, Finding, Part, Rule};
use crate::model::{BindingKey, DeadLetterOwner, Loss, PublishKey};
use crate::route::{Headers, Routes, Unroutable};

/// `publisher-unroutable`: every key that a publisher uses reaches a queue.
pub(super) fn check_publishers(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    for (index, publisher) in subject.contract.publishers.iter().enumerate() {
        for (at, publish) in publisher.publishes.iter().enumerate() {
            if publish.external || publish.lossy_unroutable {
                continue;
            }
            let headers = Headers::Known(&publish.headers);
            let Some(Unroutable { key, routes }) =
                subject
                    .router
                    .unroutable(&publish.exchange, &publish.key.keys(), headers)
            else {
                continue;
            };
            let label = label_of(subject, &routes);
            let example = match publish.key {
                PublishKey::Fixed(_) => None,
                PublishKey::Template(_) => Some(format!("such as \"{key}\"")),
            };
            found.push(
                Finding::new(
                    Rule::PublisherUnroutable,
                    Entity::Publish(index, at).at(Part::Exchange),
                    format!(
                        "messages published by `{}` with key \"{}\" reach no queue",
                        publish.method, publish.key
                    ),
                    format!(
                        "bind a queue to `{label}` with key \"{}\", mark the publish `external` if another \
                         contract binds it, or sign for the loss with `lossy(unroutable)`",
                        binding_key(&key)
                    ),
                )
                .with_facts(example)
                .with_facts(stops(subject, &routes)),
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
        let lost = dead_letter_keys(queue, &target)
            .into_iter()
            .find_map(|(keys, origin)| {
                Some((
                    subject
                        .router
                        .unroutable(&target.exchange, &keys, Headers::Unknown)?,
                    origin,
                ))
            });
        let Some((Unroutable { key, routes }, origin)) = lost else {
            continue;
        };
        let label = label_of(subject, &routes);
        found.push(
            Finding::new(
                Rule::DeadLetterUnroutable,
                Entity::Queue(index).at(Part::DeadLetter),
                format!(
                    "messages dead-lettered by queue `{}` reach no queue",
                    queue.name
                ),
                format!(
                    "bind a queue to `{label}` with key \"{}\", or mark the dead letter `external`",
                    binding_key(&key)
                ),
            )
            .with_facts(reason(origin, &key))
            .with_facts(stops(subject, &routes)),
        );
    }
}

/// Why a dead letter carries this key.
fn reason(origin: KeyOrigin, key: &str) -> Option<String> {
    match origin {
        KeyOrigin::Set => None,
        KeyOrigin::Kept => Some(format!(
            "a dead letter keeps its routing key, such as \"{key}\""
        )),
        KeyOrigin::QueueName => Some(format!(
            "after a retry the broker's own dead letters carry the key \"{key}\""
        )),
    }
}

/// The key to bind with, for a key that reaches no queue: any word where any word does.
fn binding_key(key: &str) -> String {
    let words: Vec<&str> = key
        .split('.')
        .map(|word| if word == "_" { "*" } else { word })
        .collect();
    words.join(".")
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
