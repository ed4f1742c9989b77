//! Two versions, whatever else comes, and the same message from another queue.

#[contract_runtime::contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic)]
    pub struct Orders;

    #[queue("billing", bind(Orders, "#"), dead_letter)]
    pub struct Billing;

    #[queue("thanks", bind(Orders, "order.created"), dead_letter)]
    pub struct Thanks;

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
        #[consume(Billing)]
        async fn bill(&self, order: OrderCreated) -> HandlerResult;
        #[consume(Billing)]
        async fn bill_v2(&self, order: OrderCreatedV2) -> HandlerResult;
        #[consume(Billing)]
        async fn rest(&self, message: RawMessage) -> HandlerResult;
        #[consume(Thanks)]
        async fn thank(&self, order: OrderCreated) -> HandlerResult;
    }
}
