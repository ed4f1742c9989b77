//! Every option of exchanges, queues and bindings, declared and read back.

use contract_runtime::contract_core::model::{
    Argument, Backoff, Binding, BindingKey, DeadLetter, DeadLetterOwner, DeliveryLimit, Exchange,
    ExchangeKind, HeaderMatch, Literal, Loss, Overflow, Queue, QueueKind, Retry, Schedule,
};
use contract_runtime::contract_core::{ExchangeName, Millis, Pattern, QueueName, RoutingKey};
use contract_runtime::{Connection, Contract};
use serde_json::{Value, json};
use tests::Vhost;

const EXCHANGE: ExchangeName = ExchangeName::literal("events");

/// What each option of a queue adds to (or, where null, takes from) the arguments of a plain one.
fn queue_options() -> Vec<(&'static str, fn(&mut Queue), Value)> {
    vec![
        ("plain", |_| {}, json!({})),
        (
            "classic",
            |queue| queue.kind = QueueKind::Classic,
            json!({ "x-queue-type": "classic", "x-delivery-limit": null }),
        ),
        (
            "message-ttl",
            |queue| queue.message_ttl = Some(Millis(600_000)),
            json!({ "x-message-ttl": 600_000 }),
        ),
        (
            "expires",
            |queue| queue.expires = Some(Millis(3_600_000)),
            json!({ "x-expires": 3_600_000 }),
        ),
        (
            "max-length",
            |queue| queue.max_length = Some(10),
            json!({ "x-max-length": 10 }),
        ),
        (
            "max-length-bytes",
            |queue| queue.max_length_bytes = Some(5_000_000_000),
            json!({ "x-max-length-bytes": 5_000_000_000_u64 }),
        ),
        (
            "drop-head",
            |queue| queue.overflow = Overflow::DropHead,
            json!({ "x-overflow": "drop-head" }),
        ),
        (
            "delivery-limit",
            |queue| queue.delivery_limit = DeliveryLimit::Count(7),
            json!({ "x-delivery-limit": 7 }),
        ),
        (
            "delivery-limit-broker",
            |queue| queue.delivery_limit = DeliveryLimit::Broker,
            json!({ "x-delivery-limit": null }),
        ),
        (
            "single-active-consumer",
            |queue| queue.single_active_consumer = true,
            json!({ "x-single-active-consumer": true }),
        ),
        (
            "max-priority",
            |queue| {
                queue.kind = QueueKind::Classic;
                queue.max_priority = Some(5);
            },
            json!({ "x-queue-type": "classic", "x-delivery-limit": null, "x-max-priority": 5 }),
        ),
        (
            "argument",
            |queue| {
                queue.arguments = vec![Argument::new(
                    "x-quorum-initial-group-size",
                    Literal::Int(1),
                )]
            },
            json!({ "x-quorum-initial-group-size": 1 }),
        ),
        (
            "lossy-poison",
            |queue| _ = queue.lossy.insert(Loss::Poison),
            json!({ "x-delivery-limit": 120 }),
        ),
        (
            "dead-letter",
            |queue| queue.dead_letter = Some(DeadLetter::Derived),
            json!({
                "x-delivery-limit": 120,
                "x-dead-letter-exchange": "dead-letter.dlx",
                "x-dead-letter-routing-key": "dead-letter",
                "x-dead-letter-strategy": "at-least-once",
            }),
        ),
        (
            "dead-letter-to",
            |queue| queue.dead_letter = to(Some("failed"), DeadLetterOwner::External),
            json!({
                "x-delivery-limit": 120,
                "x-dead-letter-exchange": "events",
                "x-dead-letter-routing-key": "failed",
                "x-dead-letter-strategy": "at-least-once",
            }),
        ),
        (
            "dead-letter-keeps-key",
            |queue| queue.dead_letter = to(None, DeadLetterOwner::External),
            json!({
                "x-delivery-limit": 120,
                "x-dead-letter-exchange": "events",
                "x-dead-letter-strategy": "at-least-once",
            }),
        ),
        (
            "dead-letter-by-policy",
            |queue| queue.dead_letter = to(Some("failed"), DeadLetterOwner::Policy),
            json!({ "x-delivery-limit": 120 }),
        ),
        (
            "dead-letter-classic",
            |queue| {
                queue.kind = QueueKind::Classic;
                queue.dead_letter = to(Some("failed"), DeadLetterOwner::External);
            },
            json!({
                "x-queue-type": "classic",
                "x-delivery-limit": null,
                "x-dead-letter-exchange": "events",
                "x-dead-letter-routing-key": "failed",
            }),
        ),
    ]
}

