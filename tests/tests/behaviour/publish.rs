//! Publishing: each caller gets the answer for its own message, and no answer lies.

use std::sync::Arc;
use std::time::Duration;

use contract_core::model::{MessageRef, Publish, PublishKey, Publisher as Group, QueueKind};
use contract_core::name::{ExchangeName, RoutingKey};
use contract_runtime::__private::Publisher;
use contract_runtime::{
    Connection, ConnectionState, PublishError, PublishOptions, PublishOutcome, Uuid,
};
use futures_util::future::join_all;
use lapin::options::{BasicGetOptions, ExchangeDeclareOptions};
use lapin::types::FieldTable;
use tests::eventually;

use crate::connection::reaches;
use crate::workbench::{Bench, Raw, Tick, url};
use tests::Proxy;

async fn through(proxy: &Proxy) -> Connection {
    Connection::builder(&proxy.url())
        .reconnect_pauses(Duration::from_millis(50), Duration::from_millis(200))
        .close_timeout(Duration::from_secs(1))
        .open()
        .await
        .unwrap()
}

/// A bench on the broker, a connection to it, a publisher of `Events`.
async fn bench(prefix: &str, kind: QueueKind, connection: &Connection) -> (Bench, Publisher) {
    let bench = Bench::new(prefix, kind);
    connection.declare(&bench.contract).await.unwrap();
    let publisher = bench.publisher(connection, "Events");
    (bench, publisher)
}

