#[contract_runtime::contract]
pub mod orders {
    #[cfg]
    #[exchange("orders", topic)]
    pub struct Orders;

    #[cfg(unix, windows)]
    #[exchange("copies", topic)]
    pub struct Copies;

    #[cfg(nonsense(1))]
    #[exchange("others", topic)]
    pub struct Others;
}

fn main() {
    let _ = orders::contract();
}
