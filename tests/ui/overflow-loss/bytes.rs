#[contract_runtime::contract]
pub mod orders {
    #[exchange("orders", topic)]
    pub struct Orders;

    #[queue("audit", classic, bind(Orders, "#"), max_length_bytes = 1000000, overflow(drop_head))]
    pub struct Audit;
}

fn main() {
    let _ = orders::contract();
}
