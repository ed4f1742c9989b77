//! The main job: what becomes of an order, whatever its handler meets, on a real RabbitMQ.
//!
//! ```text
//! AMQP_URL=$(scripts/broker up) cargo run --example orders
//! ```
//!
//! Seven orders are published at once. Three are handled; one finds the payment gateway down twice
//! and is retried after 1 s and 2 s; one is declined, which no retry can mend; one never finds the
//! gateway up and is given up after its five retries; and a malformed body comes from a client that
//! knows nothing of the contract. Then the dead-letter queue is opened, and says why each letter is
//! there. Takes half a minute: the five retries wait 31 s in all.
//!
//! The exit status is 0 only if all that happened is what should have happened. Without `AMQP_URL`
//! it takes the broker at `amqp://guest:guest@localhost:5672/%2f`. It can be run again and again:
//! it takes away the dead letters that are its own, and leaves those of others.

mod case;
mod contract;
mod letter;
mod raw;
mod service;
mod story;
mod verdict;

use std::pin::pin;
use std::process::ExitCode;
use std::time::Duration;

use contract_runtime::contract_core::retry::RetryPlan;
use contract_runtime::{Connection, Exchange, PublishOptions, Queue, Worker};
use futures_util::{FutureExt, StreamExt};
use lapin::options::BasicAckOptions;
use tokio::sync::mpsc::{self, UnboundedSender};
use tokio::time::{Instant, sleep_until};

use crate::case::Case;
use crate::contract::orders::{
    self, OrderCreated, OrderEventsPublisher, OrderProcessing, OrderProcessingDlq, Orders,
};
use crate::raw::RawClient;
use crate::service::{App, Gateway};
use crate::story::{Happening, Story};

/// Why the story could not be told.
type Failed = Box<dyn std::error::Error>;

/// The retries of one order take 31 s; after this the story is over in any case.
const LIMIT: Duration = Duration::from_secs(60);

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(differences) if differences.is_empty() => {
            println!("\nAll of it is as it should be.");
            ExitCode::SUCCESS
        }
        Ok(differences) => {
            eprintln!("\nThis is not as it should be:");
            for difference in differences {
                eprintln!("  {difference}");
            }
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("orders: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Tells the story, and what about it is not as it should be.
async fn run() -> Result<Vec<String>, Failed> {
    let url = std::env::var("AMQP_URL")
        .unwrap_or_else(|_| "amqp://guest:guest@localhost:5672/%2f".to_owned());
    let connection = connect(&url).await?;
    let raw = RawClient::connect(&url).await?;
    if raw.consumers_of(OrderProcessing::NAME).await? > 0 {
        let queue = OrderProcessing::NAME;
        return Err(format!("another program consumes queue `{queue}`: stop it first").into());
    }

    let cases = Case::all();
    let script = cases.iter().map(|case| (case.order_id, case.answers));
    let gateway = Gateway::new(script);
    let (tell, mut happenings) = mpsc::unbounded_channel();
    let app = App {
        gateway,
        tell: tell.clone(),
    };
    let worker = Worker::new(&connection)
        .handlers(orders::order_handlers(app))
        .start()
        .await?;

    let mut dead = raw.look_into(OrderProcessingDlq::NAME).await?;
    let mut story = Story::new(&cases, pauses()?);
    let end = Instant::now() + LIMIT;
    let mut publishing = pin!(publish(&cases, &connection, &raw, &tell).fuse());
    while !story.is_over() {
        tokio::select! {
            biased; // what was told first is shown first
            Some(what) = happenings.recv() => story.happened(what),
            Some(letter) = dead.next() => story.lies_dead(letter?),
            published = &mut publishing => published?,
            () = sleep_until(end) => break,
        }
    }

    let report = worker.shutdown().await;
    story.show_letters(OrderProcessingDlq::NAME);
    story.show_summary();
    println!("worker: {report}");
    for (_, letter) in story.parts.iter().flat_map(|part| &part.letters) {
        letter.ack(BasicAckOptions::default()).await?;
    }
    raw.close().await?;
    connection.close().await;
    Ok(verdict::differences(&story))
}

async fn connect(url: &str) -> Result<Connection, Failed> {
    let connection = Connection::open(url).await;
    connection.map_err(|error| {
        if error.is_retryable() {
            format!(
                "{error}: start one with `scripts/broker up` and set AMQP_URL to what it prints"
            )
            .into()
        } else {
            error.into()
        }
    })
}

/// The pauses of the queue's retries, as the contract itself has them.
fn pauses() -> Result<Vec<Duration>, Failed> {
    let contract = orders::contract();
    let queue = contract
        .queues
        .iter()
        .find(|queue| queue.name == OrderProcessing::NAME)
        .ok_or("the contract has lost its queue")?;
    let plan = RetryPlan::new(&queue.name, &queue.retry)?;
    Ok(plan.delays().map(|delays| delays[0].duration()).collect())
}

/// Publishes every order: the good ones by the contract's publisher, the malformed body past it.
async fn publish(
    cases: &[Case],
    connection: &Connection,
    raw: &RawClient,
    tell: &UnboundedSender<Happening>,
) -> Result<(), Failed> {
    let events = OrderEventsPublisher::new(connection);
    for case in cases {
        let event_id = case.event_id;
        let by = match case.raw_body {
            Some(_) => "a raw client",
            None => "the typed publisher",
        };
        tell.send(Happening::Published { event_id, by })?;
        if let Some(body) = case.raw_body {
            raw.publish(Orders::NAME, "order.created", event_id, body)
                .await?;
        } else {
            let order = OrderCreated {
                order_id: case.order_id,
                amount_cents: 4_200,
            };
            // An id of ours, so that the order is known again wherever it turns up.
            let options = PublishOptions::new().event_id(event_id);
            events.with(options).order_created(&order).await?;
        }
    }
    Ok(())
}
