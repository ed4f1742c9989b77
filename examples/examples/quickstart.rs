//! A contract and the program around it: the first thing to read, and to copy.
//!
//! ```text
//! AMQP_URL=$(scripts/broker up) cargo run --example quickstart
//! ```
//!
//! It publishes two orders, of which one is charged and one is declined, and runs until Ctrl-C.

use contract_runtime::prelude::*;
use contract_runtime::{Connection, PublishOptions, Worker, contract, shutdown_signal};
use orders::OrderCreated;

#[contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic)]
    pub struct Orders;

    #[exchange("orders.dlx", direct)]
    pub struct OrdersDlx;

    #[queue(
        "order-processing",
        bind(Orders, "order.created"),
        dead_letter(OrdersDlx, "order-processing"),
        retry(ttl_backoff, max_retries = 5, initial_delay = "1s", max_delay = "60s")
    )]
    pub struct OrderProcessing;

    #[queue("order-processing.dlq", bind(OrdersDlx, "order-processing"))]
    pub struct OrderProcessingDlq;

    /// An order was placed.
    #[message("order.created")]
    pub struct OrderCreated {
        pub order_id: Uuid,
        #[schemars(range(min = 1))]
        pub amount_cents: u64,
    }

    #[publisher]
    pub trait OrderEvents {
        #[publish(Orders, "order.created")]
        async fn order_created(&self, event: &OrderCreated) -> PublishResult;
    }

    #[handlers]
    pub trait OrderHandlers {
        #[consume(OrderProcessing, concurrency = 16, timeout = "30s")]
        async fn process_order(&self, order: OrderCreated, delivery: &Delivery) -> HandlerResult;
    }
}

struct App {
    gateway: Gateway,
    #[expect(dead_code, reason = "for handlers that publish what follows")]
    events: orders::OrderEventsPublisher,
}

impl orders::OrderHandlers for App {
    async fn process_order(&self, order: OrderCreated, _delivery: &Delivery) -> HandlerResult {
        self.gateway.charge(&order).await.map_err(|e| match e {
            ChargeError::Declined => HandlerError::permanent(e),
            ChargeError::Unavailable => HandlerError::retryable(e),
        })?;
        self.audit(&order).await.retryable()
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::var("AMQP_URL").unwrap_or_else(|_| "amqp://localhost".to_owned());
    let (order_id, id) = (Uuid::now_v7(), Uuid::now_v7());
    let gateway = Gateway { most_cents: 50_000 };

    let connection = Connection::open(&url).await?;
    let events = orders::OrderEventsPublisher::new(&connection);
    let worker = Worker::new(&connection)
        .handlers(orders::order_handlers(App {
            gateway,
            events: events.clone(),
        }))
        .start()
        .await?;

    events
        .order_created(&OrderCreated {
            order_id,
            amount_cents: 4200,
        })
        .await?;

    // With an event id of our own, as for a message that is published again.
    let again = OrderCreated {
        order_id: Uuid::now_v7(),
        amount_cents: 99_999,
    };
    events
        .with(PublishOptions::new().event_id(id))
        .order_created(&again)
        .await?;

    println!("until Ctrl-C");
    let report = worker.run_until(shutdown_signal()).await?;
    println!("{report}");
    Ok(())
}

/// A payment gateway that declines large amounts.
struct Gateway {
    most_cents: u64,
}

#[derive(Debug, thiserror::Error)]
enum ChargeError {
    #[error("the card was declined")]
    Declined,
    #[error("the payment gateway is down")]
    #[expect(dead_code, reason = "this gateway is always up")]
    Unavailable,
}

impl Gateway {
    #[expect(clippy::unused_async, reason = "a real one is asked over the network")]
    async fn charge(&self, order: &OrderCreated) -> Result<(), ChargeError> {
        println!("charge {} cents for {}", order.amount_cents, order.order_id);
        if order.amount_cents > self.most_cents {
            return Err(ChargeError::Declined);
        }
        Ok(())
    }
}

impl App {
    #[expect(clippy::unused_async, reason = "a real one writes to a database")]
    async fn audit(&self, order: &OrderCreated) -> std::io::Result<()> {
        println!("audit {}", order.order_id);
        Ok(())
    }
}
