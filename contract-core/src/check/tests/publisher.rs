//! What is published gets somewhere, and is taken there.

use super::*;

#[test]
fn publisher_unroutable() {
    breaks(
        |contract| contract.queues[0].bindings = vec![bind("orders", "order.*.created")],
        expect![[r#"
            messages published by `order_created` with key "order.created" reach no queue [publisher-unroutable]
            exchange `orders` (topic) has bindings: "order.*.created"
            help: bind a queue to `orders` with key "order.created", mark the publish `external` if another contract binds it, or sign for the loss with `lossy(unroutable)`"#]],
        |contract| {
            contract.queues[0]
                .bindings
                .push(bind("orders", "#.created"))
        },
    );
    breaks(
        |contract| contract.queues[0].bindings.clear(),
        expect![[r#"
            messages published by `order_created` with key "order.created" reach no queue [publisher-unroutable]
            exchange `orders` (topic) has no bindings
            help: bind a queue to `orders` with key "order.created", mark the publish `external` if another contract binds it, or sign for the loss with `lossy(unroutable)`"#]],
        |contract| contract.publishers[0].publishes[0].external = true,
    );
    breaks(
        |contract| contract.queues[0].bindings.clear(),
        expect![[r#"
            messages published by `order_created` with key "order.created" reach no queue [publisher-unroutable]
            exchange `orders` (topic) has no bindings
            help: bind a queue to `orders` with key "order.created", mark the publish `external` if another contract binds it, or sign for the loss with `lossy(unroutable)`"#]],
        |contract| contract.publishers[0].publishes[0].lossy_unroutable = true,
    );
}

#[test]
fn a_key_with_fields_is_routable_whatever_fills_it() {
    breaks(
        |contract| {
            let template = KeyTemplate::parse("order.{region}.created").unwrap();
            contract.publishers[0].publishes[0].key = PublishKey::Template(template);
            contract.queues[0]
                .bindings
                .push(bind("orders", "order.eu.created"));
        },
        expect![[r#"
            messages published by `order_created` with key "order.{region}.created" reach no queue [publisher-unroutable]
            such as "order._.created"
            exchange `orders` (topic) has bindings: "order.created", "order.eu.created"
            help: bind a queue to `orders` with key "order.*.created", mark the publish `external` if another contract binds it, or sign for the loss with `lossy(unroutable)`"#]],
        |contract| {
            contract.queues[0]
                .bindings
                .push(bind("orders", "order.*.created"))
        },
    );
}

#[test]
fn a_publish_that_stops_behind_a_hop_says_where() {
    breaks(
        |contract| {
            let mut hop = exchange("eu", ExchangeKind::Direct);
            hop.bindings = vec![bind("orders", "#")];
            contract.exchanges.push(hop);
            contract.queues[0].bindings = vec![bind("eu", "order.paid")];
        },
        expect![[r#"
            messages published by `order_created` with key "order.created" reach no queue [publisher-unroutable]
            exchange `eu` (direct) has bindings: "order.paid"
            help: bind a queue to `eu` with key "order.created", mark the publish `external` if another contract binds it, or sign for the loss with `lossy(unroutable)`"#]],
        |contract| contract.queues[0].bindings = vec![bind("eu", "order.created")],
    );
}

#[test]
fn message_not_taken() {
    breaks(
        |contract| {
            contract.messages.push(Message::new("order.paid"));
            contract.handlers[0].consumers[0].takes = takes("order.paid");
        },
        expect![[r#"
            message `order.created` published by `order_created` reaches queue `processing`, where no consumer takes it [message-not-taken]
            exchange `orders` with key "order.created" leads there; its consumers take `order.paid`
            help: add a method that consumes `order.created` from `processing`, or narrow the queue's binding"#]],
        |contract| {
            contract.handlers[0]
                .consumers
                .push(consume("any", "processing", Takes::Raw))
        },
    );
}
