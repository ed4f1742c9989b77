//! Whether what is published reaches somebody who can take it.

use super::Subject;
use super::entangled::decided;
use super::words::{binding_key, headers, is_by_headers, label_of, stops};
use crate::finding::{Entity, Finding, Part, Rule};
use crate::model::{Consume, Loss, MessageRef, Publish, PublishKey, QueueKind, Takes};
use crate::route::{Headers, Unroutable};

/// `publisher-unroutable`: every key that a publisher uses reaches a queue.
pub(super) fn check_publishers(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    for (index, publisher) in subject.contract.publishers.iter().enumerate() {
        for (at, publish) in publisher.publishes.iter().enumerate() {
            if publish.external || publish.lossy_unroutable {
                continue;
            }
            let known = Headers::Known(&publish.headers);
            let site = Entity::Publish(index, at).at(Part::Exchange);
            let who = messages_of(publish);
            let unroutable =
                subject
                    .router
                    .unroutable(&publish.exchange, &publish.key.keys(), known);
            let Some(Some(Unroutable { key, routes })) =
                decided(subject, site, &who, unroutable, found)
            else {
                continue;
            };
            let label = label_of(subject, &routes);
            let example = match publish.key {
                PublishKey::Fixed(_) => None,
                PublishKey::Template(_) => Some(format!("such as \"{key}\"")),
            };
            let (with, binding) = if is_by_headers(subject, &routes) {
                let carried = headers(&publish.headers);
                (carried, "by what they carry".to_owned())
            } else {
                let binding = binding_key(&key);
                (
                    format!("key \"{}\"", publish.key),
                    format!("with key \"{binding}\""),
                )
            };
            found.push(
                Finding::new(
                    Rule::PublisherUnroutable,
                    site,
                    format!("{who} with {with} reach no queue"),
                    format!(
                        "bind a queue to `{label}` {binding}, mark the publish `external` if another \
                         contract binds it, or sign for the loss with `lossy(unroutable)`",
                    ),
                )
                .with_facts(example)
                .with_facts(stops(subject, &routes)),
            );
        }
    }
}

/// `message-not-taken`: a message that can reach a consumed queue is one that a consumer of it takes.
pub(super) fn check_messages_taken(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    for (index, publisher) in subject.contract.publishers.iter().enumerate() {
        for (at, publish) in publisher.publishes.iter().enumerate() {
            for queue in reached(subject, (index, at), publish, found) {
                let queue = &subject.topology.queues[queue].entity;
                let consumers: Vec<&Consume> = subject.contract.consumers_of(&queue.name).collect();
                let is_taken = consumers.iter().any(|consumer| match &consumer.takes {
                    // What is not in the contract is `unknown-entity`.
                    Takes::Message(message) => {
                        *message == publish.message || !is_known(subject, message)
                    }
                    Takes::Raw | Takes::DeadLetter => true,
                });
                if consumers.is_empty() || is_taken {
                    continue;
                }
                let taken: Vec<String> = consumers
                    .iter()
                    .filter_map(|consumer| match &consumer.takes {
                        Takes::Message(message) => Some(format!("`{message}`")),
                        Takes::Raw | Takes::DeadLetter => None,
                    })
                    .collect();
                found.push(
                    Finding::new(
                        Rule::MessageNotTaken,
                        Entity::Publish(index, at).at(Part::Message),
                        format!(
                            "message `{}` published by `{}` reaches queue `{}`, where no consumer takes it",
                            publish.message, publish.method, queue.name
                        ),
                        format!(
                            "add a method that consumes `{}` from `{}`, or narrow the queue's binding",
                            publish.message, queue.label
                        ),
                    )
                    .with_facts([format!(
                        "exchange `{}` with key \"{}\" leads there; its consumers take {}",
                        publish.exchange,
                        publish.key,
                        taken.join(", ")
                    )]),
                );
            }
        }
    }
}

fn is_known(subject: &Subject<'_>, wanted: &MessageRef) -> bool {
    subject
        .contract
        .messages
        .iter()
        .any(|message| message.reference() == *wanted)
}

/// `expiry-loss`, `hop-loss`: a message that is published with an expiration has somewhere to go when
/// it runs out, in every queue that it reaches, and gets there.
pub(super) fn check_expirations(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    for (index, publisher) in subject.contract.publishers.iter().enumerate() {
        for (at, publish) in publisher.publishes.iter().enumerate() {
            if publish.expiration.is_none() {
                continue;
            }
            let site = Entity::Publish(index, at).at(Part::Option("expiration"));
            for queue in reached(subject, (index, at), publish, found) {
                let queue = &subject.topology.queues[queue].entity;
                let (name, label) = (&queue.name, &queue.label);
                if queue.external {
                    continue;
                }
                if queue.dead_letter.is_none() && !queue.lossy.contains(&Loss::Expiry) {
                    found.push(Finding::new(
                        Rule::ExpiryLoss,
                        site,
                        format!("a message of `{}` that expires in queue `{name}` is dropped", publish.method),
                        format!("add `dead_letter` to `{label}`, or sign for the loss there with `lossy(expiry)`"),
                    ));
                } else if queue.dead_letter.is_some()
                    && queue.kind == QueueKind::Classic
                    && queue.message_ttl.is_none()
                    && !queue.lossy.contains(&Loss::Hop)
                {
                    found.push(Finding::new(
                        Rule::HopLoss,
                        site,
                        format!(
                            "a message of `{}` that expires in classic queue `{name}` is dead-lettered at most once",
                            publish.method
                        ),
                        format!(
                            "make `{label}` a quorum queue by leaving `classic` out, or sign for the loss there \
                             with `lossy(hop)`"
                        ),
                    ));
                }
            }
        }
    }
}

/// The queues that some key of a publish reaches, as far as the contract knows.
fn reached(
    subject: &Subject<'_>,
    (publisher, at): (usize, usize),
    publish: &Publish,
    found: &mut Vec<Finding>,
) -> Vec<usize> {
    let keys = publish.key.keys();
    let headers = Headers::Known(&publish.headers);
    let site = Entity::Publish(publisher, at).at(Part::Exchange);
    let who = messages_of(publish);
    (0..subject.topology.queues.len())
        .filter(|queue| {
            let can_reach = subject
                .router
                .can_reach(&publish.exchange, &keys, headers, *queue);
            decided(subject, site, &who, can_reach, found).unwrap_or(false)
        })
        .collect()
}

fn messages_of(publish: &Publish) -> String {
    format!("messages published by `{}`", publish.method)
}
