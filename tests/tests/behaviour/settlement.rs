//! Each cell of the settlement table, on both kinds of queue: the message is in its place exactly once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use contract_runtime::contract_core::model::{
    Backoff, Consume, DeadLetter, Handlers, Message, Queue, QueueKind, Retry, Schedule, Takes,
};
use contract_runtime::contract_core::{Millis, QueueName};
use contract_runtime::dynamic::DynamicContract;
use contract_runtime::{Connection, Contract, HandlerError, HandlerResult, Uuid, Worker};
use lapin::BasicProperties;
use lapin::types::{AMQPValue, FieldTable};
use serde_json::{Value, json};
use tests::{Raw, Vhost, eventually, header};

/// What is sent, and what must come of it.
struct Cell {
    name: &'static str,
    properties: BasicProperties,
    body: Vec<u8>,
    /// How often the handler runs.
    runs: u32,
    /// The kind and the attempts of its dead letter; none if it is handled.
    dead: Option<(&'static str, u32)>,
}

/// The cells of a policy that tries `retries` times again.
fn cells(retries: u32) -> Vec<Cell> {
    let told = |steps: &[&str]| json!({ "steps": steps }).to_string().into_bytes();
    let plain = BasicProperties::default;
    let all = retries + 1;
    let first_fails = if retries > 0 {
        (2, None)
    } else {
        (1, Some(("retryable", 1)))
    };
    let metadata = AMQPValue::LongString("many".into());
    let mut headers = FieldTable::default();
    // Immediate requeue on quorum counts by the broker and reads no count of ours, but a version.
    headers.insert("x-schema-version".into(), metadata);
    let cell = |name, properties, body, runs, dead| Cell {
        name,
        properties,
        body,
        runs,
        dead,
    };
    vec![
        cell("handled", plain(), told(&["ok"]), 1, None),
        cell(
            "permanent",
            plain(),
            told(&["permanent"]),
            1,
            Some(("permanent", 1)),
        ),
        cell(
            "first-fails",
            plain(),
            told(&["retryable", "ok"]),
            first_fails.0,
            first_fails.1,
        ),
        cell(
            "retryable",
            plain(),
            told(&["retryable"]),
            all,
            Some(("retryable", all)),
        ),
        cell(
            "timeout",
            plain(),
            told(&["hang"]),
            all,
            Some(("timeout", all)),
        ),
        cell(
            "panic",
            plain(),
            told(&["panic"]),
            all,
            Some(("panic", all)),
        ),
        cell("schema", plain(), b"{}".to_vec(), 0, Some(("schema", 1))),
        cell("decode", plain(), b"{".to_vec(), 0, Some(("decode", 1))),
        cell(
            "unknown",
            plain().with_type("other".into()),
            told(&["ok"]),
            0,
            Some(("unknown-message", 1)),
        ),
        cell(
            "metadata",
            plain().with_headers(headers),
            told(&["ok"]),
            0,
            Some(("metadata", 1)),
        ),
    ]
}

fn contract(kind: QueueKind, retry: Retry) -> DynamicContract {
    let mut queue = Queue::new(QueueName::literal("work"));
    queue.kind = kind;
    queue.retry = retry;
    queue.dead_letter = Some(DeadLetter::Derived);
    let mut message = Message::new("work");
    message.schema = Some(json!({ "type": "object", "required": ["steps"] }));
    let mut consume = Consume::new(
        "run",
        QueueName::literal("work"),
        Takes::Message(message.reference()),
    );
    consume.timeout = Some(Millis(300));
    let mut contract = Contract::new("settlement");
    contract.queues = vec![queue];
    contract.messages = vec![message];
    contract.handlers = vec![Handlers::new("Work", vec![consume])];
    DynamicContract::new(contract).expect("the contract breaks no rule")
}

async fn obey(body: Value, attempt: u32) -> HandlerResult {
    let steps = body["steps"].as_array().cloned().unwrap_or_default();
    let step = steps
        .get(attempt as usize - 1)
        .or(steps.last())
        .and_then(Value::as_str);
    match step {
        Some("retryable") => Err(HandlerError::retryable("later")),
        Some("permanent") => Err(HandlerError::permanent("never")),
        Some("panic") => panic!("as told"),
        Some("hang") => std::future::pending().await,
        _ => Ok(()),
    }
}

async fn every_cell(kind: QueueKind, retry: Retry) {
    let vhost = Vhost::new().await;
    let connection = Connection::open(vhost.url())
        .await
        .expect("the broker can be reached");
    let retries = retry.max_retries();
    let contract = contract(kind, retry);
    let runs: Arc<Mutex<BTreeMap<String, u32>>> = Arc::default();
    let seen = Arc::clone(&runs);
    let handlers = contract
        .handlers("Work")
        .expect("the contract has these handlers");
    let handlers = handlers.json("run", move |body: Value, delivery| {
        let id = delivery
            .message_id()
            .expect("every copy has its id")
            .to_owned();
        *seen
            .lock()
            .expect("nobody panics with it")
            .entry(id)
            .or_default() += 1;
        async move { obey(body, delivery.attempt()).await }
    });
    let registry = handlers.and_then(contract_runtime::dynamic::DynamicHandlers::registry);
    let worker = Worker::new(&connection).handlers(registry.expect("each consumer has a handler"));
    let worker = worker.start().await.expect("the worker starts");
    let raw = Raw::connect(vhost.url()).await;

    let cells: BTreeMap<String, Cell> = cells(retries)
        .into_iter()
        .map(|cell| (Uuid::now_v7().to_string(), cell))
        .collect();
    for (id, cell) in &cells {
        let properties = cell.properties.clone().with_message_id(id.as_str().into());
        raw.publish("", "work", properties, &cell.body).await;
    }
    let expected_dead = cells.values().filter(|cell| cell.dead.is_some()).count() as u64;
    let expected_handled = cells.len() as u64 - expected_dead;
    eventually("every message is settled", async || {
        let report = worker.report();
        ((report.handled, report.dead_lettered) == (expected_handled, expected_dead)).then_some(())
    })
    .await;

    let mut dead = BTreeMap::new();
    while let Some(letter) = raw.get("work.dlq").await {
        let properties = &letter.delivery.properties;
        let id = properties
            .message_id()
            .as_ref()
            .map(ToString::to_string)
            .expect("its id is kept");
        let text = |name| header(properties, name).unwrap_or_default();
        assert_eq!(text("x-failed-queue"), "work");
        let why = (text("x-error-kind"), text("x-attempts"));
        assert_eq!(letter.delivery.data, cells[&id].body, "{}", cells[&id].name);
        assert!(
            dead.insert(id, why).is_none(),
            "one dead letter for each message"
        );
    }
    let runs = runs.lock().expect("nobody panics with it").clone();
    for (id, cell) in &cells {
        assert_eq!(
            runs.get(id).copied().unwrap_or_default(),
            cell.runs,
            "{}",
            cell.name
        );
        let expected = cell
            .dead
            .map(|(kind, attempts)| (kind.to_owned(), attempts.to_string()));
        assert_eq!(dead.get(id), expected.as_ref(), "{}", cell.name);
    }
    let report = worker.shutdown().await;
    assert_eq!(
        report.settlements_lost + report.not_handed_on + report.abandoned,
        0,
        "{report}"
    );
    for queue in vhost.queues().await {
        assert_eq!(raw.count(&queue).await, 0, "nothing is left in `{queue}`");
    }
    connection.close().await;
    raw.close().await;
    vhost.delete().await;
}

fn backoff() -> Retry {
    Retry::TtlBackoff(Backoff::new(Schedule::Delays(vec![
        Millis(20),
        Millis(40),
        Millis(20),
    ])))
}

macro_rules! policies {
    ($($test:ident: $kind:ident, $retry:expr;)*) => {
        $(#[tokio::test]
        async fn $test() {
            every_cell(QueueKind::$kind, $retry).await;
        })*
    };
}

policies! {
    none_on_quorum: Quorum, Retry::None;
    none_on_classic: Classic, Retry::None;
    immediate_requeue_on_quorum: Quorum, Retry::ImmediateRequeue { max_retries: 3 };
    immediate_requeue_on_classic: Classic, Retry::ImmediateRequeue { max_retries: 3 };
    ttl_backoff_on_quorum: Quorum, backoff();
    ttl_backoff_on_classic: Classic, backoff();
}
