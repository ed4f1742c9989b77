#[contract_runtime::contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic)]
    pub struct Orders;

    #[queue("billing", bind(Orders, "order.created"), dead_letter)]
    pub struct Billing;

    #[message("order.created")]
    pub struct OrderCreated {
        pub order_id: Uuid,
    }

    #[publisher]
    pub trait OrderEvents: Clone {
        #[publish(Orders)]
        async fn order_created(&self, event: &OrderCreated) -> PublishResult;
    }
}

fn announce(connection: &contract_runtime::Connection) {
    let _ = orders::OrderEventsPublisher::new(connection);
}

fn main() {
    let _ = orders::contract();
}
