//! What a quorum queue has; and a classic one with priorities.

#[contract_runtime::contract]
pub mod orders {
    #[queue(
        "billing",
        dead_letter,
        single_active_consumer,
        delivery_limit = 50,
        max_length = 1000,
        message_ttl = "1h"
    )]
    pub struct Billing;

    #[queue("urgent", classic, dead_letter, max_priority = 5)]
    pub struct Urgent;
}
