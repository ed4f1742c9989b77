//! A message with every property and every type of header, through a retry and into the dead-letter
//! queue, on both kinds of queue.

use contract_runtime::contract_core::Millis;
use contract_runtime::contract_core::QueueName;
use contract_runtime::contract_core::model::{
    Backoff, Consume, DeadLetter, Handlers, Queue, QueueKind, Retry, Schedule, Takes,
};
use contract_runtime::dynamic::DynamicContract;
use contract_runtime::{Connection, Contract, HandlerError, HeaderValue, Worker};
use lapin::BasicProperties;
use lapin::types::{AMQPValue, DecimalValue, FieldTable};
use tests::{Raw, Vhost};
use tokio::sync::mpsc::unbounded_channel;

fn every_type() -> Vec<(&'static str, AMQPValue)> {
    let mut table = FieldTable::default();
    table.insert("inner".into(), AMQPValue::LongInt(1));
    vec![
        ("a-bool", AMQPValue::Boolean(true)),
        ("b-i8", AMQPValue::ShortShortInt(-8)),
        ("c-u8", AMQPValue::ShortShortUInt(8)),
        ("d-i16", AMQPValue::ShortInt(-16)),
        ("e-i32", AMQPValue::LongInt(-32)),
        ("f-u32", AMQPValue::LongUInt(32)),
        ("g-i64", AMQPValue::LongLongInt(-64)),
        ("h-f32", AMQPValue::Float(1.5)),
        ("i-f64", AMQPValue::Double(2.5)),
        (
            "j-decimal",
            AMQPValue::DecimalValue(DecimalValue {
                scale: 2,
                value: 314,
            }),
        ),
        ("k-text", AMQPValue::LongString("text".into())),
        ("l-not-utf8", AMQPValue::LongString(vec![0xff, 0xfe].into())),
        (
            "m-list",
            AMQPValue::FieldArray(vec![AMQPValue::Void, AMQPValue::LongInt(2)].into()),
        ),
        ("n-time", AMQPValue::Timestamp(1_700_000_000)),
        ("o-table", AMQPValue::FieldTable(table)),
        ("p-bytes", AMQPValue::ByteArray(vec![0, 1, 2].into())),
        ("q-nothing", AMQPValue::Void),
    ]
}

fn message() -> BasicProperties {
    let mut headers = FieldTable::default();
    for (name, value) in every_type() {
        headers.insert(name.into(), value);
    }
    BasicProperties::default()
        .with_content_type("application/octet-stream".into())
        .with_content_encoding("x-own".into())
        .with_headers(headers)
        .with_delivery_mode(2)
        .with_priority(7)
        .with_correlation_id("correlation".into())
        .with_reply_to("somewhere".into())
        .with_message_id("not a uuid".into())
        .with_timestamp(1_700_000_000)
        .with_type("of another team".into())
        .with_app_id("billing".into())
        .with_cluster_id("cluster".into())
}

async fn survives(kind: QueueKind) {
    let mut queue = Queue::new(QueueName::literal("any"));
    queue.kind = kind;
    queue.retry = Retry::TtlBackoff(Backoff::new(Schedule::Delays(vec![Millis(20)])));
    queue.dead_letter = Some(DeadLetter::Derived);
    let mut contract = Contract::new("any");
    contract.queues = vec![queue];
    contract.handlers = vec![Handlers::new(
        "Any",
        vec![Consume::new("take", QueueName::literal("any"), Takes::Raw)],
    )];
    let contract = DynamicContract::new(contract).expect("the contract breaks no rule");

    let vhost = Vhost::new().await;
    let connection = Connection::open(vhost.url())
        .await
        .expect("the broker can be reached");
    let (sender, mut runs) = unbounded_channel();
    let handlers = contract
        .handlers("Any")
        .expect("the contract has these handlers");
    let registry = handlers.raw("take", move |raw, delivery| {
        let sender = sender.clone();
        async move {
            let _ = sender.send((raw.body().to_vec(), delivery));
            Err(HandlerError::retryable("not ours"))
        }
    });
    let registry = registry.and_then(contract_runtime::dynamic::DynamicHandlers::registry);
    let worker = Worker::new(&connection).handlers(registry.expect("each consumer has a handler"));
    let worker = worker.start().await.expect("the worker starts");
    let raw = Raw::connect(vhost.url()).await;
    let body: Vec<u8> = (0..=255).collect();
    raw.publish("", "any", message(), &body).await;

    for attempt in 1..=2 {
        let (seen, delivery) = runs.recv().await.expect("the handler runs");
        assert_eq!(
            (seen.as_slice(), delivery.attempt()),
            (body.as_slice(), attempt)
        );
        assert_eq!(delivery.header("d-i16"), Some(HeaderValue::Int(-16)));
        assert_eq!(
            delivery.header("l-not-utf8"),
            Some(HeaderValue::Bytes(vec![0xff, 0xfe]))
        );
        assert_eq!(
            (delivery.event_id(), delivery.message_id()),
            (None, Some("not a uuid"))
        );
    }
    let letter = raw.take("any.dlq").await.delivery;
    assert_eq!(letter.data, body);
    let kept = &letter.properties;
    let sent = message();
    assert_eq!(kept.content_type(), sent.content_type());
    assert_eq!(kept.content_encoding(), sent.content_encoding());
    assert_eq!(kept.priority(), sent.priority());
    assert_eq!(kept.correlation_id(), sent.correlation_id());
    assert_eq!(kept.reply_to(), sent.reply_to());
    assert_eq!(kept.message_id(), sent.message_id());
    assert_eq!(kept.timestamp(), sent.timestamp());
    assert_eq!(kept.kind(), sent.kind());
    assert_eq!(kept.app_id(), sent.app_id());
    assert_eq!(kept.cluster_id(), sent.cluster_id());
    let headers = kept.headers().as_ref().expect("headers").inner();
    for (name, value) in every_type() {
        assert_eq!(headers.get(name), Some(&value), "{name}");
    }

    worker.shutdown().await;
    connection.close().await;
    raw.close().await;
    vhost.delete().await;
}

#[tokio::test]
async fn everything_survives_on_quorum() {
    survives(QueueKind::Quorum).await;
}

#[tokio::test]
async fn everything_survives_on_classic() {
    survives(QueueKind::Classic).await;
}
