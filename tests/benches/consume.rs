//! Consuming, validating and acknowledging: a worker beside plain lapin, in interleaved rounds.
//!
//! ```text
//! CONTRACT_TEST_AMQP_URL=$(scripts/broker up) cargo bench -p tests --bench consume [-- MESSAGES ROUNDS]
//! ```
//!
//! Each way takes the same messages from a queue of the same kind with the same prefetch, reads the same
//! JSON, holds it against the same schema and acknowledges each message. The rate is the wall's; the
//! CPU is this process's, broker aside. Compare inside one run, and the medians.

// A program that a person starts: what goes wrong ends it.
#![allow(
    clippy::unwrap_used,
    missing_docs,
    missing_debug_implementations,
    unreachable_pub
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use contract_runtime::{Connection, HandlerResult, Message, Worker, contract};
use futures_util::StreamExt;
use lapin::options::{
    BasicAckOptions, BasicConsumeOptions, BasicPublishOptions, BasicQosOptions,
    ConfirmSelectOptions, QueuePurgeOptions,
};
use lapin::types::FieldTable;
use lapin::{BasicProperties, ConnectionProperties};
use tokio::sync::Notify;

use self::orders::{Order, OrderHandlers, order_handlers};

const PREFETCH: u16 = 100;

#[contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[queue("bench.classic", classic, lossy(poison))]
    pub struct Classic;

    #[queue("bench.quorum", quorum, lossy(poison))]
    pub struct Quorum;

    #[message("order")]
    pub struct Order {
        pub number: u64,
        #[schemars(length(min = 1, max = 100))]
        pub customer: String,
        #[schemars(range(min = 0, max = 1_000_000))]
        pub cents: u32,
        pub lines: Vec<Line>,
    }

    #[payload]
    pub struct Line {
        #[schemars(length(min = 1, max = 40))]
        pub article: String,
        pub count: u32,
    }

    #[handlers]
    pub trait OrderHandlers {
        #[consume(Classic, prefetch = 100, concurrency = 100)]
        async fn of_classic(&self, order: Order) -> HandlerResult;

        #[consume(Quorum, prefetch = 100, concurrency = 100)]
        async fn of_quorum(&self, order: Order) -> HandlerResult;
    }
}

/// Counts messages, and says when all are there.
struct Tally {
    left: AtomicU64,
    done: Notify,
}

impl Tally {
    fn of(messages: u64) -> Arc<Self> {
        Arc::new(Self {
            left: AtomicU64::new(messages),
            done: Notify::new(),
        })
    }

    fn one(&self) {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.done.notify_one();
        }
    }
}

struct Counting(Arc<Tally>);

impl Counting {
    fn count(&self, order: &Order) {
        std::hint::black_box(order);
        self.0.one();
    }
}

impl OrderHandlers for Counting {
    async fn of_classic(&self, order: Order) -> HandlerResult {
        self.count(&order);
        Ok(())
    }

    async fn of_quorum(&self, order: Order) -> HandlerResult {
        self.count(&order);
        Ok(())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// A task for each delivery, `delivery.ack()`: what most services do.
    LapinAcker,
    /// A task for each delivery, `channel.basic_ack()`.
    LapinChannel,
    Contract,
}

const WAYS: [(Way, &str); 3] = [
    (Way::LapinAcker, "lapin, delivery.ack()"),
    (Way::LapinChannel, "lapin, channel.basic_ack()"),
    (Way::Contract, "contract worker"),
];

#[derive(Debug, Clone, Copy)]
struct Figure {
    per_second: f64,
    cpu_micros: f64,
}

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench");
    let messages: u64 = arguments
        .next()
        .map_or(20_000, |text| text.parse().unwrap());
    let rounds: usize = arguments.next().map_or(3, |text| text.parse().unwrap());
    let url = std::env::var("CONTRACT_TEST_AMQP_URL").expect("CONTRACT_TEST_AMQP_URL is set");
    let connection = Connection::open(&url).await.unwrap();
    connection.declare(orders::contract()).await.unwrap();

    println!(
        "{messages} messages a round, prefetch {PREFETCH}, {rounds} rounds; medians (from - to)"
    );
    for queue in ["bench.classic", "bench.quorum"] {
        let mut figures = WAYS.map(|_| Vec::new());
        for _ in 0..rounds {
            for ((way, _), figures) in WAYS.iter().zip(&mut figures) {
                fill(&url, queue, messages).await;
                figures.push(match way {
                    Way::Contract => contract_worker(&connection, messages, queue).await,
                    way => lapin_tasks(&url, *way, messages, queue).await,
                });
            }
        }
        println!("\n{queue}");
        let base = summary(&figures[0]);
        for ((_, name), figures) in WAYS.iter().zip(&figures) {
            let (rate, cpu) = summary(figures);
            println!(
                "  {name:<28} {:>6.0}/s ({:.0} - {:.0})  {:>5.1} us CPU ({:.1} - {:.1})  rate x{:.2}, CPU x{:.2}",
                rate.1,
                rate.0,
                rate.2,
                cpu.1,
                cpu.0,
                cpu.2,
                rate.1 / base.0.1,
                cpu.1 / base.1.1,
            );
        }
    }
    connection.close().await;
}

