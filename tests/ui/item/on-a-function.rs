#[contract_runtime::contract]
pub fn orders() {}

fn main() {
    orders();
}
