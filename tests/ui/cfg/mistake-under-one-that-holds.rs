#[contract_runtime::contract]
pub mod orders {
    #[exchange("orders", topic)]
    #[cfg(all())]
    pub struct Orders;

    #[cfg(not(any()))]
    #[exchange("orders", topic, transiet)]
    pub struct Copies;
}

fn main() {
    let _ = (orders::contract(), orders::Orders, orders::Copies);
}
