#[contract_runtime::contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic)]
    pub struct Orders;

    #[queue("billing", bind(Orders, "order.created"), dead_letter)]
    pub struct Billing;

    #[message("order.created")]
    pub struct OrderCreated<T> {
        pub at: Option<Uuid>,
        pub order_id: T,
    }
}

fn id(order: orders::OrderCreated<u8>) -> u8 {
    order.order_id
}

fn main() {
    let _ = orders::contract();
}
