//! The contract as the design writes it.

use contract_runtime::contract;

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

use contract_runtime::Connection;
use contract_runtime::prelude::*;
use orders::{OrderCreated, OrderEvents, OrderEventsPublisher, OrderHandlers};

struct App {
    events: OrderEventsPublisher,
}

impl OrderHandlers for App {
    async fn process_order(&self, order: OrderCreated, _delivery: &Delivery) -> HandlerResult {
        announce(&self.events, &order).await.retryable()
    }
}

async fn announce(events: impl OrderEvents, order: &OrderCreated) -> Result<(), std::io::Error> {
    events.order_created(order).await.map_err(std::io::Error::other)?;
    Ok(())
}

#[allow(dead_code)]
fn service(connection: &Connection) -> contract_runtime::HandlerRegistry {
    let events = OrderEventsPublisher::new(connection);
    orders::order_handlers(App { events })
}

fn main() {
    let contract = orders::contract();
    assert_eq!(contract.name, "orders");
    assert_eq!(contract.queues[0].label, "OrderProcessing");
    assert_eq!(contract.queues[0].retry.max_retries(), 5);
    assert!(contract.messages[0].schema.is_some());
    assert_eq!(contract_runtime::contract_core::check::check(contract), []);
}
