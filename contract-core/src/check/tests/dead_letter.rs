//! Dead letters get where they should, and stay there.

use super::*;

#[test]
fn hop_loss() {
    breaks(
        |contract| {
            contract.queues[0].kind = QueueKind::Classic;
            contract.queues[0].message_ttl = Some(Millis(5_000));
        },
        expect![[r#"
            RabbitMQ dead-letters from queue `processing` at most once [hop-loss]
            a dead letter is lost where its target is full or away at that moment
            help: make it a quorum queue by leaving `classic` out, or sign for the loss with `lossy(hop)`"#]],
        |contract| contract.queues[0].kind = QueueKind::Quorum,
    );
    breaks(
        |contract| contract.queues[0].overflow = Overflow::DropHead,
        expect![[r#"
            RabbitMQ dead-letters from queue `processing` at most once [hop-loss]
            a dead letter is lost where its target is full or away at that moment
            help: leave `overflow(drop_head)` out, so that the publisher is refused, or sign for the loss with `lossy(hop)`"#]],
        |contract| _ = contract.queues[0].lossy.insert(Loss::Hop),
    );
    breaks(
        |contract| {
            contract.queues[0].kind = QueueKind::Classic;
            contract.publishers[0].publishes[0].expiration = Some(Millis(5_000));
        },
        expect![[r#"
            a message of `order_created` that expires in classic queue `processing` is dead-lettered at most once [hop-loss]
            help: make `processing` a quorum queue by leaving `classic` out, or sign for the loss there with `lossy(hop)`"#]],
        |contract| contract.queues[0].kind = QueueKind::Quorum,
    );
}

#[test]
fn dead_letter_internal() {
    breaks(
        |contract| {
            contract
                .exchanges
                .push(exchange("dlx", ExchangeKind::Direct));
            contract.exchanges[1].internal = true;
            contract.queues[0].dead_letter = dead_letter("dlx", Some("k"));
            contract
                .queues
                .push(queue("letters", vec![bind("dlx", "k")]));
        },
        expect![[r#"
            exchange `dlx` is internal: RabbitMQ refuses the dead letters that the library publishes [dead-letter-internal]
            help: leave `internal` out of `dlx`"#]],
        |contract| contract.exchanges[1].internal = false,
    );
}

#[test]
fn dead_letter_cycle() {
    breaks(
        |contract| contract.queues[0].dead_letter = dead_letter("orders", Some("order.created")),
        expect![[r#"
            messages dead-lettered by queue `processing` come back to it [dead-letter-cycle]
            the way is `processing` to `processing`
            help: dead-letter to a queue of its own: `dead_letter` alone derives one"#]],
        |contract| contract.queues[0].dead_letter = Some(DeadLetter::Derived),
    );
    breaks(
        |contract| {
            contract.queues[0].dead_letter = dead_letter("orders", Some("letter"));
            contract
                .queues
                .push(queue("letters", vec![bind("orders", "letter")]));
            contract.queues[1].dead_letter = dead_letter("orders", Some("order.created"));
        },
        expect![[r#"
            messages dead-lettered by queue `processing` come back to it [dead-letter-cycle]
            the way is `processing` to `letters` to `processing`
            help: dead-letter to a queue of its own: `dead_letter` alone derives one"#]],
        |contract| contract.queues[1].dead_letter = None,
    );
}

#[test]
fn dead_letter_unroutable() {
    breaks(
        |contract| {
            contract
                .exchanges
                .push(exchange("orders.dlx", ExchangeKind::Direct));
            contract.queues[0].dead_letter = dead_letter("orders.dlx", Some("processing"));
            contract
                .queues
                .push(queue("letters", vec![bind("orders.dlx", "orders")]));
        },
        expect![[r#"
            messages dead-lettered by queue `processing` reach no queue [dead-letter-unroutable]
            exchange `orders.dlx` (direct) has bindings: "orders"
            help: bind a queue to `orders.dlx` with key "processing", or mark the dead letter `external`"#]],
        |contract| {
            contract.queues[1]
                .bindings
                .push(bind("orders.dlx", "processing"))
        },
    );
}

#[test]
fn a_kept_key_is_bound_whatever_it_was_and_after_a_retry() {
    breaks(
        |contract| {
            contract
                .exchanges
                .push(exchange("dlx", ExchangeKind::Topic));
            contract.queues[0]
                .bindings
                .push(bind("orders", "order.*.#"));
            contract.queues[0].dead_letter = dead_letter("dlx", None);
            contract
                .queues
                .push(queue("letters", vec![bind("dlx", "order.*")]));
        },
        expect![[r#"
            messages dead-lettered by queue `processing` reach no queue [dead-letter-unroutable]
            a dead letter keeps its routing key, such as "order._._"
            exchange `dlx` (topic) has bindings: "order.*"
            help: bind a queue to `dlx` with key "order.*.*", or mark the dead letter `external`"#]],
        |contract| contract.queues[1].bindings = vec![bind("dlx", "order.#")],
    );
    breaks(
        |contract| {
            contract
                .exchanges
                .push(exchange("dlx", ExchangeKind::Topic));
            contract.queues[0].dead_letter = dead_letter("dlx", None);
            contract.queues[0].retry =
                Retry::TtlBackoff(Backoff::new(Schedule::Delays(vec![Millis(1)])));
            contract
                .queues
                .push(queue("letters", vec![bind("dlx", "order.created")]));
        },
        expect![[r#"
            messages dead-lettered by queue `processing` reach no queue [dead-letter-unroutable]
            after a retry the broker's own dead letters carry the key "processing"
            exchange `dlx` (topic) has bindings: "order.created"
            help: bind a queue to `dlx` with key "processing", or mark the dead letter `external`"#]],
        |contract| contract.queues[1].bindings.push(bind("dlx", "processing")),
    );
}

#[test]
fn a_dead_letter_that_others_answer_for_is_not_followed() {
    for owner in [DeadLetterOwner::External, DeadLetterOwner::Policy] {
        let mut contract = orders();
        contract
            .exchanges
            .push(exchange("dlx", ExchangeKind::Topic));
        contract.queues[0].dead_letter = Some(DeadLetter::To {
            exchange: ExchangeName::literal("dlx"),
            key: None,
            owner,
        });
        assert_eq!(check(&contract), []);
    }
}
