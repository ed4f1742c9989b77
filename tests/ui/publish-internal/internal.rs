#[contract_runtime::contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic, internal)]
    pub struct Orders;

    #[queue("billing", bind(Orders, OrderCreated), dead_letter)]
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
