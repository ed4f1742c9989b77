//! The library counts the retries of a classic queue itself; a quorum queue has a limit besides.

#[contract_runtime::contract]
pub mod orders {
    #[queue(
        "billing",
        classic,
        dead_letter,
        retry(immediate_requeue, max_retries = 3)
    )]
    pub struct Billing;

    #[queue("audit", dead_letter, delivery_limit = 5)]
    pub struct Audit;
}
