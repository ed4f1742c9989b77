//! For each rule the smallest contract that breaks it, and its mended twin.

// `UPDATE_EXPECT=1` writes the expected texts, with hashes.
#![allow(clippy::needless_raw_string_hashes)]
#![allow(
    clippy::needless_pass_by_value,
    clippy::semicolon_if_nothing_returned,
    clippy::unnecessary_wraps
)]

use expect_test::{Expect, expect};

use super::check;
use crate::Millis;
use crate::key::KeyTemplate;
use crate::model::{
    Argument, Backoff, Binding, BindingKey, Consume, Contract, DeadLetter, DeadLetterOwner,
    DeliveryLimit, Exchange, ExchangeKind, Handlers, Literal, Loss, Message, MessageRef, Overflow,
    Publish, PublishKey, Publisher, Queue, QueueKind, Retry, Schedule, Takes,
};
use crate::name::{ExchangeName, Pattern, QueueName, RoutingKey};

fn exchange(name: &str, kind: ExchangeKind) -> Exchange {
    Exchange::new(ExchangeName::new(name).unwrap(), kind)
}

fn bind(exchange: &str, key: &str) -> Binding {
    Binding::new(
        ExchangeName::new(exchange).unwrap(),
        BindingKey::Pattern(Pattern::new(key).unwrap()),
    )
}

fn queue(name: &str, bindings: Vec<Binding>) -> Queue {
    let mut queue = Queue::new(QueueName::new(name).unwrap());
    queue.bindings = bindings;
    queue
}

fn dead_letter(exchange: &str, key: Option<&str>) -> Option<DeadLetter> {
    Some(DeadLetter::To {
        exchange: ExchangeName::new(exchange).unwrap(),
        key: key.map(|key| RoutingKey::new(key).unwrap()),
        owner: DeadLetterOwner::Contract,
    })
}

fn takes(message: &str) -> Takes {
    Takes::Message(MessageRef::new(message, 1))
}

fn consume(method: &str, queue: &str, takes: Takes) -> Consume {
    Consume::new(method, QueueName::new(queue).unwrap(), takes)
}

fn publish(method: &str, exchange: &str, key: &str) -> Publish {
    let key = PublishKey::Fixed(RoutingKey::new(key).unwrap());
    Publish::new(
        method,
        ExchangeName::new(exchange).unwrap(),
        key,
        MessageRef::new("order.created", 1),
    )
}

/// One exchange, one queue with a derived dead letter, one message published and consumed: works.
fn orders() -> Contract {
    let mut contract = Contract::new("orders");
    contract.exchanges = vec![exchange("orders", ExchangeKind::Topic)];
    contract.queues = vec![queue("processing", vec![bind("orders", "order.created")])];
    contract.queues[0].dead_letter = Some(DeadLetter::Derived);
    contract.messages = vec![Message::new("order.created")];
    contract.publishers = vec![Publisher::new(
        "Events",
        vec![publish("order_created", "orders", "order.created")],
    )];
    let consumers = vec![consume("process", "processing", takes("order.created"))];
    contract.handlers = vec![Handlers::new("OrderHandlers", consumers)];
    contract
}

/// `broken` breaks what works, `mended` mends that in the way that the finding's help says.
fn breaks(broken: impl Fn(&mut Contract), said: Expect, mended: impl Fn(&mut Contract)) {
    let mut contract = orders();
    broken(&mut contract);
    let findings: Vec<String> = check(&contract).iter().map(ToString::to_string).collect();
    said.assert_eq(&findings.join("\n\n"));
    mended(&mut contract);
    assert_eq!(check(&contract), []);
}

#[test]
fn the_smallest_contract_works() {
    assert_eq!(check(&orders()), []);
    assert_eq!(check(&Contract::new("empty")), []);
}

