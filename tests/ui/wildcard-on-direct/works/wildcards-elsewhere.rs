//! A topic exchange knows wildcards; to a direct one a star within a word is a letter as any other.

#[contract_runtime::contract]
pub mod orders {
    #[exchange("orders", topic)]
    pub struct Orders;

    #[exchange("orders.direct", direct)]
    pub struct Direct;

    #[queue("billing", bind(Orders, "order.*"), bind(Direct, "5*"), dead_letter)]
    pub struct Billing;
}
