//! A fanout exchange looks at no key, and what a plugin does with one is its own affair.

#[contract_runtime::contract]
pub mod orders {
    #[exchange("broadcast", fanout)]
    pub struct Broadcast;

    #[exchange("random", custom("x-random"), external)]
    pub struct Random;

    #[queue("billing", bind(Broadcast), bind(Random), dead_letter)]
    pub struct Billing;
}
