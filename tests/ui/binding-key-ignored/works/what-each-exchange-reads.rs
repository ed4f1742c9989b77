//! Each exchange is bound by what it looks at.

#[contract_runtime::contract]
pub mod orders {
    #[exchange("orders", topic)]
    pub struct Orders;

    #[exchange("broadcast", fanout)]
    pub struct Broadcast;

    #[exchange("by-region", headers)]
    pub struct ByRegion;

    #[queue(
        "billing",
        bind(Orders, "order.created"),
        bind(Broadcast),
        bind(ByRegion, all(header("region", "eu"))),
        dead_letter
    )]
    pub struct Billing;
}
