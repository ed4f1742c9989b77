//! An exchange and a message of another contract, declared here as well.

#[contract_runtime::contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic)]
    pub struct Orders;

    #[message("order.created")]
    pub struct OrderCreated {
        pub order_id: Uuid,
    }

    #[publisher]
    pub trait OrderEvents {
        #[publish(Orders, external)]
        async fn order_created(&self, event: &OrderCreated) -> PublishResult;
    }
}

#[contract_runtime::contract]
pub mod billing {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic, external)]
    pub struct Orders;

    #[queue("billing", bind(Orders, OrderCreated), dead_letter)]
    pub struct Billing;

    #[message("order.created")]
    pub type OrderCreated = super::orders::OrderCreated;

    #[handlers]
    pub trait BillingHandlers {
        #[consume(Billing)]
        async fn bill(&self, order: OrderCreated) -> HandlerResult;
    }
}
