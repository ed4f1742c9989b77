//! Each publish gets the broker's answer for its own message: the guard of what the collector knows
//! of lapin's inside.
//!
//! `CONTRACT_TEST_PUBLISHES` says how many are sent to each kind of queue.

use std::time::Instant;

use contract_core::model::QueueKind;
use contract_runtime::__private::Publisher;
use contract_runtime::{Connection, PublishError, PublishResult};
use futures_util::StreamExt;
use futures_util::future::join_all;
use futures_util::stream::iter;
use lapin::options::{BasicConsumeOptions, BasicQosOptions};
use lapin::types::FieldTable;
use tokio::time::timeout;

use crate::workbench::{Bench, Raw, Tick, url};

/// A tenth of what is shown before a release.
const USUAL: u64 = 10_000;
/// The tasks that share a publisher.
const TASKS: u64 = 8;

fn how_many() -> u64 {
    match std::env::var("CONTRACT_TEST_PUBLISHES") {
        Ok(count) => count.parse().expect("CONTRACT_TEST_PUBLISHES is a number"),
        Err(_) => USUAL,
    }
}

/// Whether no queue is bound for the message of this number: alone among others, in turn with them,
/// and many in a row, for one confirm of the broker may speak of many.
fn is_lost(number: u64) -> bool {
    match number / 100 % 3 {
        0 => number.is_multiple_of(7),
        1 => number.is_multiple_of(2),
        _ => number % 50 < 25,
    }
}

fn is_right(number: u64, answer: &PublishResult) -> bool {
    match answer {
        Ok(_) => !is_lost(number),
        Err(PublishError::Unroutable { .. }) => is_lost(number),
        Err(_) => false,
    }
}

/// Publishes the messages of these numbers, `in_flight` at a time; those that got another's answer.
async fn wrong_of(
    publisher: &Publisher,
    numbers: std::ops::Range<u64>,
    in_flight: u64,
) -> Vec<(u64, PublishResult)> {
    let share = numbers.end.saturating_sub(numbers.start).div_ceil(TASKS);
    let at_once = usize::try_from(in_flight / TASKS).unwrap();
    let tasks = (0..TASKS).map(|task| {
        let (publisher, end) = (publisher.clone(), numbers.end);
        let from = numbers.start + task * share;
        tokio::spawn(async move {
            let answers = (from..end.min(from + share)).map(|number| {
                let method = if is_lost(number) { "lost" } else { "routed" };
                let publish = publisher.publish(method, &Tick::new(number));
                async move { (number, publish.await) }
            });
            let answers = iter(answers).buffer_unordered(at_once);
            let wrong = answers.filter(|(number, answer)| {
                let wrong = !is_right(*number, answer);
                async move { wrong }
            });
            wrong.collect::<Vec<_>>().await
        })
    });
    let all = join_all(tasks).await;
    all.into_iter().flat_map(Result::unwrap).collect()
}

/// Takes `count` messages out of the queue; which those are.
async fn taken_out(raw: &Raw, bench: &Bench, count: usize) -> Vec<u64> {
    let channel = raw.channel().await;
    channel
        .basic_qos(1_000, BasicQosOptions::default())
        .await
        .unwrap();
    let options = BasicConsumeOptions {
        no_ack: true,
        ..BasicConsumeOptions::default()
    };
    let consume = channel.basic_consume(
        bench.name.as_str().into(),
        "".into(),
        options,
        FieldTable::default(),
    );
    let mut numbers = Vec::with_capacity(count);
    let mut consumer = consume.await.unwrap();
    while numbers.len() < count {
        let next = timeout(tests::WITHIN, consumer.next()).await;
        let delivery = next.expect("they are there").unwrap().unwrap();
        let tick: serde_json::Value = serde_json::from_slice(&delivery.data).unwrap();
        numbers.push(tick["number"].as_u64().unwrap());
    }
    numbers
}

async fn not_one_answer_is_wrong(kind: QueueKind) {
    let raw = Raw::connect().await;
    let bench = Bench::new("right", kind);
    let all = how_many();
    let rounds = [64, 256, 1_024];
    let each = all.div_ceil(3);
    for (round, in_flight) in (0..).zip(rounds) {
        let connection = Connection::builder(&url())
            .max_unconfirmed(usize::try_from(in_flight).unwrap())
            .open()
            .await
            .unwrap();
        connection.declare(&bench.contract).await.unwrap();
        let publisher = bench.publisher(&connection, "Events");
        let numbers = round * each..all.min((round + 1) * each);
        let started = Instant::now();
        let wrong = wrong_of(&publisher, numbers.clone(), in_flight).await;
        println!(
            "{kind:?}, {in_flight} in flight: {} of {} wrong, in {:?}",
            wrong.len(),
            numbers.end - numbers.start,
            started.elapsed(),
        );
        assert!(wrong.is_empty(), "{wrong:?}");
        connection.close().await;
    }
    // What was answered so is so, message by message.
    let routed: Vec<u64> = (0..all).filter(|number| !is_lost(*number)).collect();
    let mut there = taken_out(&raw, &bench, routed.len()).await;
    there.sort_unstable();
    assert_eq!(there, routed);
    assert_eq!(bench.count(&raw).await, 0);
    bench.delete(&raw).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn not_one_answer_is_wrong_on_a_classic_queue() {
    not_one_answer_is_wrong(QueueKind::Classic).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn not_one_answer_is_wrong_on_a_quorum_queue() {
    not_one_answer_is_wrong(QueueKind::Quorum).await;
}
