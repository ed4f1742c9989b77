//! What the shop and its order service agree on.

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