fn to(key: Option<&'static str>, owner: DeadLetterOwner) -> Option<DeadLetter> {
    Some(DeadLetter::To {
        exchange: EXCHANGE,
        key: key.map(RoutingKey::literal),
        owner,
    })
}

fn changed(mut arguments: Value, by: &Value) -> Value {
    for (name, value) in by.as_object().into_iter().flatten() {
        if value.is_null() {
            arguments.as_object_mut().expect("arguments").remove(name);
        } else {
            arguments[name] = value.clone();
        }
    }
    arguments
}

async fn declared(contract: &Contract) -> Vhost {
    let vhost = Vhost::new().await;
    let connection = Connection::open(vhost.url())
        .await
        .expect("the broker can be reached");
    connection
        .declare(contract)
        .await
        .expect("it can be declared");
    // The same once more: nothing differs.
    connection
        .declare(contract)
        .await
        .expect("it can be declared again");
    connection.close().await;
    vhost
}

#[tokio::test]
async fn every_option_of_a_queue_is_declared() {
    let plain = json!({ "x-queue-type": "quorum", "x-overflow": "reject-publish", "x-delivery-limit": 0x7fff_ffff });
    let mut contract = Contract::new("options");
    contract.exchanges = vec![Exchange::new(EXCHANGE, ExchangeKind::Topic)];
    for (name, set, _) in queue_options() {
        let mut queue = Queue::new(QueueName::literal(name));
        set(&mut queue);
        contract.queues.push(queue);
    }
    let vhost = declared(&contract).await;
    for (name, _, difference) in queue_options() {
        let queue = vhost.queue(name).await.expect("the queue exists");
        assert_eq!(
            queue["arguments"],
            changed(plain.clone(), &difference),
            "{name}"
        );
        let flags = (
            &queue["durable"],
            &queue["auto_delete"],
            &queue["exclusive"],
        );
        assert_eq!(
            flags,
            (&json!(true), &json!(false), &json!(false)),
            "{name}"
        );
    }
    vhost.delete().await;
}

#[tokio::test]
async fn the_flags_of_classic_queues_are_declared() {
    let mut contract = Contract::new("flags");
    let classic = |name, set: fn(&mut Queue)| {
        let mut queue = Queue::new(QueueName::literal(name));
        queue.kind = QueueKind::Classic;
        set(&mut queue);
        queue
    };
    contract.queues = vec![
        classic("auto-delete", |queue| queue.auto_delete = true),
        classic("transient", |queue| queue.durable = false),
    ];
    let vhost = declared(&contract).await;
    let auto_delete = vhost.queue("auto-delete").await.expect("the queue exists");
    assert_eq!(auto_delete["auto_delete"], json!(true));
    let transient = vhost.queue("transient").await.expect("the queue exists");
    assert_eq!(transient["durable"], json!(false));
    vhost.delete().await;
}

#[tokio::test]
async fn a_retry_policy_is_declared_as_its_buckets() {
    let mut contract = Contract::new("retry");
    let mut queue = Queue::new(QueueName::literal("jobs"));
    let mut backoff = Backoff::new(Schedule::Exponential {
        max_retries: 3,
        initial: Millis(1_000),
        max: Millis(3_000),
        multiplier: 2.0,
    });
    backoff.jitter = 0.1;
    backoff.bucket_max_length = Some(50);
    queue.retry = Retry::TtlBackoff(backoff);
    contract.queues = vec![queue];
    let vhost = declared(&contract).await;
    let names = ["1000", "1100", "1800", "2000", "2200", "2700", "3000"];
    let expected: Vec<String> = names
        .iter()
        .map(|delay| format!("jobs.retry.v1.{delay}ms.max50"))
        .collect();
    let mut all: Vec<String> = vhost.queues().await;
    all.retain(|name| name != "jobs");
    assert_eq!(all, expected);
    let bucket = vhost.queue(&expected[0]).await.expect("the bucket exists");
    assert_eq!(bucket["arguments"]["x-max-length"], json!(50));
    assert_eq!(bucket["arguments"]["x-message-ttl"], json!(1_000));
    vhost.delete().await;
}

