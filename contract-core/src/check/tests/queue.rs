//! Options of a queue go together.

use super::*;

#[test]
fn quorum_option() {
    breaks(
        |contract| {
            contract.queues[0].exclusive = true;
            contract.queues[0].durable = false;
            contract.queues[0].max_priority = Some(5);
        },
        expect![[r#"
            queue `processing` is a quorum queue, and RabbitMQ has none with `exclusive` [quorum-option]
            help: leave `exclusive` out, or add `classic`

            queue `processing` is a quorum queue, and RabbitMQ has none with `max_priority` [quorum-option]
            help: leave `max_priority` out, or add `classic`

            queue `processing` is a quorum queue, and RabbitMQ has none with `transient` [quorum-option]
            help: leave `transient` out, or add `classic`"#]],
        |contract| {
            contract.queues[0].kind = QueueKind::Classic;
            contract.queues[0].lossy.insert(Loss::Deletion);
        },
    );
}

#[test]
fn classic_option() {
    breaks(
        |contract| {
            contract.queues[0].kind = QueueKind::Classic;
            contract.queues[0].delivery_limit = DeliveryLimit::Count(5);
        },
        expect![[r#"
            queue `processing` is a classic queue, and RabbitMQ counts no deliveries there [classic-option]
            help: leave `delivery_limit` out, or make it a quorum queue by leaving `classic` out"#]],
        |contract| contract.queues[0].delivery_limit = DeliveryLimit::Default,
    );
}
