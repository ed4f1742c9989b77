#[contract_runtime::contract]
pub mod orders {
    #[cfg(any())]
    #[exchange("orders", topic)]
    pub struct Orders;

    #[queue("billing", bind(Orders, "order.created"))]
    pub struct Billing;
}

fn main() {
    let _ = (orders::contract(), orders::Billing);
}
