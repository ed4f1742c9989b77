//! Publishing many together.

use std::time::Duration;

use contract_core::model::QueueKind;
use contract_runtime::{Connection, PublishError, PublishOptions};
use futures_util::FutureExt;
use lapin::options::BasicGetOptions;
use tests::{Proxy, eventually};

use crate::workbench::{Bench, Raw, Tick, url};

async fn each_result_is_its_own_and_the_order_is_kept(kind: QueueKind) {
    let raw = Raw::connect().await;
    let connection = Connection::builder(&url())
        .max_unconfirmed(16)
        .open()
        .await
        .unwrap();
    let bench = Bench::new("all", kind);
    connection.declare(&bench.contract).await.unwrap();
    let publisher = bench.publisher(&connection, "Events");
    // Every fifth goes nowhere, and every seventh is invalid.
    let ticks: Vec<Tick> = (0..1000_u64)
        .map(|number| match number % 7 {
            0 => Tick::new(2_000_000),
            _ => Tick::new(number),
        })
        .collect();
    let method = |number| match number % 5 {
        0 => "lost",
        _ => "routed",
    };
    let all = ticks.iter().enumerate().map(|(number, tick)| {
        // Read when it is begun, as a generated method does.
        let publisher = &publisher;
        async move { publisher.publish(method(number), tick).await }
    });
    let results = publisher.publish_all(all).await;
    assert_eq!(results.len(), ticks.len());
    let mut routed = Vec::new();
    for (number, result) in results.iter().enumerate() {
        match result {
            Err(PublishError::Invalid { .. }) => assert_eq!(number % 7, 0),
            Err(PublishError::Unroutable { .. }) => assert_eq!(number % 5, 0),
            Err(error) => panic!("{error}"),
            Ok(_) => {
                assert!(number % 7 != 0 && number % 5 != 0, "{number}");
                routed.push(number as u64);
            }
        }
    }
    assert_eq!(connection.publish_counts().pending, 0);
    let channel = raw.channel().await;
    let get = BasicGetOptions { no_ack: true };
    for number in routed {
        let message = channel.basic_get(bench.name.as_str().into(), get).await;
        let body = message.unwrap().expect("a message").delivery.data.clone();
        assert_eq!(body, serde_json::to_vec(&Tick::new(number)).unwrap());
    }
    assert_eq!(bench.count(&raw).await, 0);
    connection.close().await;
    bench.delete(&raw).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_result_is_its_own_and_the_order_is_kept_on_a_classic_queue() {
    each_result_is_its_own_and_the_order_is_kept(QueueKind::Classic).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_result_is_its_own_and_the_order_is_kept_on_a_quorum_queue() {
    each_result_is_its_own_and_the_order_is_kept(QueueKind::Quorum).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn as_many_are_begun_as_there_is_room_for() {
    let raw = Raw::connect().await;
    let proxy = Proxy::before(&url()).await;
    let connection = Connection::builder(&proxy.url())
        .max_unconfirmed(10)
        .open()
        .await
        .unwrap();
    let bench = Bench::new("room-for", QueueKind::Classic);
    connection.declare(&bench.contract).await.unwrap();
    let publisher = bench.publisher(&connection, "Events");
    publisher.publish("routed", &Tick::new(0)).await.unwrap();
    proxy.mute();
    let ticks: Vec<Tick> = (0..50).map(Tick::new).collect();
    // Together they would need more than each of them may take.
    let patient = publisher.with(PublishOptions::new().timeout(Duration::from_secs(60)));
    let mut begun = 0;
    let ticks = ticks.iter().map(|tick| {
        begun += 1;
        patient.publish("routed", tick)
    });
    let mut all = Box::pin(patient.publish_all(ticks));
    assert!(all.as_mut().now_or_never().is_none());
    assert_eq!(connection.publish_counts().pending, 10);
    eventually("those that are let in are there", async || {
        (bench.count(&raw).await == 11).then_some(())
    })
    .await;
    assert!(all.as_mut().now_or_never().is_none());
    assert_eq!(connection.publish_counts().pending, 10);
    proxy.unmute();
    let results = all.await;
    assert!(results.iter().all(Result::is_ok), "{results:?}");
    assert_eq!(begun, 50);
    assert_eq!(bench.count(&raw).await, 51);
    connection.close().await;
    bench.delete(&raw).await;
}
