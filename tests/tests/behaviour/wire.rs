//! What copies keep, and what they do with counts that others wrote.

use lapin::BasicProperties;
use lapin::types::{AMQPValue, FieldTable};
use tests::header;

use crate::shop::jobs::Step;
use crate::shop::{Shop, job};

fn body(steps: &[Step]) -> Vec<u8> {
    serde_json::to_vec(&job(steps)).expect("a job is JSON")
}

fn headers(entries: &[(&str, AMQPValue)]) -> FieldTable {
    let mut table = FieldTable::default();
    for (name, value) in entries {
        table.insert((*name).into(), value.clone());
    }
    table
}

#[tokio::test]
async fn a_message_of_another_producer_keeps_what_it_had() {
    let mut shop = Shop::open().await;
    let properties = BasicProperties::default()
        .with_correlation_id("correlation".into())
        .with_reply_to("somewhere".into())
        .with_app_id("billing".into())
        .with_timestamp(1_700_000_000)
        .with_priority(3)
        .with_expiration("60000".into())
        .with_headers(headers(&[
            ("tenant", AMQPValue::ShortInt(7)),
            (
                "CC",
                AMQPValue::FieldArray(vec![AMQPValue::LongString("nowhere".into())].into()),
            ),
        ]));
    let body = body(&[Step::Retry, Step::Refuse]);
    shop.raw
        .publish("jobs", "job.backoff", properties, &body)
        .await;
    shop.run().await;
    let second = shop.run().await;
    assert_eq!(second.delivery.attempt(), 2);
    assert_eq!(second.delivery.message_id(), None, "none is invented");
    let letter = shop.raw.take("backoff.dlq").await.delivery;
    assert_eq!(letter.data, body);
    let properties = &letter.properties;
    assert_eq!(
        properties
            .correlation_id()
            .as_ref()
            .map(ToString::to_string),
        Some("correlation".into())
    );
    assert_eq!(
        properties.reply_to().as_ref().map(ToString::to_string),
        Some("somewhere".into())
    );
    assert_eq!(
        properties.app_id().as_ref().map(ToString::to_string),
        Some("billing".into())
    );
    assert_eq!(
        (properties.timestamp(), properties.priority()),
        (&Some(1_700_000_000), &Some(3))
    );
    assert_eq!(
        (properties.expiration(), properties.message_id()),
        (&None, &None)
    );
    let table = properties.headers().as_ref().expect("headers").inner();
    assert_eq!(table["tenant"], AMQPValue::ShortInt(7));
    assert!(!table.contains_key("CC") && !table.contains_key("x-death"));
    assert_eq!(
        header(properties, "x-original-expiration").as_deref(),
        Some("60000")
    );
    shop.stop().await;
}

#[tokio::test]
async fn a_malformed_count_is_never_guessed_at() {
    let shop = Shop::open().await;
    let counts = [
        AMQPValue::LongString("0".into()),
        AMQPValue::LongInt(-1),
        AMQPValue::LongLongInt(101),
        AMQPValue::Void,
    ];
    for count in counts {
        let properties =
            BasicProperties::default().with_headers(headers(&[("x-retry-count", count)]));
        shop.raw
            .publish("jobs", "job.backoff", properties, &body(&[Step::Succeed]))
            .await;
        let letter = shop.raw.take("backoff.dlq").await.delivery;
        assert_eq!(
            header(&letter.properties, "x-error-kind").as_deref(),
            Some("metadata")
        );
    }
    assert_eq!(shop.stop().await.dead_lettered, 4);
}

#[tokio::test]
async fn a_count_made_for_another_queue_is_not_ours() {
    let mut shop = Shop::open().await;
    let spent = headers(&[
        ("x-retry-count", AMQPValue::LongInt(2)),
        ("x-retry-queue", AMQPValue::LongString("elsewhere".into())),
    ]);
    let properties = BasicProperties::default().with_headers(spent);
    shop.raw
        .publish("jobs", "job.backoff", properties, &body(&[Step::Succeed]))
        .await;
    assert_eq!(shop.run().await.delivery.attempt(), 1);
    shop.stop().await;
}

#[tokio::test]
async fn a_long_error_is_cut_and_the_connection_lives() {
    let mut shop = Shop::open().await;
    let long = format!(
        "{{\"id\":\"{}\",\"steps\":[\"{}\"]}}",
        "é".repeat(200_000),
        "x"
    );
    shop.raw
        .publish(
            "jobs",
            "job.once",
            BasicProperties::default(),
            long.as_bytes(),
        )
        .await;
    let letter = shop.raw.take("once.dlq").await.delivery;
    assert_eq!(letter.data, long.as_bytes());
    let error = header(&letter.properties, "x-last-error").expect("a reason");
    assert!(error.len() <= 1024 && !error.contains('é'), "{error}");
    shop.events
        .once(&job(&[Step::Succeed]))
        .await
        .expect("the connection lives");
    shop.run().await;
    shop.stop().await;
}

#[tokio::test]
async fn headers_that_leave_no_room_are_dead_lettered_by_the_broker() {
    let mut shop = Shop::open().await;
    // Without ours it fits one frame with room to die in; with ours it does not.
    let full = headers(&[("own", AMQPValue::LongString("h".repeat(126_800).into()))]);
    let properties = BasicProperties::default().with_headers(full);
    shop.raw
        .publish("jobs", "job.backoff", properties, &body(&[Step::Retry]))
        .await;
    shop.run().await;
    let letter = shop.raw.take("backoff.dlq").await.delivery;
    let table = letter
        .properties
        .headers()
        .as_ref()
        .expect("headers")
        .inner();
    assert!(table.contains_key("own") && table.contains_key("x-death"));
    assert!(!table.contains_key("x-error-kind"));
    shop.events
        .backoff(&job(&[Step::Succeed]))
        .await
        .expect("the connection lives");
    shop.run().await;
    let report = shop.stop().await;
    assert_eq!((report.rejected, report.retried, report.handled), (1, 0, 1));
}

#[tokio::test]
async fn ours_give_way_where_the_messages_own_leave_little_room() {
    let mut shop = Shop::open().await;
    let full = headers(&[("own", AMQPValue::LongString("h".repeat(126_000).into()))]);
    let properties = BasicProperties::default().with_headers(full);
    let wrong = format!("{{\"id\":\"{}\",\"steps\":[]}}", "x".repeat(2_000));
    shop.raw
        .publish("jobs", "job.backoff", properties, wrong.as_bytes())
        .await;
    let letter = shop.raw.take("backoff.dlq").await.delivery;
    let table = letter
        .properties
        .headers()
        .as_ref()
        .expect("headers")
        .inner();
    assert!(table.contains_key("own") && !table.contains_key("x-death"));
    assert_eq!(
        header(&letter.properties, "x-error-kind").as_deref(),
        Some("schema")
    );
    shop.events
        .backoff(&job(&[Step::Succeed]))
        .await
        .expect("the connection lives");
    shop.run().await;
    shop.stop().await;
}
