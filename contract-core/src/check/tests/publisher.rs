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

#[test]
fn entangled_patterns() {
    let fields: Vec<String> = ('a'..='t').map(|field| format!("{{{field}}}")).collect();
    let chain = |contract: &mut Contract, pattern: fn(usize) -> String| {
        for at in 0..6 {
            let mut hop = exchange(&format!("hop-{at}"), ExchangeKind::Topic);
            if at > 0 {
                hop.bindings = vec![bind(&format!("hop-{}", at - 1), &pattern(at))];
            }
            contract.exchanges.push(hop);
        }
    };
    breaks(
        |contract| {
            let key = KeyTemplate::parse(&fields.join(".")).unwrap();
            let publish = &mut contract.publishers[0].publishes[0];
            publish.exchange = ExchangeName::literal("hop-0");
            publish.key = PublishKey::Template(key);
            publish.lossy_unroutable = true;
            chain(contract, |at| format!("#.a{at}{}", ".*".repeat(9)));
            contract.queues[0].bindings = vec![bind("hop-5", "#.no")];
        },
        expect![[r##"
            which queues messages published by `order_created` reach cannot be told: the patterns on the way are too entangled [entangled-patterns]
            exchange `hop-0` has bindings with words behind a `#`: "#.a1.*.*.*.*.*.*.*.*.*"
            exchange `hop-1` has bindings with words behind a `#`: "#.a2.*.*.*.*.*.*.*.*.*"
            exchange `hop-2` has bindings with words behind a `#`: "#.a3.*.*.*.*.*.*.*.*.*"
            exchange `hop-3` has bindings with words behind a `#`: "#.a4.*.*.*.*.*.*.*.*.*"
            exchange `hop-4` has bindings with words behind a `#`: "#.a5.*.*.*.*.*.*.*.*.*"
            exchange `hop-5` has bindings with words behind a `#`: "#.no"
            help: write these patterns with `#` as their last word, or with fewer `*` behind it"##]],
        |contract| {
            for exchange in &mut contract.exchanges[2..] {
                let from = exchange.bindings[0].exchange.clone();
                let key = "a.#".replace('a', exchange.name.as_str());
                exchange.bindings = vec![bind(from.as_str(), &key)];
            }
        },
    );
}
