//! Whether a message in a queue can be lost in silence.

use super::Subject;
use crate::dead_letter::gives_up_messages;
use crate::finding::{Entity, Finding, Part, Rule};
use crate::model::{Loss, Overflow, QueueKind};

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

/// `expiry-loss`: a message whose time in the queue runs out has somewhere to go.
pub(super) fn check_expiry(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    for (index, queue) in subject.contract.queues.iter().enumerate() {
        let Some(ttl) = queue.message_ttl else {
            continue;
        };
        if queue.dead_letter.is_some() || queue.lossy.contains(&Loss::Expiry) {
            continue;
        }
        let label = &queue.label;
        found.push(Finding::new(
            Rule::ExpiryLoss,
            Entity::Queue(index).at(Part::Option("message_ttl")),
            format!(
                "a message that waits {ttl} in queue `{}` is dropped",
                queue.name
            ),
            format!("add `dead_letter` to `{label}`, or sign for the loss with `lossy(expiry)`"),
        ));
    }
}

/// `overflow-loss`: the oldest message of a full queue has somewhere to go.
pub(super) fn check_overflow(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    for (index, queue) in subject.contract.queues.iter().enumerate() {
        let is_bounded = queue.max_length.is_some() || queue.max_length_bytes.is_some();
        let drops = is_bounded && queue.overflow == Overflow::DropHead;
        if !drops || queue.dead_letter.is_some() || queue.lossy.contains(&Loss::Overflow) {
            continue;
        }
        let label = &queue.label;
        found.push(Finding::new(
            Rule::OverflowLoss,
            Entity::Queue(index).at(Part::Option("overflow")),
            format!("when queue `{}` is full, its oldest message is dropped", queue.name),
            format!(
                "leave `overflow` out of `{label}`, so that the publisher is refused, or sign for the loss with \
                 `lossy(overflow)`"
            ),
        ));
    }
}

/// `deletion-loss`: a queue is not deleted with messages in it.
pub(super) fn check_deletion(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    for (index, queue) in subject.contract.queues.iter().enumerate() {
        if queue.external || queue.lossy.contains(&Loss::Deletion) {
            continue;
        }
        // A quorum queue cannot be these: that is `quorum-option`.
        let is_classic = queue.kind == QueueKind::Classic;
        let reasons = [
            (
                "exclusive",
                is_classic && queue.exclusive,
                "when its connection closes",
            ),
            (
                "auto_delete",
                is_classic && queue.auto_delete,
                "when its last consumer goes",
            ),
            (
                "expires",
                queue.expires.is_some(),
                "when it has been unused for that long",
            ),
        ];
        if let Some((option, _, when)) = reasons.into_iter().find(|(_, is_set, _)| *is_set) {
            found.push(Finding::new(
                Rule::DeletionLoss,
                Entity::Queue(index).at(Part::Option(option)),
                format!(
                    "RabbitMQ deletes queue `{}` with its messages {when}",
                    queue.name
                ),
                format!("leave `{option}` out, or sign for the loss with `lossy(deletion)`"),
            ));
        }
    }
}

/// `restart-loss`: a queue is there with its messages after the broker restarts.
pub(super) fn check_restart(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    for (index, queue) in subject.contract.queues.iter().enumerate() {
        // A quorum queue cannot be transient: that is `quorum-option`. An exclusive queue goes with
        // its connection, before any restart: that is `deletion-loss`.
        let is_lost = queue.kind == QueueKind::Classic && !queue.durable && !queue.exclusive;
        if !is_lost || queue.external || queue.lossy.contains(&Loss::Restart) {
            continue;
        }
        found.push(
            Finding::new(
                Rule::RestartLoss,
                Entity::Queue(index).at(Part::Option("transient")),
                format!("queue `{}` is gone with its messages when the broker restarts", queue.name),
                "leave `transient` out, add `expires = \"1h\"` instead if the queue is not for long, or sign for \
                 the loss with `lossy(restart)`",
            )
            .with_facts(["RabbitMQ is giving up queues that are neither durable nor exclusive".to_owned()]),
        );
    }
}
