//! Retries at once.

use tests::header;

use crate::shop::jobs::Step;
use crate::shop::{Shop, job};

#[tokio::test]
async fn a_requeued_message_gets_exactly_its_retries() {
    let mut shop = Shop::open().await;
    let job = job(&[Step::Retry]);
    shop.events.requeue(&job).await.expect("it is published");
    for attempt in 1..=3 {
        let run = shop.run().await;
        assert_eq!((run.id, run.delivery.attempt()), (job.id, attempt));
    }
    let letter = shop.raw.take("requeue.dlq").await.delivery;
    assert_eq!(
        header(&letter.properties, "x-attempts").as_deref(),
        Some("3")
    );
    assert_eq!(
        header(&letter.properties, "x-last-error").as_deref(),
        Some("not yet, at run 3")
    );
    let report = shop.stop().await;
    assert_eq!(
        (report.retried, report.dead_lettered, report.handled),
        (2, 1, 0)
    );
}

#[tokio::test]
async fn a_requeued_message_may_succeed() {
    let mut shop = Shop::open().await;
    shop.events
        .requeue(&job(&[Step::Panic, Step::Succeed]))
        .await
        .expect("it is published");
    assert_eq!(shop.run().await.delivery.attempt(), 1);
    let second = shop.run().await;
    assert_eq!(
        (second.delivery.attempt(), second.delivery.redelivered()),
        (2, true)
    );
    let report = shop.stop().await;
    assert_eq!(
        (report.retried, report.handled, report.dead_lettered),
        (1, 1, 0)
    );
}
