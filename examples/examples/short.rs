//! The short forms: one event, and one consumer with five growing pauses and dead letters.
//!
//! ```text
//! AMQP_URL=$(scripts/broker up) cargo run --example short
//! ```
//!
//! `dead_letter` alone derives an exchange, a queue and their binding (`billing.dlx`, `billing.dlq`);
//! `bind(Shop, OrderCreated)` and `#[publish(Shop)]` take the message's name for the key. Runs until
//! Ctrl-C.

use std::io::Write;

use contract_runtime::prelude::*;
use orders::{Billing, OrderCreated, OrderEventsPublisher, billing};

#[contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("shop", topic)]
    pub struct Shop;

    #[queue(
        "billing",
        bind(Shop, OrderCreated),
        dead_letter,
        retry(ttl_backoff, delays("1s", "5s", "30s", "2m", "10m"))
    )]
    pub struct BillingQueue;

    #[message("order.created")]
    pub struct OrderCreated {
        pub number: u64,
    }

    #[publisher]
    pub trait OrderEvents {
        #[publish(Shop)]
        async fn order_created(&self, event: &OrderCreated) -> PublishResult;
    }

    #[handlers]
    pub trait Billing {
        #[consume(BillingQueue)]
        async fn bill(&self, order: OrderCreated) -> HandlerResult;
    }
}

struct App;

impl Billing for App {
    async fn bill(&self, order: OrderCreated) -> HandlerResult {
        writeln!(std::io::stdout(), "order {} is billed", order.number).retryable()
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let broker = Connection::open(&std::env::var("AMQP_URL")?).await?;
    let events = OrderEventsPublisher::new(&broker);
    let worker = Worker::new(&broker).handlers(billing(App)).start().await?;
    events.order_created(&OrderCreated { number: 7 }).await?;
    worker.run_until(shutdown_signal()).await?;
    Ok(())
}
