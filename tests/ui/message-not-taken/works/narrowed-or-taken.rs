//! A binding that lets through what is taken, a method for the rest, and a queue that somebody else
//! reads.

#[contract_runtime::contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic)]
    pub struct Orders;

    #[queue("billing", bind(Orders, OrderCreated), dead_letter)]
    pub struct Billing;

    #[queue("audit", bind(Orders, "order.*"), dead_letter)]
    pub struct Audit;

    #[queue("archive", bind(Orders, "order.#"))]
    pub struct Archive;

    #[message("order.created")]
    pub struct OrderCreated {
        pub order_id: Uuid,
    }

    #[message("order.paid")]
    pub struct OrderPaid {
        pub order_id: Uuid,
    }

    #[publisher]
    pub trait OrderEvents {
        #[publish(Orders)]
        async fn order_created(&self, event: &OrderCreated) -> PublishResult;
        #[publish(Orders)]
        async fn order_paid(&self, event: &OrderPaid) -> PublishResult;
    }

    #[handlers]
    pub trait OrderHandlers {
        #[consume(Billing)]
        async fn bill(&self, order: OrderCreated) -> HandlerResult;
        #[consume(Audit)]
        async fn file(&self, message: RawMessage) -> HandlerResult;
    }
}
