//! Over two exchanges, by an alternate, whatever fills the field, bound elsewhere, and signed for.

#[contract_runtime::contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic, alternate(Rest))]
    pub struct Orders;

    #[exchange("rest", fanout)]
    pub struct Rest;

    #[exchange("orders.europe", direct, bind(Orders, "eu.#"))]
    pub struct Europe;

    #[exchange("elsewhere", topic)]
    pub struct Elsewhere;

    #[queue("billing", bind(Europe, "eu.order.created"), dead_letter)]
    pub struct Billing;

    #[queue("regions", bind(Orders, "order.*"))]
    pub struct Regions;

    #[queue("rest", bind(Rest))]
    pub struct RestQueue;

    #[message("order.created")]
    pub struct OrderCreated {
        pub order_id: Uuid,
    }

    #[publisher]
    pub trait OrderEvents {
        #[publish(Orders, "eu.order.created")]
        async fn over_two_exchanges(&self, event: &OrderCreated) -> PublishResult;
        #[publish(Orders, "order.{region}")]
        async fn whatever_the_region(&self, event: &OrderCreated, region: &str) -> PublishResult;
        #[publish(Orders, "nobody.asked")]
        async fn by_the_alternate(&self, event: &OrderCreated) -> PublishResult;
        #[publish(Elsewhere, external)]
        async fn bound_elsewhere(&self, event: &OrderCreated) -> PublishResult;
        #[publish(Elsewhere, lossy(unroutable))]
        async fn signed_for(&self, event: &OrderCreated) -> PublishResult;
    }
}
