//! What this kind of queue reads; and what nobody here knows, by the word for it.

#[contract_runtime::contract]
pub mod orders {
    #[queue(
        "billing",
        dead_letter,
        argument("x-queue-leader-locator", "balanced"),
        argument("x-quorum-initial-group-size", 3)
    )]
    pub struct Billing;

    #[queue(
        "lazy",
        classic,
        dead_letter,
        argument("x-queue-mode", "lazy"),
        argument("x-queue-version", 2)
    )]
    pub struct Lazy;

    #[queue("plugin", dead_letter, argument("x-of-a-plugin", "yes", unchecked))]
    pub struct Plugin;
}
