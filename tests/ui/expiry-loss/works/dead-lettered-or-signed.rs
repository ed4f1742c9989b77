//! What expires is a dead letter, or the contract says that it may go.

#[contract_runtime::contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic)]
    pub struct Orders;

    #[queue("billing", bind(Orders, "order.#"), message_ttl = "1m", dead_letter)]
    pub struct Billing;

    #[queue("prices", bind(Orders, "order.#"), message_ttl = "1m", lossy(expiry))]
    pub struct Prices;

    #[message("order.created")]
    pub struct OrderCreated {
        pub order_id: Uuid,
    }

    #[publisher]
    pub trait OrderEvents {
        #[publish(Orders, expiration = "5s")]
        async fn order_created(&self, event: &OrderCreated) -> PublishResult;
    }
}
