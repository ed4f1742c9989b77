//! Publishes and consumers can work.

use super::*;

#[test]
fn publish_internal() {
    breaks(
        |contract| contract.exchanges[0].internal = true,
        expect![[r#"
            exchange `orders` is internal: RabbitMQ refuses what `order_created` publishes [publish-internal]
            help: leave `internal` out of `orders`, or publish to an exchange that it is bound to"#]],
        |contract| contract.exchanges[0].internal = false,
    );
}

#[test]
fn consumer_option() {
    breaks(
        |contract| {
            contract.handlers[0].consumers[0].concurrency = Some(0);
            contract.handlers[0].consumers[0].exclusive = true;
        },
        expect![[r#"
            `concurrency = 0` on queue `processing` handles no message [consumer-option]
            help: write `concurrency = 1` or more

            RabbitMQ ignores `exclusive` on quorum queue `processing` [consumer-option]
            help: write `single_active_consumer` on the queue, or make it `classic`"#]],
        |contract| {
            contract.handlers[0].consumers[0].concurrency = Some(1);
            contract.queues[0].kind = QueueKind::Classic;
        },
    );
    breaks(
        |contract| {
            contract.handlers[0]
                .consumers
                .push(consume("raw", "processing", Takes::Raw));
            for consumer in &mut contract.handlers[0].consumers {
                consumer.timeout = Some(Millis(5));
            }
        },
        expect![[r#"
            `timeout` of queue `processing` stands on `process` already [consumer-option]
            help: the handlers of a queue share its consumer: leave `timeout` on one of them"#]],
        |contract| contract.handlers[0].consumers[1].timeout = None,
    );
}

#[test]
fn duplicate_consumer() {
    breaks(
        |contract| {
            contract.handlers[0].consumers.push(consume(
                "again",
                "processing",
                takes("order.created"),
            ))
        },
        expect![[r#"
            `process` and `again` both take message `order.created` from queue `processing` [duplicate-consumer]
            help: keep one of them, or give each a queue of its own"#]],
        |contract| contract.handlers[0].consumers[1].takes = Takes::Raw,
    );
    breaks(
        |contract| {
            contract.handlers[0]
                .consumers
                .push(consume("raw", "processing", Takes::Raw));
            contract.handlers[0].consumers.push(consume(
                "letters",
                "processing",
                Takes::DeadLetter,
            ));
        },
        expect![[r#"
            `raw` and `letters` both take what no other consumer takes from queue `processing` [duplicate-consumer]
            help: keep one of them, or give each a queue of its own"#]],
        |contract| _ = contract.handlers[0].consumers.pop(),
    );
}

#[test]
fn queue_split() {
    breaks(
        |contract| {
            contract.messages.push(Message::new("order.paid"));
            let consumers = vec![consume("paid", "processing", takes("order.paid"))];
            contract
                .handlers
                .push(Handlers::new("PaymentHandlers", consumers));
        },
        expect![[r#"
            queue `processing` is consumed by `OrderHandlers` and by `PaymentHandlers`: each would dead-letter what only the other takes [queue-split]
            help: move the method to `OrderHandlers`, or bind a queue of its own for `PaymentHandlers`"#]],
        |contract| {
            let moved = contract
                .handlers
                .pop()
                .expect("the second handlers")
                .consumers;
            contract.handlers[0].consumers.extend(moved);
        },
    );
}
