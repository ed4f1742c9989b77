//! Each option stands on one of the methods of a queue, and does something there.

#[contract_runtime::contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic)]
    pub struct Orders;

    #[queue("billing", classic, bind(Orders, "order.*"), dead_letter)]
    pub struct Billing;

    #[message("order.created")]
    pub struct OrderCreated {
        pub order_id: Uuid,
    }

    #[message("order.paid")]
    pub struct OrderPaid {
        pub order_id: Uuid,
    }

    #[handlers]
    pub trait OrderHandlers {
        #[consume(Billing, concurrency = 1, exclusive)]
        async fn bill(&self, order: OrderCreated) -> HandlerResult;
        #[consume(Billing, prefetch = 1, timeout = "5s", priority = -1)]
        async fn note(&self, order: OrderPaid) -> HandlerResult;
    }
}
