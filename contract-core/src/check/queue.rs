//! Whether a queue's options go together.

use super::Subject;
use crate::finding::{Entity, Finding, Part, Rule};
use crate::model::{DeliveryLimit, QueueKind};

/// `quorum-option`: a quorum queue is durable, shared and without priorities.
pub(super) fn check_quorum_options(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    for (index, queue) in subject.contract.queues.iter().enumerate() {
        if queue.kind != QueueKind::Quorum || queue.external {
            continue;
        }
        let options = [
            ("exclusive", queue.exclusive),
            ("auto_delete", queue.auto_delete),
            ("transient", !queue.durable),
            ("max_priority", queue.max_priority.is_some()),
        ];
        for (option, _) in options.into_iter().filter(|(_, is_set)| *is_set) {
            found.push(Finding::new(
                Rule::QuorumOption,
                Entity::Queue(index).at(Part::Option(option)),
                format!(
                    "queue `{}` is a quorum queue, and RabbitMQ has none with `{option}`",
                    queue.name
                ),
                format!("leave `{option}` out, or add `classic`"),
            ));
        }
    }
}

/// `classic-option`: a classic queue does not count deliveries.
pub(super) fn check_classic_options(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    for (index, queue) in subject.contract.queues.iter().enumerate() {
        if queue.kind == QueueKind::Classic
            && matches!(queue.delivery_limit, DeliveryLimit::Count(_))
        {
            found.push(Finding::new(
                Rule::ClassicOption,
                Entity::Queue(index).at(Part::Option("delivery_limit")),
                format!(
                    "queue `{}` is a classic queue, and RabbitMQ counts no deliveries there",
                    queue.name
                ),
                "leave `delivery_limit` out, or make it a quorum queue by leaving `classic` out",
            ));
        }
    }
}
