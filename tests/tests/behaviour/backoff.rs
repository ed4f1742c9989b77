//! Retries that wait in buckets.

use std::time::Duration;

use tests::{eventually, header};

use crate::shop::jobs::Step;
use crate::shop::{Shop, job};

/// A broker's clock may be this much ahead of ours.
const EARLY: Duration = Duration::from_millis(1);

#[tokio::test]
async fn each_retry_waits_its_pause_and_the_message_is_the_same() {
    let mut shop = Shop::open().await;
    let job = job(&[Step::Retry, Step::Retry, Step::Succeed]);
    let receipt = shop.events.backoff(&job).await.expect("it is published");
    let runs = [shop.run().await, shop.run().await, shop.run().await];
    for (run, attempt) in runs.iter().zip(1..) {
        assert_eq!((run.id, run.delivery.attempt()), (job.id, attempt));
        assert_eq!(run.delivery.event_id(), Some(receipt.event_id));
        assert_eq!(
            (run.delivery.exchange(), run.delivery.routing_key()),
            ("jobs", "job.backoff")
        );
    }
    assert!(runs[1].at - runs[0].at + EARLY >= Duration::from_millis(100));
    assert!(runs[2].at - runs[1].at + EARLY >= Duration::from_millis(300));
    let report = shop.stop().await;
    assert_eq!(
        (report.handled, report.retried, report.dead_lettered),
        (1, 2, 0)
    );
}

#[tokio::test]
async fn spent_retries_are_dead_lettered_with_the_last_error() {
    let mut shop = Shop::open().await;
    shop.events
        .backoff(&job(&[Step::Retry]))
        .await
        .expect("it is published");
    for attempt in 1..=3 {
        assert_eq!(shop.run().await.delivery.attempt(), attempt);
    }
    let letter = shop.raw.take("backoff.dlq").await.delivery;
    let text = |name| header(&letter.properties, name);
    assert_eq!(text("x-attempts").as_deref(), Some("3"));
    assert_eq!(text("x-last-error").as_deref(), Some("not yet, at run 3"));
    assert_eq!(
        text("x-original-routing-key").as_deref(),
        Some("job.backoff")
    );
    assert_eq!((text("x-retry-count"), text("x-retry-queue")), (None, None));
    let millis = |name| {
        text(name)
            .and_then(|text| text.parse::<i64>().ok())
            .expect("a time")
    };
    assert!(millis("x-last-failure-timestamp") >= millis("x-first-failure-timestamp") + 399);
    shop.stop().await;
}

#[tokio::test]
async fn a_retry_is_seen_by_no_other_queue_on_the_same_key() {
    let mut shop = Shop::open().await;
    shop.events
        .backoff(&job(&[Step::Retry]))
        .await
        .expect("it is published");
    for _ in 0..3 {
        shop.run().await;
    }
    shop.raw.take("backoff.dlq").await;
    shop.raw.take("sibling").await;
    assert_eq!(shop.raw.count("sibling").await, 0, "one copy, and no retry");
    shop.stop().await;
}

#[tokio::test]
async fn a_short_pause_does_not_wait_behind_a_long_one() {
    let mut shop = Shop::open().await;
    // The first job has used its 1 s and waits for 60 s when the second starts its own 1 s.
    let slow = job(&[Step::Retry]);
    shop.events.patient(&slow).await.expect("it is published");
    shop.run().await;
    shop.run().await;
    eventually("the first job waits for 60 s", async || {
        (shop.raw.count("patient.retry.v1.60000ms").await == 1).then_some(())
    })
    .await;
    let quick = job(&[Step::Retry, Step::Succeed]);
    shop.events.patient(&quick).await.expect("it is published");
    let (first, second) = (shop.run().await, shop.run().await);
    assert_eq!((first.id, second.id), (quick.id, quick.id));
    let waited = second.at - first.at;
    assert!(waited + EARLY >= Duration::from_secs(1), "{waited:?}");
    // Behind the other it would have been a minute: half of that says it was not.
    assert!(waited < Duration::from_secs(30), "{waited:?}");
    shop.stop().await;
}
