//! How a worker ends.

use tests::eventually;

use crate::shop::jobs::Step;
use crate::shop::{Shop, job};

#[tokio::test]
async fn what_runs_finishes_and_what_hangs_is_given_up_by_the_deadline() {
    let mut shop = Shop::open().await;
    shop.events
        .backoff(&job(&[Step::Hang]))
        .await
        .expect("it is published");
    shop.run().await;
    let report = shop.stop().await;
    assert_eq!((report.abandoned, report.handled), (1, 0));
}

#[tokio::test]
async fn a_consumer_comes_back_after_its_queue_was_deleted() {
    let mut shop = Shop::open().await;
    shop.vhost.delete_queue("once").await;
    let again = job(&[Step::Succeed]);
    eventually("the queue is there again", async || {
        shop.events.once(&again).await.ok()
    })
    .await;
    assert_eq!(shop.run().await.id, again.id);
    shop.stop().await;
}
