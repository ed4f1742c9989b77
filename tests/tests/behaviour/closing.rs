//! The end of a publisher and of a connection, and publishes that nobody waits for to the end.

use std::time::{Duration, Instant};

use contract_core::model::QueueKind;
use contract_runtime::__private::Publisher;
use contract_runtime::{
    Connection, ConnectionBuilder, PublishError, PublishOutcome, PublishResult,
};
use futures_util::FutureExt;
use tests::{Proxy, WITHIN, eventually};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::workbench::{Bench, Raw, Tick, url};

/// A publisher through a proxy that lets no answer through.
struct Muted {
    proxy: Proxy,
    connection: Connection,
    bench: Bench,
    publisher: Publisher,
    raw: Raw,
}

impl Muted {
    async fn new(prefix: &str, set: impl FnOnce(ConnectionBuilder) -> ConnectionBuilder) -> Self {
        let raw = Raw::connect().await;
        let proxy = Proxy::before(&url()).await;
        let builder = Connection::builder(&proxy.url()).close_timeout(WITHIN);
        let connection = set(builder).open().await.unwrap();
        let bench = Bench::new(prefix, QueueKind::Classic);
        connection.declare(&bench.contract).await.unwrap();
        let publisher = bench.publisher(&connection, "Events");
        publisher.publish("routed", &Tick::new(0)).await.unwrap();
        proxy.mute();
        Self {
            proxy,
            connection,
            bench,
            publisher,
            raw,
        }
    }

    fn publish(&self, number: u64) -> JoinHandle<PublishResult> {
        let publisher = self.publisher.clone();
        tokio::spawn(async move { publisher.publish("routed", &Tick::new(number)).await })
    }

    async fn are_there(&self, count: u32) {
        eventually("they are in the queue", async || {
            (self.bench.count(&self.raw).await == count).then_some(())
        })
        .await;
    }

    async fn are_pending(&self, count: usize) {
        eventually("they are pending", async || {
            (self.connection.publish_counts().pending == count).then_some(())
        })
        .await;
    }
}

