//! Publishes that nobody waits for any longer leave nothing behind.
//!
//! A program of its own, and one test, since it is the memory of the whole process that is looked at.
//! `CONTRACT_TEST_TIMEOUTS` says how many publishes run out of time in each of its parts.

#![allow(clippy::unwrap_used)]

#[path = "behaviour/workbench.rs"]
#[allow(dead_code)]
mod workbench;

use std::time::Duration;

use contract_core::model::QueueKind;
use contract_runtime::__private::Publisher;
use contract_runtime::{Connection, PublishOptions, PublishOutcome};
use futures_util::future::join_all;
use tests::{Proxy, eventually, resident};
use tokio::time::timeout;

use self::workbench::{Bench, Raw, Tick, url};

/// A tenth of what is shown before a release.
const USUAL: u64 = 20_000;
/// How many are under way together.
const ROUND: u64 = 1_000;
const SHORT: Duration = Duration::from_millis(20);
/// What may be had more after many rounds than after a few. lapin alone would keep 650 bytes for
/// each confirm that is dropped, and each message that is kept has several hundred.
const ROOM: u64 = 4 * 1024 * 1024;

fn how_many() -> u64 {
    match std::env::var("CONTRACT_TEST_TIMEOUTS") {
        Ok(count) => count.parse().expect("CONTRACT_TEST_TIMEOUTS is a number"),
        Err(_) => USUAL,
    }
}

/// Half of the publishes run out of their own time, half are dropped by who called them; how many
/// may have been sent, as far as their callers know.
async fn run_out_of_time(publisher: &Publisher) -> usize {
    let impatient = publisher.with(PublishOptions::new().timeout(SHORT));
    let tries = (0..ROUND).map(|number| {
        let method = if number % 3 == 0 { "lost" } else { "routed" };
        let (publisher, impatient) = (publisher.clone(), impatient.clone());
        async move {
            let tick = Tick::new(number);
            if number % 2 == 0 {
                let error = impatient.publish(method, &tick).await.unwrap_err();
                error.outcome() == PublishOutcome::Unknown
            } else {
                let publish = timeout(SHORT, publisher.publish(method, &tick));
                assert!(publish.await.is_err(), "nothing can be answered");
                true
            }
        }
    });
    let sent = join_all(tries).await;
    sent.into_iter().filter(|sent| *sent).count()
}

/// Does the same again and again, and looks at what it leaves once it has been done a few times.
async fn leaves_nothing(what: &str, mut round: impl AsyncFnMut()) {
    let rounds = how_many().div_ceil(ROUND);
    let warm = rounds / 4;
    let mut before = None;
    for number in 0..rounds {
        if number == warm {
            before = resident();
        }
        round().await;
    }
    let (Some(before), Some(after)) = (before, resident()) else {
        println!("{what}: this system does not say how much memory there is");
        return;
    };
    let more = after.saturating_sub(before);
    println!(
        "{what}: {} publishes, {} KiB resident after {warm} of {rounds} rounds, {} KiB more at the end",
        rounds * ROUND,
        before / 1024,
        more / 1024,
    );
    assert!(more <= ROOM, "{what}: {more} bytes more");
}

#[tokio::test(flavor = "multi_thread")]
async fn publishes_that_run_out_of_time_leave_nothing() {
    let raw = Raw::connect().await;
    let proxy = Proxy::before(&url()).await;
    let connection = Connection::builder(&proxy.url())
        .max_unconfirmed(usize::try_from(ROUND).unwrap())
        .open()
        .await
        .unwrap();
    let bench = Bench::new("memory", QueueKind::Classic);
    connection.declare(&bench.contract).await.unwrap();
    let publisher = bench.publisher(&connection, "Events");
    publisher.publish("routed", &Tick::new(0)).await.unwrap();

    leaves_nothing("sent, and answered too late", async || {
        proxy.mute();
        let sent = run_out_of_time(&publisher).await;
        assert!(sent > 0, "they were sent");
        proxy.unmute();
        eventually("the broker has answered all", async || {
            (connection.publish_counts().pending == 0).then_some(())
        })
        .await;
        raw.purge(&bench.name).await;
    })
    .await;

    // One that is never answered, and takes all the room there is.
    let narrow = Connection::builder(&proxy.url())
        .max_unconfirmed(1)
        .open()
        .await
        .unwrap();
    let waiting = bench.publisher(&narrow, "Events");
    waiting.publish("routed", &Tick::new(0)).await.unwrap();
    proxy.mute();
    leaves_nothing("never let in", async || {
        run_out_of_time(&waiting).await;
        assert!(narrow.publish_counts().pending <= 1);
    })
    .await;
    proxy.unmute();

    proxy.close();
    eventually("the connection is lost", async || {
        let state = connection.state().borrow().clone();
        (state == contract_runtime::ConnectionState::Connecting).then_some(())
    })
    .await;
    leaves_nothing("while the broker is away", async || {
        run_out_of_time(&publisher).await;
        assert_eq!(connection.publish_counts().pending, 0);
    })
    .await;
    connection.close().await;
    narrow.close().await;
    bench.delete(&raw).await;
}
