//! What each outcome of a handler comes to.

use contract_runtime::{PublishError, Uuid};
use lapin::BasicProperties;
use tests::header;

use crate::shop::jobs::{JobEventsPublisher, Step};
use crate::shop::{Shop, job};

#[tokio::test]
async fn handled_is_acknowledged() {
    let mut shop = Shop::open().await;
    let job = job(&[Step::Succeed]);
    let receipt = shop.events.once(&job).await.expect("it is published");
    let run = shop.run().await;
    assert_eq!((run.id, run.delivery.attempt()), (job.id, 1));
    assert_eq!(run.delivery.event_id(), Some(receipt.event_id));
    assert_eq!(
        (run.delivery.exchange(), run.delivery.routing_key()),
        ("jobs", "job.once")
    );
    assert_eq!(shop.stop().await.handled, 1);
}

#[tokio::test]
async fn a_permanent_failure_is_dead_lettered_at_once() {
    let mut shop = Shop::open().await;
    let id = Uuid::now_v7();
    let events = shop
        .events
        .with(contract_runtime::PublishOptions::new().event_id(id));
    events
        .backoff(&job(&[Step::Refuse]))
        .await
        .expect("it is published");
    shop.run().await;
    let letter = shop.raw.take("backoff.dlq").await.delivery;
    let text = |name| header(&letter.properties, name).unwrap_or_default();
    assert_eq!(text("x-error-kind"), "permanent");
    assert_eq!(text("x-last-error"), "never");
    assert_eq!(text("x-attempts"), "1");
    assert_eq!(text("x-consumer"), "run_backoff");
    assert_eq!(text("x-failed-queue"), "backoff");
    assert_eq!(
        (text("x-original-exchange"), text("x-original-routing-key")),
        ("jobs".into(), "job.backoff".into())
    );
    assert_eq!(
        letter
            .properties
            .message_id()
            .as_ref()
            .map(ToString::to_string),
        Some(id.to_string())
    );
    let report = shop.stop().await;
    assert_eq!((report.dead_lettered, report.retried), (1, 0));
}

#[tokio::test]
async fn a_retryable_failure_without_retries_is_dead_lettered() {
    let mut shop = Shop::open().await;
    shop.events
        .once(&job(&[Step::Retry]))
        .await
        .expect("it is published");
    shop.run().await;
    let letter = shop.raw.take("once.dlq").await.delivery;
    assert_eq!(
        header(&letter.properties, "x-error-kind").as_deref(),
        Some("retryable")
    );
    assert_eq!(
        header(&letter.properties, "x-last-error").as_deref(),
        Some("not yet, at run 1")
    );
    shop.stop().await;
}

#[tokio::test]
async fn a_panic_is_a_failure_and_the_next_message_is_handled() {
    let mut shop = Shop::open().await;
    shop.events
        .once(&job(&[Step::Panic]))
        .await
        .expect("it is published");
    shop.run().await;
    let letter = shop.raw.take("once.dlq").await.delivery;
    assert_eq!(
        header(&letter.properties, "x-error-kind").as_deref(),
        Some("panic")
    );
    assert_eq!(
        header(&letter.properties, "x-last-error").as_deref(),
        Some("the handler panicked: as told")
    );
    shop.events
        .once(&job(&[Step::Succeed]))
        .await
        .expect("it is published");
    shop.run().await;
    assert_eq!(shop.stop().await.handled, 1);
}

#[tokio::test]
async fn a_handler_that_never_returns_is_a_failure() {
    let mut shop = Shop::open().await;
    shop.events
        .once(&job(&[Step::Hang]))
        .await
        .expect("it is published");
    shop.run().await;
    let letter = shop.raw.take("once.dlq").await.delivery;
    assert_eq!(
        header(&letter.properties, "x-error-kind").as_deref(),
        Some("timeout")
    );
    assert_eq!(
        header(&letter.properties, "x-last-error").as_deref(),
        Some("the handler did not return within 1s")
    );
    shop.stop().await;
}

