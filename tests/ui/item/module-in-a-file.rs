#[contract_runtime::contract]
mod orders;

fn main() {}