#[test]
fn unknown_entity() {
    breaks(
        |contract| contract.publishers[0].publishes[0].exchange = ExchangeName::literal("odrers"),
        expect![[r#"
            exchange `odrers` is not in the contract [unknown-entity]
            help: the contract has exchange `orders`"#]],
        |contract| contract.publishers[0].publishes[0].exchange = ExchangeName::literal("orders"),
    );
    breaks(
        |contract| contract.handlers[0].consumers[0].takes = takes("invoice.created"),
        expect![[r#"
            message `invoice.created` is not in the contract [unknown-entity]
            help: add message `invoice.created` to the contract, marked external if it is declared elsewhere"#]],
        |contract| contract.handlers[0].consumers[0].takes = takes("order.created"),
    );
}

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
            queue `processing.dlq` is derived here, and declared elsewhere in the contract [derived-name]
            help: rename the queue that is declared, or write the dead letter out"#]],
        |contract| contract.queues[1].name = QueueName::literal("other"),
    );
}

#[test]
fn binding_key_missing() {
    breaks(
        |contract| {
            contract.queues[0].bindings.push(Binding::new(
                ExchangeName::literal("orders"),
                BindingKey::None,
            ));
        },
        expect![[r#"
            `processing` is bound to exchange `orders` (topic) without a key [binding-key-missing]
            help: write the key: `bind(orders, "key")`"#]],
        |contract| contract.queues[0].bindings[1].key = BindingKey::Pattern(Pattern::literal("k")),
    );
}

#[test]
fn binding_key_ignored() {
    breaks(
        |contract| {
            contract
                .exchanges
                .push(exchange("all", ExchangeKind::Fanout));
            contract.queues[0]
                .bindings
                .push(bind("all", "order.created"));
        },
        expect![[r#"
            exchange `all` (fanout) ignores the binding key `order.created` [binding-key-ignored]
            help: leave the key out: `bind(all)`, or make `all` a topic exchange"#]],
        |contract| contract.queues[0].bindings[1].key = BindingKey::None,
    );
}

#[test]
fn wildcard_on_direct() {
    breaks(
        |contract| {
            contract
                .exchanges
                .push(exchange("direct", ExchangeKind::Direct));
            contract.queues[0].bindings.push(bind("direct", "order.#"));
        },
        expect![[r#"
            exchange `direct` (direct) takes `order.#` literally, it knows no wildcards [wildcard-on-direct]
            help: write the exact key, or make `direct` a topic exchange"#]],
        |contract| contract.exchanges[1].kind = ExchangeKind::Topic,
    );
}

#[test]
fn retry_range() {
    breaks(
        |contract| contract.queues[0].retry = Retry::ImmediateRequeue { max_retries: 101 },
        expect![[r#"
            queue `processing` cannot be retried so: 101 retries are asked for; at most 100 are possible [retry-range]
            help: set `max_retries` to 100 or less"#]],
        |contract| contract.queues[0].retry = Retry::ImmediateRequeue { max_retries: 100 },
    );
    let with_jitter = |jitter| {
        let mut backoff = Backoff::new(Schedule::Delays(vec![Millis(1_000)]));
        backoff.jitter = jitter;
        Retry::TtlBackoff(backoff)
    };
    breaks(
        |contract| contract.queues[0].retry = with_jitter(0.6),
        expect![[r#"
            queue `processing` cannot be retried so: the jitter 0.6 is outside 0.0 to 0.5 [retry-range]
            help: write a jitter of at most 0.5"#]],
        |contract| contract.queues[0].retry = with_jitter(0.5),
    );
}

#[test]
fn a_contract_has_no_more_buckets_than_can_be_had() {
    let delays = |from: u64| (from..from + 32).map(Millis).collect();
    let mut contract = Contract::new("c");
    for index in 0..128 {
        let mut queue = queue(&format!("q{index}"), vec![]);
        queue.retry = Retry::TtlBackoff(Backoff::new(Schedule::Delays(delays(1))));
        contract.queues.push(queue);
    }
    assert_eq!(check(&contract), []);
    let mut one_more = queue("one-more", vec![]);
    one_more.retry = Retry::TtlBackoff(Backoff::new(Schedule::Delays(vec![Millis(1)])));
    contract.queues.push(one_more.clone());
    one_more.name = QueueName::literal("and-another");
    contract.queues.push(one_more);
    let rules: Vec<_> = check(&contract)
        .iter()
        .map(|finding| finding.rule.id())
        .collect();
    assert_eq!(rules, ["retry-range"]);
}

#[test]
fn delivery_limit_below_retries() {
    breaks(
        |contract| {
            contract.queues[0].retry = Retry::ImmediateRequeue { max_retries: 3 };
            contract.queues[0].delivery_limit = DeliveryLimit::Count(3);
        },
        expect![[r#"
            the broker gives up messages of queue `processing` before their 3 retries are spent [delivery-limit-below-retries]
            the delivery limit is 3
            help: leave `delivery_limit` out, or set it to 4 or more"#]],
        |contract| contract.queues[0].delivery_limit = DeliveryLimit::Count(4),
    );
    breaks(
        |contract| {
            contract.queues[0].retry = Retry::ImmediateRequeue { max_retries: 20 };
            contract.queues[0].delivery_limit = DeliveryLimit::Broker;
        },
        expect![[r#"
            the broker gives up messages of queue `processing` before their 20 retries are spent [delivery-limit-below-retries]
            the delivery limit is 20
            help: leave `delivery_limit` out, or set it to 21 or more"#]],
        |contract| contract.queues[0].retry = Retry::ImmediateRequeue { max_retries: 19 },
    );
}

#[test]
fn a_classic_queue_has_no_delivery_limit() {
    let mut contract = orders();
    contract.queues[0].kind = QueueKind::Classic;
    contract.queues[0].external = true;
    contract.queues[0].retry = Retry::ImmediateRequeue { max_retries: 50 };
    assert_eq!(check(&contract), []);
}

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

#[test]
fn raw_argument() {
    let argument = |name: &'static str, value: Literal| {
        move |contract: &mut Contract| {
            contract.queues[0].arguments = vec![Argument::new(name, value.clone())];
        }
    };
    let int = Literal::Int;
    breaks(
        argument("x-max-lenght", int(5)),
        expect![[r#"
        a quorum queue of RabbitMQ reads no argument "x-max-lenght", and would not say so [raw-argument]
        help: write "x-max-length", or add `unchecked` if a plugin or a later RabbitMQ reads it"#]],
        |contract| contract.queues[0].arguments[0].unchecked = true,
    );
    breaks(
        argument("x-max-length", int(5)),
        expect![[r#"
        argument "x-max-length" has an option of its own, which is checked [raw-argument]
        help: write `max_length = N`"#]],
        |contract| {
            contract.queues[0].arguments.clear();
            contract.queues[0].max_length = Some(5);
        },
    );
    breaks(
        argument("x-quorum-initial-group-size", Literal::Bool(true)),
        expect![[r#"
            argument "x-quorum-initial-group-size" is not a whole number [raw-argument]
            help: write a whole number"#]],
        |contract| contract.queues[0].arguments[0].value = Literal::Int(3),
    );
    breaks(
        argument("x-queue-version", int(2)),
        expect![[r#"
            a quorum queue of RabbitMQ reads no argument "x-queue-version", and would not say so [raw-argument]
            help: add `unchecked` if a plugin or a later RabbitMQ reads it"#]],
        |contract| contract.queues[0].kind = QueueKind::Classic,
    );
}

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
fn an_exchange_that_is_published_to_may_be_transient() {
    let mut contract = orders();
    contract.exchanges[0].durable = false;
    contract.exchanges[0].auto_delete = true;
    assert_eq!(check(&contract), []);
}

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
fn alternate_unroutable() {
    breaks(
        |contract| {
            contract
                .exchanges
                .push(exchange("rest", ExchangeKind::Topic));
            contract.exchanges[0].alternate = Some(ExchangeName::literal("rest"));
            contract
                .queues
                .push(queue("rest", vec![bind("rest", "*.created")]));
        },
        expect![[r#"
            what exchange `orders` passes to its alternate `rest` reaches no queue [alternate-unroutable]
            such as a message with key ""
            exchange `rest` (topic) has bindings: "*.created"
            help: bind a queue to `rest` that takes key "", or make it a fanout exchange"#]],
        |contract| contract.queues[1].bindings = vec![bind("rest", "#")],
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
fn a_consumer_of_dead_letters_needs_no_way_out() {
    let mut contract = orders();
    contract.queues[0].dead_letter = None;
    contract.handlers[0].consumers[0].takes = Takes::DeadLetter;
    assert_eq!(check(&contract), []);
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

#[test]
fn every_rule_has_an_id_of_its_own_in_kebab_case() {
    use crate::finding::Rule;
    let mut ids: Vec<&str> = Rule::ALL.iter().map(|rule| rule.id()).collect();
    assert!(
        ids.iter()
            .all(|id| id.chars().all(|c| c.is_ascii_lowercase() || c == '-'))
    );
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), Rule::ALL.len());
}

#[test]
fn a_contract_survives_json() {
    let mut contract = orders();
    contract.queues[0].arguments = vec![
        Argument::new("x-a", Literal::Int(1)),
        Argument::new("x-b", Literal::Bool(true)),
        Argument::new("x-c", Literal::Text("1".into())),
    ];
    contract.queues[0].retry = Retry::TtlBackoff(Backoff::new(Schedule::Delays(vec![Millis(1)])));
    contract.queues[0].dead_letter = dead_letter("orders", None);
    contract.messages[0].schema = Some(serde_json::json!({ "type": "object" }));
    let json = serde_json::to_string(&contract).unwrap();
    assert_eq!(serde_json::from_str::<Contract>(&json).unwrap(), contract);
}