type Spread = (f64, f64, f64);

fn summary(figures: &[Figure]) -> (Spread, Spread) {
    let spread = |of: fn(&Figure) -> f64| {
        let mut values: Vec<f64> = figures.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        (
            values[0],
            values[values.len() / 2],
            values[values.len() - 1],
        )
    };
    (
        spread(|figure| figure.per_second),
        spread(|figure| figure.cpu_micros),
    )
}

/// Runs until all messages were handled *and* acknowledged.
async fn measured(messages: u64, run: impl Future<Output = ()>) -> Figure {
    let (started, cpu) = (Instant::now(), cpu_time());
    run.await;
    let (wall, cpu) = (started.elapsed(), cpu_time().saturating_sub(cpu));
    #[allow(clippy::cast_precision_loss)]
    let messages = messages as f64;
    Figure {
        per_second: messages / wall.as_secs_f64(),
        cpu_micros: cpu.as_secs_f64() * 1e6 / messages,
    }
}

/// What this process has used so far, user and system; in the kernel's ticks of 10 ms.
fn cpu_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("a Linux /proc");
    let after_name = stat.rsplit_once(')').unwrap().1;
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    let ticks: u64 = fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap();
    Duration::from_millis(ticks * 10)
}

async fn contract_worker(connection: &Connection, messages: u64, queue: &str) -> Figure {
    let tally = Tally::of(messages);
    let registry = order_handlers(Counting(Arc::clone(&tally)));
    let figure = measured(messages, async {
        let worker = Worker::new(connection)
            .handlers(registry)
            .start()
            .await
            .unwrap();
        tally.done.notified().await;
        let report = worker.shutdown().await;
        assert_eq!(report.handled, messages, "{queue}: {report}");
    });
    figure.await
}

async fn lapin_tasks(url: &str, way: Way, messages: u64, queue: &str) -> Figure {
    let connection = lapin::Connection::connect(url, ConnectionProperties::default())
        .await
        .unwrap();
    let schema = contract_runtime::__private::schemars::schema_for!(Order);
    let schema = Arc::new(jsonschema::validator_for(schema.as_value()).unwrap());
    let tally = Tally::of(messages);
    let figure = measured(messages, async {
        let channel = connection.create_channel().await.unwrap();
        channel
            .basic_qos(PREFETCH, BasicQosOptions::default())
            .await
            .unwrap();
        let options = BasicConsumeOptions::default();
        let mut stream = channel
            .basic_consume(queue.into(), "".into(), options, FieldTable::default())
            .await
            .unwrap();
        let mut taken = 0;
        while taken < messages {
            let delivery = stream.next().await.unwrap().unwrap();
            taken += 1;
            let (schema, tally, channel) =
                (Arc::clone(&schema), Arc::clone(&tally), channel.clone());
            tokio::spawn(async move {
                let value: serde_json::Value = serde_json::from_slice(&delivery.data).unwrap();
                assert!(schema.is_valid(&value));
                let order: Order = serde_json::from_value(value).unwrap();
                std::hint::black_box(&order);
                let options = BasicAckOptions::default();
                if way == Way::LapinAcker {
                    delivery.ack(options).await.unwrap();
                } else {
                    channel
                        .basic_ack(delivery.delivery_tag, options)
                        .await
                        .unwrap();
                }
                tally.one();
            });
        }
        tally.done.notified().await;
        channel.close(200, "done".into()).await.unwrap();
    })
    .await;
    connection.close(200, "done".into()).await.unwrap();
    figure
}

/// Puts messages into a queue, as a publisher of the contract would: persistent, with an id, a type, a time.
async fn fill(url: &str, queue: &str, messages: u64) {
    let connection = lapin::Connection::connect(url, ConnectionProperties::default())
        .await
        .unwrap();
    let channel = connection.create_channel().await.unwrap();
    channel
        .queue_purge(queue.into(), QueuePurgeOptions::default())
        .await
        .unwrap();
    channel
        .confirm_select(ConfirmSelectOptions::default())
        .await
        .unwrap();
    let mut confirms = futures_util::stream::FuturesUnordered::new();
    for number in 0..messages {
        let order = serde_json::json!({
            "number": number,
            "customer": "a customer of ours",
            "cents": 12_345,
            "lines": [
                {"article": "a thing of some kind", "count": 3},
                {"article": "another thing", "count": 1},
                {"article": "and one more of those", "count": 12},
            ],
        });
        let properties = BasicProperties::default()
            .with_delivery_mode(2)
            .with_content_type("application/json".into())
            .with_type(Order::NAME.into())
            .with_message_id(contract_runtime::Uuid::now_v7().to_string().into())
            .with_timestamp(1_700_000_000);
        let (channel, body) = (channel.clone(), order.to_string());
        confirms.push(async move {
            let options = BasicPublishOptions::default();
            let confirm = channel
                .basic_publish(
                    "".into(),
                    queue.into(),
                    options,
                    body.as_bytes(),
                    properties,
                )
                .await
                .unwrap();
            assert!(confirm.await.unwrap().is_ack());
        });
        if confirms.len() >= 256 {
            confirms.next().await;
        }
    }
    while confirms.next().await.is_some() {}
    connection.close(200, "done".into()).await.unwrap();
}
