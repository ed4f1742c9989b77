//! Names can be had, once.

use super::*;

#[test]
fn duplicate_entity() {
    breaks(
        |contract| contract.messages.push(Message::new("order.created")),
        expect![[r#"
            `order.created` and `order.created` are both message `order.created` [duplicate-entity]
            help: give `order.created` another name or another version, or use `order.created` in its place"#]],
        |contract| contract.messages[1].version = 2,
    );
    breaks(
        |contract| {
            contract
                .exchanges
                .push(exchange("orders", ExchangeKind::Topic))
        },
        expect![[r#"
            `orders` and `orders` are both exchange `orders` [duplicate-entity]
            help: give `orders` another name, or use `orders` in its place"#]],
        |contract| contract.exchanges[1].name = ExchangeName::literal("others"),
    );
}

#[test]
fn reserved_name() {
    breaks(
        |contract| {
            contract
                .exchanges
                .push(exchange("amq.topic", ExchangeKind::Topic))
        },
        expect![[r#"
            exchange `amq.topic` cannot be declared: names that start with `amq.` are RabbitMQ's own [reserved-name]
            help: choose another name, or mark the exchange `external` if it is one of RabbitMQ's"#]],
        |contract| contract.exchanges[1].external = true,
    );
}

#[test]
fn derived_name() {
    breaks(
        |contract| {
            let mut long = queue(&"q".repeat(252), vec![]);
            long.dead_letter = Some(DeadLetter::Derived);
            contract.queues.push(long);
        },
        expect![[r#"
            the dead letter derived from queue `qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq` cannot be named: the name has 256 bytes; RabbitMQ takes at most 255 [derived-name]
            help: shorten the queue's name, or name the exchange: `dead_letter(Exchange, "key")`"#]],
        |contract| contract.queues[1].name = QueueName::literal("short"),
    );
    breaks(
        |contract| contract.queues.push(queue("processing.dlq", vec![])),
        expect![[r#"
            queue `processing.dlq` is derived from `processing`, and `processing.dlq` has that name already [derived-name]
            help: give `processing.dlq` another name, or write the dead letter out: `dead_letter(Exchange, "key")`"#]],
        |contract| contract.queues[1].name = QueueName::literal("other"),
    );
}
