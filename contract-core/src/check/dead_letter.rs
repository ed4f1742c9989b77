//! Whether dead letters get where they should, and stay there.

use std::collections::BTreeSet;

use super::Subject;
use super::entangled::decided;
use super::words::{binding_key, label_of, stops};
use crate::dead_letter::{KeyOrigin, dead_letter_keys, dead_letter_target};
use crate::finding::{Entity, Finding, Part, Rule};
use crate::model::{DeadLetterOwner, Loss, Overflow, Queue, QueueKind};
use crate::route::{Headers, Unroutable};
use crate::topology::Placed;

/// `dead-letter-unroutable`: dead letters reach a queue, whichever key they carry.
pub(super) fn check_dead_letters(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    for (index, queue) in subject.contract.queues.iter().enumerate() {
        let Some(target) = dead_letter_target(queue) else {
            continue;
        };
        if target.owner != DeadLetterOwner::Contract {
            continue;
        }
        let site = Entity::Queue(index).at(Part::DeadLetter);
        let who = dead_letters_of(queue);
        let lost = dead_letter_keys(queue, &target)
            .into_iter()
            .find_map(|(keys, origin)| {
                let unroutable =
                    subject
                        .router
                        .unroutable(&target.exchange, &keys, Headers::Unknown);
                let unroutable = decided(subject, site, &who, unroutable, found)?;
                Some((unroutable?, origin))
            });
        let Some((Unroutable { key, routes }, origin)) = lost else {
            continue;
        };
        let label = label_of(subject, &routes);
        found.push(
            Finding::new(
                Rule::DeadLetterUnroutable,
                site,
                format!("{who} reach no queue"),
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

fn dead_letters_of(queue: &Queue) -> String {
    format!("messages dead-lettered by queue `{}`", queue.name)
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

/// `dead-letter-internal`: the dead-letter exchange takes what we publish.
pub(super) fn check_internal(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    for (index, queue) in subject.contract.queues.iter().enumerate() {
        let Some(target) = dead_letter_target(queue) else {
            continue;
        };
        let exchange = subject.contract.exchange(&target.exchange);
        if let Some(exchange) = exchange.filter(|exchange| exchange.internal) {
            found.push(Finding::new(
                Rule::DeadLetterInternal,
                Entity::Queue(index).at(Part::DeadLetter),
                format!(
                    "exchange `{}` is internal: RabbitMQ refuses the dead letters that the library publishes",
                    exchange.name
                ),
                format!("leave `internal` out of `{}`", exchange.label),
            ));
        }
    }
}

/// `dead-letter-cycle`: a queue's dead letters never lead back to it. By rejection they would go round
/// for ever; by time, length or delivery limit the broker drops them.
pub(super) fn check_cycles(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    let count = subject.topology.queues.len();
    let next: Vec<BTreeSet<usize>> = (0..count)
        .map(|queue| dead_letters_reach(subject, queue, found))
        .collect();
    let mut said = BTreeSet::new();
    for (index, queue) in subject.contract.queues.iter().enumerate() {
        // One finding for each cycle: at its first queue.
        let Some(cycle) =
            cycle_from(index, &next).filter(|cycle| cycle.iter().all(|at| !said.contains(at)))
        else {
            continue;
        };
        said.extend(cycle.iter().copied());
        let name = |at: &usize| format!("`{}`", subject.topology.queues[*at].entity.name);
        let mut way: Vec<String> = cycle.iter().map(name).collect();
        way.push(name(&index));
        found.push(
            Finding::new(
                Rule::DeadLetterCycle,
                Entity::Queue(index).at(Part::DeadLetter),
                format!(
                    "messages dead-lettered by queue `{}` come back to it",
                    queue.name
                ),
                "dead-letter to a queue of its own: `dead_letter` alone derives one",
            )
            .with_facts([format!("the way is {}", way.join(" to "))]),
        );
    }
}

/// The queues that dead letters of this queue reach in one step.
fn dead_letters_reach(
    subject: &Subject<'_>,
    queue: usize,
    found: &mut Vec<Finding>,
) -> BTreeSet<usize> {
    let Placed { entity: queue, at } = &subject.topology.queues[queue];
    let site = at.entity.at(Part::DeadLetter);
    let who = dead_letters_of(queue);
    let Some(target) = dead_letter_target(queue) else {
        return BTreeSet::new();
    };
    let keys = dead_letter_keys(queue, &target);
    let is_reached = |to: &usize| {
        keys.iter().any(|(keys, _)| {
            let can_reach = subject
                .router
                .can_reach(&target.exchange, keys, Headers::Unknown, *to);
            decided(subject, site, &who, can_reach, found).unwrap_or(false)
        })
    };
    (0..subject.topology.queues.len())
        .filter(is_reached)
        .collect()
}

/// A shortest way from a queue back to it, the queue first.
fn cycle_from(start: usize, next: &[BTreeSet<usize>]) -> Option<Vec<usize>> {
    let mut ways = vec![vec![start]];
    let mut seen = BTreeSet::new();
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            for to in &next[*way.last()?] {
                if *to == start {
                    return Some(way);
                }
                if seen.insert(*to) {
                    longer.push([way.as_slice(), &[*to]].concat());
                }
            }
        }
        ways = longer;
    }
    None
}

/// `hop-loss`: what the broker dead-letters by itself waits for its target. Only a quorum queue that
/// refuses when it is full does so.
pub(super) fn check_hops(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    for (index, queue) in subject.contract.queues.iter().enumerate() {
        if queue.external || queue.lossy.contains(&Loss::Hop) {
            continue;
        }
        if dead_letter_target(queue).is_none_or(|target| target.owner == DeadLetterOwner::Policy) {
            continue;
        }
        let Some((option, remedy)) = hop(queue) else {
            continue;
        };
        found.push(
            Finding::new(
                Rule::HopLoss,
                Entity::Queue(index).at(Part::Option(option)),
                format!(
                    "RabbitMQ dead-letters from queue `{}` at most once",
                    queue.name
                ),
                format!("{remedy}, or sign for the loss with `lossy(hop)`"),
            )
            .with_facts([
                "a dead letter is lost where its target is full or away at that moment".to_owned(),
            ]),
        );
    }
}

/// The option by which the broker dead-letters without waiting, and what to do about it.
fn hop(queue: &Queue) -> Option<(&'static str, &'static str)> {
    let is_bounded = queue.max_length.is_some() || queue.max_length_bytes.is_some();
    match (queue.kind, queue.overflow) {
        (QueueKind::Quorum, Overflow::DropHead) => Some((
            "overflow",
            "leave `overflow(drop_head)` out, so that the publisher is refused",
        )),
        (QueueKind::Classic, Overflow::DropHead) if is_bounded => Some((
            "overflow",
            "make it a quorum queue by leaving `classic` and `overflow(drop_head)` out",
        )),
        (QueueKind::Classic, _) if queue.message_ttl.is_some() => Some((
            "message_ttl",
            "make it a quorum queue by leaving `classic` out",
        )),
        (QueueKind::Quorum, Overflow::RejectPublish) | (QueueKind::Classic, _) => None,
    }
}
