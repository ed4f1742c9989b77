#[contract_runtime::contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic)]
    pub struct Orders;

    #[exchange("orders.eu", topic, internal, bind(Orders, "#"))]
    pub struct OrdersEu;

    #[queue("billing", bind(OrdersEu, OrderCreated), dead_letter)]
    pub struct Billing;

    #[message("order.created")]
    pub struct OrderCreated {
        pub order_id: Uuid,
    }

    #[publisher]
    pub trait OrderEvents {
        #[publish(OrdersEu)]
        async fn order_created(&self, event: &OrderCreated) -> PublishResult;
    }
}

async fn announce(events: &orders::OrderEventsPublisher, order: &orders::OrderCreated) {
    let _ = events.order_created(order).await;
}

fn main() {
    let _ = orders::contract();
}