#[tokio::test]
async fn every_option_of_an_exchange_is_declared() {
    let mut contract = Contract::new("exchanges");
    let exchange = |name, kind, set: fn(&mut Exchange)| {
        let mut exchange = Exchange::new(ExchangeName::literal(name), kind);
        set(&mut exchange);
        exchange
    };
    contract.exchanges = vec![
        exchange("topic", ExchangeKind::Topic, |_| {}),
        exchange("direct", ExchangeKind::Direct, |exchange| {
            exchange.durable = false
        }),
        exchange("fanout", ExchangeKind::Fanout, |exchange| {
            exchange.internal = true
        }),
        exchange("headers", ExchangeKind::Headers, |exchange| {
            exchange.alternate = Some(ExchangeName::literal("topic"));
        }),
        exchange(
            "last",
            ExchangeKind::Custom("fanout".to_owned()),
            |exchange| {
                exchange.auto_delete = true;
                exchange.bindings = vec![Binding::new(
                    ExchangeName::literal("topic"),
                    BindingKey::Pattern(Pattern::literal("a.#")),
                )];
            },
        ),
    ];
    let vhost = declared(&contract).await;
    let read = async |name: &str| {
        let exchange = vhost.exchange(name).await.expect("the exchange exists");
        let flags = ["durable", "auto_delete", "internal"].map(|flag| exchange[flag].as_bool());
        (
            exchange["type"].clone(),
            flags,
            exchange["arguments"].clone(),
        )
    };
    let flags = |durable, auto_delete, internal| [durable, auto_delete, internal].map(Some);
    assert_eq!(
        read("topic").await,
        (json!("topic"), flags(true, false, false), json!({}))
    );
    assert_eq!(
        read("direct").await,
        (json!("direct"), flags(false, false, false), json!({}))
    );
    assert_eq!(
        read("fanout").await,
        (json!("fanout"), flags(true, false, true), json!({}))
    );
    let alternate = json!({ "alternate-exchange": "topic" });
    assert_eq!(
        read("headers").await,
        (json!("headers"), flags(true, false, false), alternate)
    );
    assert_eq!(
        read("last").await,
        (json!("fanout"), flags(true, true, false), json!({}))
    );
    let bindings = vhost.bindings_of_exchange("last").await;
    assert_eq!(
        bindings,
        [("topic".to_owned(), "a.#".to_owned(), json!({}))]
    );
    vhost.delete().await;
}

#[tokio::test]
async fn every_form_of_a_binding_is_declared() {
    let mut contract = Contract::new("bindings");
    contract.exchanges = vec![
        Exchange::new(ExchangeName::literal("all"), ExchangeKind::Fanout),
        Exchange::new(EXCHANGE, ExchangeKind::Topic),
        Exchange::new(ExchangeName::literal("headers"), ExchangeKind::Headers),
    ];
    let wanted = |all| {
        let headers = vec![
            ("region".to_owned(), Literal::Text("eu".to_owned())),
            ("priority".to_owned(), Literal::Int(3)),
            ("urgent".to_owned(), Literal::Bool(true)),
        ];
        Binding::new(
            ExchangeName::literal("headers"),
            BindingKey::Headers(HeaderMatch::new(all, headers)),
        )
    };
    let mut queue = Queue::new(QueueName::literal("q"));
    queue.bindings = vec![
        Binding::new(ExchangeName::literal("all"), BindingKey::None),
        Binding::new(EXCHANGE, BindingKey::Pattern(Pattern::literal("order.*"))),
        wanted(true),
        wanted(false),
    ];
    contract.queues = vec![queue];
    let vhost = declared(&contract).await;
    let arguments = |matched: &str| json!({ "x-match": matched, "region": "eu", "priority": 3, "urgent": true });
    let mut bindings = vhost.bindings_of_queue("q").await;
    bindings.sort_by_key(|(source, _, arguments)| (source.clone(), arguments.to_string()));
    let binding =
        |source: &str, key: &str, arguments| (source.to_owned(), key.to_owned(), arguments);
    let keyless: Vec<_> = bindings
        .into_iter()
        .map(|(source, key, arguments)| {
            // A headers binding's key is the broker's own hash of its arguments where none is given.
            let key = if source == "headers" {
                String::new()
            } else {
                key
            };
            (source, key, arguments)
        })
        .collect();
    assert_eq!(
        keyless,
        [
            binding("all", "", json!({})),
            binding("events", "order.*", json!({})),
            binding("headers", "", arguments("all")),
            binding("headers", "", arguments("any")),
        ]
    );
    vhost.delete().await;
}