#[tokio::test]
async fn a_body_that_violates_its_schema_never_reaches_the_handler() {
    let shop = Shop::open().await;
    let body = br#"{ "id": "00000000-0000-4000-8000-000000000000", "steps": [] }"#;
    shop.raw
        .publish("jobs", "job.backoff", BasicProperties::default(), body)
        .await;
    let letter = shop.raw.take("backoff.dlq").await.delivery;
    assert_eq!(letter.data, body);
    assert_eq!(
        header(&letter.properties, "x-error-kind").as_deref(),
        Some("schema")
    );
    let errors = header(&letter.properties, "x-schema-errors").expect("the errors are attached");
    let errors: serde_json::Value = serde_json::from_str(&errors).expect("the errors are JSON");
    assert_eq!(
        (&errors[0]["pointer"], &errors[0]["keyword"]),
        (&"/steps".into(), &"minItems".into())
    );
    let report = shop.stop().await;
    assert_eq!(
        (report.dead_lettered, report.retried, report.handled),
        (1, 0, 0)
    );
}

#[tokio::test]
async fn what_is_not_json_never_reaches_the_handler() {
    let shop = Shop::open().await;
    let deep = "[".repeat(100_000);
    let bodies: [&[u8]; 5] = [b"", b"{", b"\xef\xbb\xbf{}", b"{} {}", deep.as_bytes()];
    for body in bodies {
        shop.raw
            .publish("jobs", "job.backoff", BasicProperties::default(), body)
            .await;
        let letter = shop.raw.take("backoff.dlq").await.delivery;
        assert_eq!(
            header(&letter.properties, "x-error-kind").as_deref(),
            Some("decode")
        );
        assert_eq!(letter.data, body);
    }
    let properties = BasicProperties::default().with_content_type("text/plain".into());
    shop.raw
        .publish("jobs", "job.backoff", properties, b"{}")
        .await;
    let letter = shop.raw.take("backoff.dlq").await.delivery;
    assert_eq!(
        header(&letter.properties, "x-error-kind").as_deref(),
        Some("decode")
    );
    assert_eq!(shop.stop().await.dead_lettered, 6);
}

#[tokio::test]
async fn an_unknown_message_or_version_is_dead_lettered() {
    let shop = Shop::open().await;
    let unknown = BasicProperties::default().with_type("order".into());
    shop.raw.publish("jobs", "job.once", unknown, b"{}").await;
    let letter = shop.raw.take("once.dlq").await.delivery;
    assert_eq!(
        header(&letter.properties, "x-error-kind").as_deref(),
        Some("unknown-message")
    );
    let error = header(&letter.properties, "x-last-error").expect("the reason is attached");
    assert!(
        error.contains("`order`") && error.contains("`job`"),
        "{error}"
    );
    assert!(header(&letter.properties, "x-consumer").is_none());
    shop.stop().await;
}

#[tokio::test]
async fn a_publish_that_reaches_no_queue_is_unroutable() {
    let vhost = tests::Vhost::new().await;
    let connection = contract_runtime::Connection::open(vhost.url())
        .await
        .expect("the broker is there");
    connection
        .declare(crate::shop::jobs::contract())
        .await
        .expect("the vhost is empty");
    vhost.delete_queue("once").await;
    let events = JobEventsPublisher::new(&connection);
    let error = events
        .once(&job(&[Step::Succeed]))
        .await
        .expect_err("the queue is gone");
    match error {
        PublishError::Unroutable {
            exchange,
            routing_key,
            ..
        } => {
            assert_eq!(
                (exchange.as_str(), routing_key.as_str()),
                ("jobs", "job.once")
            );
        }
        other => panic!("{other}"),
    }
    events
        .requeue(&job(&[Step::Succeed]))
        .await
        .expect("the others go on");
    connection.close().await;
    vhost.delete().await;
}
