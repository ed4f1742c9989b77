#[contract]
mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topci)]
    pub struct Orders;

    #[message("order.created")]
    pub struct OrderCreated {
        pub order_id: Uuid,
    }

    #[publisher]
    pub trait OrderEvents {
        #[publish(Orders)]
        async fn order_created(&self, event: &OrderCreated) -> PublishResult;

        #[publish(Orders)]
        async fn by_value(&self, event: OrderCreated) -> PublishResult;

        fn plain(&self);
    }
}
