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

    #[queue("audit", bind(Orders, "#"))]
    pub trait Audit {}
}

impl orders::Audit for () {}

fn main() {
    let _ = orders::contract();
}
