use contract_runtime::exchange;

#[exchange("orders", topic)]
pub struct Orders;

fn main() {
    let _ = Orders;
}