/// What comes once closing has begun is refused; until then a publish would be let in and wait.
async fn refuses(publisher: &Publisher) {
    eventually("no more publishes are taken", async || {
        let tick = Tick::new(1_000);
        let publish = publisher.publish("lost", &tick);
        let error = publish.now_or_never()?.unwrap_err();
        assert!(matches!(error, PublishError::Closed), "{error}");
        assert_eq!(error.outcome(), PublishOutcome::NotSent);
        assert!(!error.is_retryable());
        Some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn close_waits_for_the_answers_and_for_what_waits() {
    let muted = Muted::new("close-waits", |builder| builder.max_unconfirmed(5)).await;
    let all: Vec<_> = (1..=20).map(|number| muted.publish(number)).collect();
    muted.are_pending(20).await;
    muted.are_there(6).await;
    let connection = muted.connection.clone();
    let closing = tokio::spawn(async move { connection.close().await });
    // Dropped at once, and so counted; it was let in as long as closing had not begun.
    refuses(&muted.publisher).await;
    assert!(!closing.is_finished(), "nothing is answered yet");
    muted.proxy.unmute();
    for publish in all {
        publish.await.unwrap().unwrap();
    }
    timeout(WITHIN, closing).await.expect("bounded").unwrap();
    assert_eq!(muted.bench.count(&muted.raw).await, 21);
    muted.bench.delete(&muted.raw).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn close_waits_for_no_longer_than_it_may() {
    let most = Duration::from_millis(300);
    let muted = Muted::new("close-most", |builder| builder.close_timeout(most)).await;
    let under_way = muted.publish(1);
    muted.are_there(2).await;
    let started = Instant::now();
    muted.connection.close().await;
    assert!(started.elapsed() >= most, "{:?}", started.elapsed());
    let error = under_way.await.unwrap().unwrap_err();
    assert_eq!(error.outcome(), PublishOutcome::Unknown, "{error}");
    muted.bench.delete(&muted.raw).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_publisher_closes_alone() {
    let muted = Muted::new("close-one", |builder| builder).await;
    let other = muted.bench.publisher(&muted.connection, "Events");
    let all: Vec<_> = (1..=20).map(|number| muted.publish(number)).collect();
    muted.are_there(21).await;
    let publisher = muted.publisher.clone();
    let closing = tokio::spawn(async move { publisher.close().await });
    refuses(&muted.publisher).await;
    assert!(!closing.is_finished(), "nothing is answered yet");
    muted.proxy.unmute();
    for publish in all {
        publish.await.unwrap().unwrap();
    }
    timeout(WITHIN, closing).await.expect("bounded").unwrap();
    refuses(&muted.publisher).await;
    other.publish("routed", &Tick::new(21)).await.unwrap();
    assert_eq!(muted.bench.count(&muted.raw).await, 22);
    muted.connection.close().await;
    muted.bench.delete(&muted.raw).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_publish_that_is_dropped_unanswered_is_noticed() {
    let muted = Muted::new("dropped", |builder| builder.max_unconfirmed(2)).await;
    let counts = || muted.connection.publish_counts();
    assert_eq!((counts().dropped, counts().unheard), (0, 0));
    // Under way: one that will be taken, and one that will not.
    let (taken, lost) = (Tick::new(1), Tick::new(2));
    let mut taken = Box::pin(muted.publisher.publish("routed", &taken));
    let mut lost = Box::pin(muted.publisher.publish("lost", &lost));
    assert!(taken.as_mut().now_or_never().is_none());
    assert!(lost.as_mut().now_or_never().is_none());
    muted.are_there(2).await;
    // Waiting for room.
    let waiting = Tick::new(3);
    let mut waiting = Box::pin(muted.publisher.publish("routed", &waiting));
    assert!(waiting.as_mut().now_or_never().is_none());
    assert_eq!(counts().pending, 3);

    drop(waiting);
    assert_eq!((counts().dropped, counts().pending), (1, 2));
    drop((taken, lost));
    // The broker will answer for these.
    assert_eq!((counts().dropped, counts().pending), (3, 2));
    assert_eq!(counts().unheard, 0);
    muted.proxy.unmute();
    muted.are_pending(0).await;
    assert_eq!((counts().dropped, counts().unheard), (3, 1));
    // What was answered for, and what failed before it was let in, was not dropped.
    muted
        .publisher
        .publish("routed", &Tick::new(4))
        .await
        .unwrap();
    let invalid = muted.publisher.publish("routed", &Tick::new(2_000_000));
    invalid.await.unwrap_err();
    assert_eq!((counts().dropped, counts().unheard), (3, 1));
    assert_eq!(muted.bench.count(&muted.raw).await, 3);
    muted.connection.close().await;
    muted.bench.delete(&muted.raw).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_may_reach_no_queue_is_not_missed_when_its_publish_was_dropped() {
    let muted = Muted::new("signed", |builder| builder).await;
    let mut contract = muted.bench.contract.clone();
    for publish in &mut contract.publishers[0].publishes {
        publish.lossy_unroutable = true;
    }
    let signed = Bench {
        name: muted.bench.name.clone(),
        contract,
    };
    let publisher = signed.publisher(&muted.connection, "Events");
    muted.proxy.unmute();
    publisher.publish("lost", &Tick::new(0)).await.unwrap();
    muted.proxy.mute();
    let (lost, routed) = (Tick::new(1), Tick::new(2));
    let mut lost = Box::pin(publisher.publish("lost", &lost));
    let mut routed = Box::pin(publisher.publish("routed", &routed));
    assert!(lost.as_mut().now_or_never().is_none());
    assert!(routed.as_mut().now_or_never().is_none());
    // The one before it has been sent too, then.
    muted.are_there(2).await;
    drop((lost, routed));
    muted.proxy.unmute();
    muted.are_pending(0).await;
    let counts = muted.connection.publish_counts();
    assert_eq!((counts.dropped, counts.unheard), (2, 0));
    muted.connection.close().await;
    muted.bench.delete(&muted.raw).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_publish_that_ran_out_of_time_was_told_and_is_not_counted_as_dropped() {
    let muted = Muted::new("told", |builder| builder).await;
    let short = contract_runtime::PublishOptions::new().timeout(Duration::from_millis(50));
    let short = muted.publisher.with(short);
    let error = short.publish("lost", &Tick::new(1)).await.unwrap_err();
    assert_eq!(error.outcome(), PublishOutcome::Unknown);
    muted.proxy.unmute();
    muted.are_pending(0).await;
    let counts = muted.connection.publish_counts();
    assert_eq!((counts.dropped, counts.unheard), (0, 0));
    muted.connection.close().await;
    muted.bench.delete(&muted.raw).await;
}
