//! A dead letter; a signature; a queue that nobody of ours reads; and dead letters, which stay where
//! they are until they are read.

#[contract_runtime::contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic)]
    pub struct Orders;

    #[exchange("dead", fanout)]
    pub struct Dead;

    #[queue("billing", bind(Orders, "order.created"), dead_letter(Dead))]
    pub struct Billing;

    #[queue("metrics", bind(Orders, "order.created"), lossy(poison))]
    pub struct Metrics;

    #[queue("archive", bind(Orders, "#"))]
    pub struct Archive;

    #[queue("letters", bind(Dead))]
    pub struct Letters;

    #[message("order.created")]
    pub struct OrderCreated {
        pub order_id: Uuid,
    }

    #[handlers]
    pub trait OrderHandlers {
        #[consume(Billing)]
        async fn bill(&self, order: OrderCreated) -> HandlerResult;
        #[consume(Metrics)]
        async fn count(&self, order: OrderCreated) -> HandlerResult;
        #[consume(Letters)]
        async fn read(&self, letter: DeadLetter) -> HandlerResult;
    }
}
