//! Two services that both want each message have a queue each; one group of handlers may have several.

#[contract_runtime::contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic)]
    pub struct Orders;

    #[queue("billing", bind(Orders, OrderCreated), dead_letter)]
    pub struct Billing;

    #[queue("shipping", bind(Orders, OrderCreated), dead_letter)]
    pub struct Shipping;

    #[queue("thanks", bind(Orders, OrderCreated), dead_letter)]
    pub struct Thanks;

    #[message("order.created")]
    pub struct OrderCreated {
        pub order_id: Uuid,
    }

    #[handlers]
    pub trait BillingHandlers {
        #[consume(Billing)]
        async fn bill(&self, order: OrderCreated) -> HandlerResult;
        #[consume(Thanks)]
        async fn thank(&self, order: OrderCreated) -> HandlerResult;
    }

    #[handlers]
    pub trait ShippingHandlers {
        #[consume(Shipping)]
        async fn ship(&self, order: OrderCreated) -> HandlerResult;
    }
}
