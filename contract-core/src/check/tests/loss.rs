//! What is in a queue is not lost in silence.

use super::*;

#[test]
fn poison_loss() {
    breaks(
        |contract| contract.queues[0].dead_letter = None,
        expect![[r#"
            a message of queue `processing` that cannot be handled has nowhere to go [poison-loss]
            help: add `dead_letter` to `processing`, or sign for the loss with `lossy(poison)`"#]],
        |contract| _ = contract.queues[0].lossy.insert(Loss::Poison),
    );
}

#[test]
fn expiry_loss() {
    let expires = |contract: &mut Contract| {
        contract
            .queues
            .push(queue("copies", vec![bind("orders", "order.created")]));
    };
    breaks(
        |contract| {
            expires(contract);
            contract.queues[1].message_ttl = Some(Millis(5_000));
        },
        expect![[r#"
            a message that waits 5s in queue `copies` is dropped [expiry-loss]
            help: add `dead_letter` to `copies`, or sign for the loss with `lossy(expiry)`"#]],
        |contract| contract.queues[1].dead_letter = Some(DeadLetter::Derived),
    );
    breaks(
        |contract| {
            expires(contract);
            contract.publishers[0].publishes[0].expiration = Some(Millis(5_000));
        },
        expect![[r#"
            a message of `order_created` that expires in queue `copies` is dropped [expiry-loss]
            help: add `dead_letter` to `copies`, or sign for the loss there with `lossy(expiry)`"#]],
        |contract| _ = contract.queues[1].lossy.insert(Loss::Expiry),
    );
}

#[test]
fn overflow_loss() {
    breaks(
        |contract| {
            contract
                .queues
                .push(queue("copies", vec![bind("orders", "order.created")]));
            contract.queues[1].max_length = Some(10);
            contract.queues[1].overflow = Overflow::DropHead;
        },
        expect![[r#"
            when queue `copies` is full, its oldest message is dropped [overflow-loss]
            help: leave `overflow` out of `copies`, so that the publisher is refused, or sign for the loss with `lossy(overflow)`"#]],
        |contract| contract.queues[1].overflow = Overflow::RejectPublish,
    );
}

#[test]
fn deletion_loss() {
    breaks(
        |contract| contract.queues[0].expires = Some(Millis(5_000)),
        expect![[r#"
            RabbitMQ deletes queue `processing` with its messages when it has been unused for that long [deletion-loss]
            help: leave `expires` out, or sign for the loss with `lossy(deletion)`"#]],
        |contract| _ = contract.queues[0].lossy.insert(Loss::Deletion),
    );
    breaks(
        |contract| {
            contract.exchanges.push(exchange("eu", ExchangeKind::Topic));
            contract.exchanges[1].bindings = vec![bind("orders", "#")];
            contract.exchanges[1].auto_delete = true;
        },
        expect![[r#"
            exchange `eu` is deleted with its last binding, and messages from the exchange before it are dropped [deletion-loss]
            help: leave `auto_delete` out"#]],
        |contract| contract.exchanges[1].auto_delete = false,
    );
}

#[test]
fn restart_loss() {
    breaks(
        |contract| {
            contract.queues[0].kind = QueueKind::Classic;
            contract.queues[0].durable = false;
        },
        expect![[r#"
            queue `processing` is gone with its messages when the broker restarts [restart-loss]
            RabbitMQ is giving up queues that are neither durable nor exclusive
            help: leave `transient` out, add `expires = "1h"` instead if the queue is not for long, or sign for the loss with `lossy(restart)`"#]],
        |contract| _ = contract.queues[0].lossy.insert(Loss::Restart),
    );
    breaks(
        |contract| {
            contract
                .exchanges
                .push(exchange("rest", ExchangeKind::Fanout));
            contract.exchanges[1].durable = false;
            contract.exchanges[0].alternate = Some(ExchangeName::literal("rest"));
            let rest = Binding::new(ExchangeName::literal("rest"), BindingKey::None);
            contract.queues.push(queue("rest", vec![rest]));
        },
        expect![[r#"
            exchange `rest` is gone when the broker restarts, and messages that nothing else takes are dropped [restart-loss]
            help: leave `transient` out"#]],
        |contract| contract.exchanges[1].durable = true,
    );
}

#[test]
fn a_consumer_of_dead_letters_needs_no_way_out() {
    let mut contract = orders();
    contract.queues[0].dead_letter = None;
    contract.handlers[0].consumers[0].takes = Takes::DeadLetter;
    assert_eq!(check(&contract), []);
}