/// `tasks` tasks publish `each` messages, `at_once` at a time, every seventh to nowhere; how many
/// answers were wrong.
async fn mixed(publisher: &Publisher, tasks: u64, each: u64, at_once: usize) -> u64 {
    let run = |task: u64, publisher: Publisher| async move {
        let mut wrong = 0;
        let numbers: Vec<u64> = (task * each..(task + 1) * each).collect();
        for batch in numbers.chunks(at_once) {
            let all = batch.iter().map(|number| {
                let publisher = publisher.clone();
                async move {
                    let lost = number % 7 == 0;
                    let method = if lost { "lost" } else { "routed" };
                    match publisher.publish(method, &Tick::new(*number)).await {
                        Ok(_) => !lost,
                        Err(PublishError::Unroutable { .. }) => lost,
                        Err(error) => panic!("{error}"),
                    }
                }
            });
            for right in join_all(all).await {
                wrong += u64::from(!right);
            }
        }
        wrong
    };
    let tasks = (0..tasks).map(|task| tokio::spawn(run(task, publisher.clone())));
    join_all(tasks).await.into_iter().map(Result::unwrap).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_event_id_can_be_under_way_many_times() {
    let raw = Raw::connect().await;
    let connection = Connection::open(&url()).await.unwrap();
    let (bench, publisher) = bench("same-id", QueueKind::Quorum, &connection).await;
    let id = Uuid::now_v7();
    let publisher = publisher.with(PublishOptions::new().event_id(id));
    let all = (0..200u64).map(|number| {
        let publisher = publisher.clone();
        async move {
            if number % 3 == 0 {
                let lost = publisher.publish("lost", &Tick::new(number)).await;
                assert!(
                    matches!(lost, Err(PublishError::Unroutable { event_id, .. }) if event_id == id)
                );
            } else {
                let receipt = publisher
                    .publish("routed", &Tick::new(number))
                    .await
                    .unwrap();
                assert_eq!(receipt.event_id, id);
            }
        }
    });
    join_all(all).await;
    assert_eq!(bench.count(&raw).await, 133);
    connection.close().await;
    bench.delete(&raw).await;
}

#[tokio::test]
async fn what_is_on_the_wire_is_what_the_contract_says() {
    let raw = Raw::connect().await;
    let connection = Connection::builder(&url())
        .name("ticker")
        .open()
        .await
        .unwrap();
    let (bench, publisher) = bench("wire", QueueKind::Classic, &connection).await;
    let options = PublishOptions::new().header("tenant", "acme").unwrap();
    let receipt = publisher
        .with(options)
        .publish("routed", &Tick::new(5))
        .await
        .unwrap();
    let get = BasicGetOptions { no_ack: true };
    let channel = raw.channel().await;
    let message = channel.basic_get(bench.name.as_str().into(), get).await;
    let delivery = message.unwrap().expect("a message").delivery;
    let properties = &delivery.properties;
    let text = |text: &Option<lapin::types::ShortString>| text.as_ref().unwrap().to_string();
    assert_eq!(text(properties.message_id()), receipt.event_id.to_string());
    assert_eq!(text(properties.kind()), "tick");
    assert_eq!(text(properties.app_id()), "ticker");
    assert_eq!(text(properties.content_type()), "application/json");
    assert_eq!(*properties.delivery_mode(), Some(2));
    assert_eq!(properties.headers().as_ref().unwrap().inner().len(), 1);
    assert_eq!(delivery.data, br#"{"number":5,"padding":""}"#);
    connection.close().await;
    bench.delete(&raw).await;
}

#[tokio::test]
async fn a_full_queue_rejects() {
    let raw = Raw::connect().await;
    let connection = Connection::open(&url()).await.unwrap();
    let mut bench = Bench::new("full", QueueKind::Classic);
    bench.contract.queues[0].max_length = Some(2);
    connection.declare(&bench.contract).await.unwrap();
    let publisher = bench.publisher(&connection, "Events");
    for number in 0..2 {
        publisher
            .publish("routed", &Tick::new(number))
            .await
            .unwrap();
    }
    let error = publisher
        .publish("routed", &Tick::new(2))
        .await
        .unwrap_err();
    assert!(matches!(error, PublishError::Rejected { .. }), "{error}");
    assert_eq!(error.outcome(), PublishOutcome::Refused);
    assert!(error.is_retryable());
    raw.purge(&bench.name).await;
    publisher.publish("routed", &Tick::new(3)).await.unwrap();
    connection.close().await;
    bench.delete(&raw).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_exchange_costs_only_its_own_publisher() {
    let raw = Raw::connect().await;
    let connection = Connection::open(&url()).await.unwrap();
    let (bench, publisher) = bench("missing", QueueKind::Classic, &connection).await;
    let mistaken = bench.publisher(&connection, "Mistaken");
    let good = tokio::spawn({
        let publisher = publisher.clone();
        async move { mixed(&publisher, 4, 100, 20).await }
    });
    // Alone, it is certain.
    for number in 0..3 {
        let error = mistaken
            .publish("routed", &Tick::new(number))
            .await
            .unwrap_err();
        assert!(
            matches!(error, PublishError::ExchangeMissing { .. }),
            "{error}"
        );
        assert_eq!(error.outcome(), PublishOutcome::Refused);
    }
    // Together, nobody can say which began it.
    let together = (0..20).map(|number| {
        let mistaken = mistaken.clone();
        async move {
            mistaken
                .publish("routed", &Tick::new(number))
                .await
                .unwrap_err()
        }
    });
    for error in join_all(together).await {
        assert!(
            matches!(error, PublishError::ExchangeMissing { .. }),
            "{error}"
        );
    }
    assert_eq!(good.await.unwrap(), 0);
    // Once it is there, the same publisher works.
    let name = format!("{}-missing", bench.name);
    let channel = raw.channel().await;
    let kind = lapin::ExchangeKind::Fanout;
    channel
        .exchange_declare(
            name.as_str().into(),
            kind,
            ExchangeDeclareOptions::default(),
            FieldTable::default(),
        )
        .await
        .unwrap();
    let error = mistaken.publish("routed", &Tick::new(9)).await.unwrap_err();
    assert!(matches!(error, PublishError::Unroutable { .. }), "{error}");
    raw.delete_exchange(&name).await;
    connection.close().await;
    bench.delete(&raw).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mistake_leaves_the_publishers_other_exchange_in_doubt_at_most() {
    let raw = Raw::connect().await;
    let connection = Connection::open(&url()).await.unwrap();
    let mut bench = Bench::new("doubt", QueueKind::Quorum);
    let publish = |method: &str, exchange: String| {
        Publish::new(
            method,
            ExchangeName::new(exchange).unwrap(),
            PublishKey::Fixed(RoutingKey::literal("routed")),
            MessageRef::new("tick", 1),
        )
    };
    bench.contract.publishers.push(Group::new(
        "Both",
        vec![
            publish("good", bench.name.clone()),
            publish("bad", format!("{}-missing", bench.name)),
        ],
    ));
    connection.declare(&bench.contract).await.unwrap();
    let both = bench.publisher(&connection, "Both");
    let all = (0..300u64).map(|number| {
        let both = both.clone();
        async move {
            let bad = number == 150;
            let method = if bad { "bad" } else { "good" };
            (bad, both.publish(method, &Tick::new(number)).await)
        }
    });
    let (mut taken, mut unknown) = (0, 0);
    for (bad, answer) in join_all(all).await {
        match answer {
            Ok(_) => {
                assert!(!bad);
                taken += 1;
            }
            Err(error) if bad => {
                assert!(
                    matches!(error, PublishError::ExchangeMissing { .. }),
                    "{error}"
                );
                assert_eq!(error.outcome(), PublishOutcome::Refused);
            }
            Err(error) => {
                assert_eq!(error.outcome(), PublishOutcome::Unknown, "{error}");
                unknown += 1;
            }
        }
    }
    assert_eq!(taken + unknown, 299);
    let there = bench.count(&raw).await;
    assert!(
        (taken..=taken + unknown).contains(&there),
        "{taken} {unknown} {there}"
    );
    connection.close().await;
    bench.delete(&raw).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_under_way_when_the_connection_is_cut_is_unconfirmed() {
    let raw = Raw::connect().await;
    let proxy = Proxy::before(&url()).await;
    let connection = through(&proxy).await;
    let (bench, publisher) = bench("cut", QueueKind::Quorum, &connection).await;
    publisher.publish("routed", &Tick::new(0)).await.unwrap();
    proxy.mute();
    let under_way: Vec<_> = (1..=100u64)
        .map(|number| {
            let publisher = publisher.clone();
            tokio::spawn(async move { publisher.publish("routed", &Tick::new(number)).await })
        })
        .collect();
    eventually("all are in the queue", async || {
        (bench.count(&raw).await == 101).then_some(())
    })
    .await;
    proxy.cut();
    proxy.unmute();
    for publish in join_all(under_way).await {
        let error = publish.unwrap().unwrap_err();
        assert!(matches!(error, PublishError::Unconfirmed { .. }), "{error}");
        assert_eq!(error.outcome(), PublishOutcome::Unknown);
    }
    publisher.publish("routed", &Tick::new(200)).await.unwrap();
    assert_eq!(bench.count(&raw).await, 102);
    connection.close().await;
    bench.delete(&raw).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn publishes_go_on_over_cuts_and_no_taken_one_is_missing() {
    let raw = Raw::connect().await;
    let proxy = Proxy::before(&url()).await;
    let connection = through(&proxy).await;
    let (bench, publisher) = bench("cuts", QueueKind::Quorum, &connection).await;
    let publishing = (0..8u64).map(|task| {
        let publisher = publisher.clone();
        tokio::spawn(async move {
            let (mut taken, mut unknown) = (0u32, 0u32);
            for number in 0..200 {
                match publisher
                    .publish("routed", &Tick::new(task * 1000 + number))
                    .await
                {
                    Ok(_) => taken += 1,
                    Err(error) => {
                        assert_eq!(error.outcome(), PublishOutcome::Unknown, "{error}");
                        unknown += 1;
                    }
                }
            }
            (taken, unknown)
        })
    });
    let publishing = tokio::spawn(join_all(publishing));
    let mut state = connection.state();
    for least in [100, 400, 800] {
        eventually("more are there", async || {
            (bench.count(&raw).await >= least).then_some(())
        })
        .await;
        proxy.cut();
        reaches(&mut state, &ConnectionState::Connecting).await;
        reaches(&mut state, &ConnectionState::Open).await;
    }
    let (mut taken, mut unknown) = (0, 0);
    for task in publishing.await.unwrap() {
        let (task_taken, task_unknown) = task.unwrap();
        taken += task_taken;
        unknown += task_unknown;
    }
    assert_eq!(taken + unknown, 1600);
    assert!(unknown < 200, "{unknown}");
    let there = bench.count(&raw).await;
    assert!(
        (taken..=taken + unknown).contains(&there),
        "{taken} {unknown} {there}"
    );
    connection.close().await;
    bench.delete(&raw).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_connection_a_publish_waits_and_then_is_not_sent() {
    let raw = Raw::connect().await;
    let proxy = Proxy::before(&url()).await;
    let connection = through(&proxy).await;
    let (bench, publisher) = bench("away", QueueKind::Classic, &connection).await;
    proxy.close();
    reaches(&mut connection.state(), &ConnectionState::Connecting).await;
    let short = PublishOptions::new().timeout(Duration::from_millis(200));
    // More than are let in at a time: those behind are not sent either.
    let all = (0..400).map(|number| {
        let publisher = publisher.with(short.clone());
        async move {
            publisher
                .publish("routed", &Tick::new(number))
                .await
                .unwrap_err()
        }
    });
    for error in join_all(all).await {
        assert!(matches!(error, PublishError::Unavailable { .. }), "{error}");
        assert_eq!(error.outcome(), PublishOutcome::NotSent);
    }
    let no_wait = publisher.with(PublishOptions::new().no_wait());
    let error = no_wait.publish("routed", &Tick::new(0)).await.unwrap_err();
    assert!(matches!(error, PublishError::Unavailable { .. }), "{error}");
    // One that may wait is sent when the connection is back.
    let patient = tokio::spawn({
        let publisher = publisher.clone();
        async move { publisher.publish("routed", &Tick::new(7)).await }
    });
    proxy.reopen();
    patient.await.unwrap().unwrap();
    assert_eq!(bench.count(&raw).await, 1);
    connection.close().await;
    bench.delete(&raw).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_blocked_a_publish_waits_and_then_is_not_sent() {
    let raw = Raw::connect().await;
    let proxy = Proxy::before(&url()).await;
    let connection = through(&proxy).await;
    let (bench, publisher) = bench("blocked", QueueKind::Classic, &connection).await;
    publisher.publish("routed", &Tick::new(0)).await.unwrap();
    let reason = "low on memory";
    proxy.block(reason);
    reaches(
        &mut connection.state(),
        &ConnectionState::Blocked(reason.into()),
    )
    .await;
    let short = publisher.with(PublishOptions::new().timeout(Duration::from_millis(200)));
    // The connection says so as soon as either of its two links is: this is the publishing one.
    eventually("the publisher has heard of it", async || {
        let answer = short.publish("lost", &Tick::new(1)).await;
        matches!(answer, Err(PublishError::Blocked { .. })).then_some(())
    })
    .await;
    let error = short.publish("routed", &Tick::new(1)).await.unwrap_err();
    assert!(
        matches!(&error, PublishError::Blocked { reason: why } if why == reason),
        "{error}"
    );
    assert_eq!(error.outcome(), PublishOutcome::NotSent);
    let patient = tokio::spawn({
        let publisher = publisher.clone();
        async move { publisher.publish("routed", &Tick::new(2)).await }
    });
    proxy.unblock();
    patient.await.unwrap().unwrap();
    assert_eq!(bench.count(&raw).await, 2);
    connection.close().await;
    bench.delete(&raw).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn close_ends_what_is_under_way_and_what_waits() {
    let raw = Raw::connect().await;
    let proxy = Proxy::before(&url()).await;
    let connection = Connection::builder(&proxy.url())
        .max_unconfirmed(1)
        .close_timeout(Duration::from_millis(300))
        .open()
        .await
        .unwrap();
    let (bench, publisher) = bench("close", QueueKind::Classic, &connection).await;
    publisher.publish("routed", &Tick::new(0)).await.unwrap();
    proxy.mute();
    let publish = |number| {
        let publisher = publisher.clone();
        tokio::spawn(async move { publisher.publish("routed", &Tick::new(number)).await })
    };
    let under_way = publish(1);
    eventually("it is there", async || {
        (bench.count(&raw).await == 2).then_some(())
    })
    .await;
    let waiting = publish(2);
    connection.close().await;
    let error = under_way.await.unwrap().unwrap_err();
    assert_eq!(error.outcome(), PublishOutcome::Unknown, "{error}");
    let error = waiting.await.unwrap().unwrap_err();
    assert_eq!(error.outcome(), PublishOutcome::NotSent, "{error}");
    assert_eq!(bench.count(&raw).await, 2);
    bench.delete(&raw).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_nobody_wants_ends_also_while_the_broker_is_away() {
    let proxy = Proxy::before(&url()).await;
    let alive = || {
        tokio::runtime::Handle::current()
            .metrics()
            .num_alive_tasks()
    };
    let before = alive();
    let connection = through(&proxy).await;
    let (bench, publisher) = bench("unwanted", QueueKind::Classic, &connection).await;
    let mut state = connection.state();
    proxy.close();
    reaches(&mut state, &ConnectionState::Connecting).await;
    let short = publisher.with(PublishOptions::new().timeout(Duration::from_millis(50)));
    short.publish("routed", &Tick::new(0)).await.unwrap_err();
    drop((connection, publisher, short));
    reaches(&mut state, &ConnectionState::Closed).await;
    eventually("all tasks end", async || (alive() <= before).then_some(())).await;
    bench.delete(&Raw::connect().await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn room_is_waited_for_or_not() {
    let raw = Raw::connect().await;
    let proxy = Proxy::before(&url()).await;
    let connection = Connection::builder(&proxy.url())
        .max_unconfirmed(3)
        .close_timeout(Duration::from_millis(500))
        .open()
        .await
        .unwrap();
    let (bench, publisher) = bench("room", QueueKind::Classic, &connection).await;
    publisher.publish("routed", &Tick::new(0)).await.unwrap();
    proxy.mute();
    // Callers that go away leave their messages under way: no room comes free by that.
    let soon = publisher.with(PublishOptions::new().timeout(Duration::from_millis(100)));
    let gone = (0..3).map(|number| soon.publish("routed", &Tick::new(number)));
    for error in join_all(gone).await {
        assert_eq!(error.unwrap_err().outcome(), PublishOutcome::Unknown);
    }
    let no_wait = publisher.with(PublishOptions::new().no_wait());
    let error = no_wait.publish("routed", &Tick::new(4)).await.unwrap_err();
    assert!(matches!(error, PublishError::Overloaded), "{error}");
    let error = soon.publish("routed", &Tick::new(5)).await.unwrap_err();
    assert!(matches!(error, PublishError::Overloaded), "{error}");
    proxy.unmute();
    publisher.publish("routed", &Tick::new(6)).await.unwrap();
    no_wait.publish("routed", &Tick::new(7)).await.unwrap();
    assert_eq!(bench.count(&raw).await, 6);
    connection.close().await;
    bench.delete(&raw).await;
}

#[tokio::test]
async fn what_is_too_large_or_invalid_costs_nothing() {
    let raw = Raw::connect().await;
    let connection = Connection::builder(&url())
        .max_body_bytes(100_000)
        .open()
        .await
        .unwrap();
    let (bench, publisher) = bench("large", QueueKind::Classic, &connection).await;
    let padded = |bytes| Tick {
        number: 1,
        padding: "x".repeat(bytes),
    };
    let error = publisher
        .publish("routed", &padded(100_000))
        .await
        .unwrap_err();
    assert!(
        matches!(error, PublishError::TooLarge { what: "body", .. }),
        "{error}"
    );
    let text = |bytes: usize| {
        PublishOptions::new()
            .header("h", "x".repeat(bytes))
            .unwrap()
    };
    let error = publisher
        .with(text(127_000))
        .publish("routed", &Tick::new(1))
        .await
        .unwrap_err();
    assert!(
        matches!(
            error,
            PublishError::TooLarge {
                what: "header frame",
                ..
            }
        ),
        "{error}"
    );
    let error = publisher
        .publish("routed", &Tick::new(2_000_000))
        .await
        .unwrap_err();
    assert!(
        matches!(&error, PublishError::Invalid { issues, .. } if issues[0].pointer == "/number")
    );
    assert_eq!(error.outcome(), PublishOutcome::NotSent);
    // Just below the limits.
    publisher.publish("routed", &padded(99_900)).await.unwrap();
    let with_header = publisher.with(text(126_800));
    with_header.publish("routed", &Tick::new(1)).await.unwrap();
    assert_eq!(*connection.state().borrow(), ConnectionState::Open);
    assert_eq!(bench.count(&raw).await, 2);
    connection.close().await;
    bench.delete(&raw).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_order_of_a_publisher_is_kept() {
    let raw = Raw::connect().await;
    let connection = Connection::open(&url()).await.unwrap();
    let (bench, publisher) = bench("order", QueueKind::Classic, &connection).await;
    let publisher = Arc::new(publisher);
    let all = (0..300u64).map(|number| {
        let publisher = Arc::clone(&publisher);
        async move { publisher.publish("routed", &Tick::new(number)).await }
    });
    for answer in join_all(all).await {
        answer.unwrap();
    }
    let channel = raw.channel().await;
    let get = BasicGetOptions { no_ack: true };
    for number in 0..300u64 {
        let message = channel.basic_get(bench.name.as_str().into(), get).await;
        let body = message.unwrap().expect("a message").delivery.data.clone();
        assert_eq!(body, serde_json::to_vec(&Tick::new(number)).unwrap());
    }
    connection.close().await;
    bench.delete(&raw).await;
}
