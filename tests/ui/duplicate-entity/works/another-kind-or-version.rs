//! A queue may be called as an exchange is, and a message have two versions.

#[contract_runtime::contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic)]
    pub struct Orders;

    #[queue("orders", bind(Orders, OrderCreated), dead_letter)]
    pub struct Processing;

    #[message("order.created")]
    pub struct OrderCreated {
        pub order_id: Uuid,
    }

    #[message("order.created", version = 2)]
    pub struct OrderCreatedV2 {
        pub order_id: Uuid,
        pub amount_cents: u64,
    }

    #[handlers]
    pub trait OrderHandlers {
        #[consume(Processing)]
        async fn process(&self, order: OrderCreated) -> HandlerResult;
        #[consume(Processing)]
        async fn process_v2(&self, order: OrderCreatedV2) -> HandlerResult;
    }
}
