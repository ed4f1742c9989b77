#[contract_runtime::contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic)]
    pub struct Orders;

    #[exchange("orders.europe", topic, bind(Orders, "order.#"))]
    pub struct Europe;

    #[exchange("orders.germany", direct, bind(Europe, "*.created"))]
    pub struct Germany;

    #[queue("billing", bind(Germany, "order.paid"), dead_letter)]
    pub struct Billing;

    #[message("order.created")]
    pub struct OrderCreated {
        pub order_id: Uuid,
    }

    #[publisher]
    pub trait OrderEvents {
        #[publish(Orders)]
        async fn order_created(&self, event: &OrderCreated) -> PublishResult;
    }
}

async fn announce(events: &orders::OrderEventsPublisher, order: &orders::OrderCreated) {
    let _ = events.order_created(order).await;
}

fn main() {
    let _ = orders::contract();
}
