//! A broker under harm, while messages are published on and on: each publish ends in bounded time, what
//! it says is true, and nothing is left of it.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use contract_core::model::QueueKind;
use contract_runtime::__private::Publisher;
use contract_runtime::{Connection, PublishOptions, PublishOutcome};
use futures_util::FutureExt;
use tests::{Node, Raw, eventually, resident};
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};

use crate::ALONE;
use crate::workbench::{Bench, Tick};

/// How long a publish may take, by its own words.
const TIMEOUT: Duration = Duration::from_secs(2);
/// What a busy machine may add to that.
const SLACK: Duration = Duration::from_secs(10);
const EVERY: Duration = Duration::from_millis(4);
/// How many have to end well before a harm, and after it.
const WELL: usize = 200;
/// The least bytes of a body: large, so that bodies which are kept are seen in the process's memory.
const BODY: usize = 16 * 1024;
/// What may be had more after further harm than after the first, in bytes: about what is under way at
/// a time, for it comes and goes as the allocator sees fit. To keep all would take several times that.
const ROOM: u64 = 32 * 1024 * 1024;

/// How a publish ended; none is `Ok`.
type Outcome = Option<PublishOutcome>;

#[derive(Debug, Clone, Copy)]
struct Ended {
    number: u64,
    outcome: Outcome,
    took: Duration,
}

/// Publishes one message after the other, whatever becomes of those before, to the end.
struct Fire {
    bench: Bench,
    ended: Arc<Mutex<Vec<Ended>>>,
    stop: oneshot::Sender<()>,
    task: tokio::task::JoinHandle<()>,
}

impl Fire {
    async fn start(prefix: &str, kind: QueueKind, connection: &Connection) -> Self {
        let bench = Bench::new(prefix, kind);
        connection.declare(&bench.contract).await.unwrap();
        let publisher = bench.publisher(connection, "Events");
        let publisher = publisher.with(PublishOptions::new().timeout(TIMEOUT));
        let ended = Arc::new(Mutex::new(Vec::new()));
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(publish(publisher, Arc::clone(&ended), stopped));
        Self {
            bench,
            ended,
            stop,
            task,
        }
    }

    fn count(&self, outcome: Outcome) -> usize {
        let ended = self.ended.lock().unwrap();
        ended.iter().filter(|one| one.outcome == outcome).count()
    }

    /// Until as many more have ended so.
    async fn end(&self, outcome: Outcome, more: usize) {
        let before = self.count(outcome);
        let what = format!("{more} publishes end with {outcome:?}");
        eventually(&what, async || {
            (self.count(outcome) >= before + more).then_some(())
        })
        .await;
    }

    /// Stops, and compares what each publish said with what is in the queue.
    async fn account(self, raw: &Raw) {
        self.stop.send(()).unwrap();
        self.task.await.unwrap();
        let mut there = HashSet::new();
        while let Some(message) = raw.get(&self.bench.name).await {
            let tick: serde_json::Value = serde_json::from_slice(&message.delivery.data).unwrap();
            let number = tick["number"].as_u64().unwrap();
            assert!(there.insert(number), "{number} is there twice");
        }
        let ended = self.ended.lock().unwrap();
        let mut counts = [0; 4];
        for one in ended.iter() {
            let is_there = there.contains(&one.number);
            let at = match one.outcome {
                None => {
                    assert!(is_there, "it was taken, and is not there: {one:?}");
                    0
                }
                Some(PublishOutcome::NotSent | PublishOutcome::Refused) => {
                    assert!(!is_there, "it was not taken, and is there: {one:?}");
                    1
                }
                Some(_) if is_there => 2,
                Some(_) => 3,
            };
            counts[at] += 1;
            assert!(one.took <= TIMEOUT + SLACK, "{one:?}");
        }
        let longest = ended.iter().map(|one| one.took).max().unwrap();
        let [taken, not, unknown, unknown_lost] = counts;
        println!(
            "{}: {taken} taken, {not} not, {} unknown ({unknown} of them there); the longest took {longest:?}",
            self.bench.name,
            unknown + unknown_lost,
        );
        assert_eq!(
            there.len(),
            taken + unknown,
            "nobody else publishes to the queue"
        );
    }
}

async fn publish(
    publisher: Publisher,
    ended: Arc<Mutex<Vec<Ended>>>,
    mut stopped: oneshot::Receiver<()>,
) {
    let mut ticks = interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut under_way = JoinSet::new();
    for number in 0.. {
        tokio::select! {
            _ = &mut stopped => break,
            _ = ticks.tick() => {}
        }
        let (publisher, ended) = (publisher.clone(), Arc::clone(&ended));
        under_way.spawn(async move {
            let tick = Tick {
                number,
                padding: "x".repeat(BODY),
            };
            let started = Instant::now();
            let answer = publisher.publish("routed", &tick).await;
            let outcome = answer.err().map(|error| error.outcome());
            let took = started.elapsed();
            ended.lock().unwrap().push(Ended {
                number,
                outcome,
                took,
            });
        });
        while let Some(Some(done)) = under_way.join_next().now_or_never() {
            done.unwrap();
        }
    }
    under_way.join_all().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_becomes_of_the_broker_no_message_that_it_took_is_lost() {
    let _alone = ALONE.lock().await;
    let node = Node::start("fire").await;
    let connection = Connection::builder(node.url())
        .reconnect_pauses(Duration::from_millis(100), Duration::from_millis(500))
        .open()
        .await
        .unwrap();
    let classic = Fire::start("classic", QueueKind::Classic, &connection).await;
    let quorum = Fire::start("quorum", QueueKind::Quorum, &connection).await;
    let recovered = async || {
        classic.end(None, WELL).await;
        quorum.end(None, WELL).await;
    };
    let felt = async || classic.end(Some(PublishOutcome::NotSent), 50).await;
    recovered().await;

    node.kill().await;
    felt().await;
    node.start_again().await;
    recovered().await;
    let before = resident();

    node.ctl(&["set_vm_memory_high_watermark", "0.000001"])
        .await;
    felt().await;
    node.ctl(&["set_vm_memory_high_watermark", "0.6"]).await;
    recovered().await;

    node.stop().await;
    felt().await;
    node.start_again().await;
    recovered().await;
    let after = resident();

    let raw = Raw::connect(node.url()).await;
    classic.account(&raw).await;
    quorum.account(&raw).await;
    assert_eq!(connection.publish_counts().pending, 0);
    if let (Some(before), Some(after)) = (before, after) {
        let more = after.saturating_sub(before);
        println!(
            "{} KiB resident, then {} KiB more",
            before / 1024,
            more / 1024
        );
        assert!(more <= ROOM, "{more} bytes more");
    }
    connection.close().await;
    raw.close().await;
}
