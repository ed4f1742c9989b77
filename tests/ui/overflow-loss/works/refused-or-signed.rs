//! A full queue refuses the publisher; or the contract says that the oldest may go; or there is no
//! bound.

#[contract_runtime::contract]
pub mod orders {
    #[exchange("orders", topic)]
    pub struct Orders;

    #[queue("billing", bind(Orders, "#"), max_length = 9)]
    pub struct Billing;

    #[queue("same", bind(Orders, "#"), max_length = 9, overflow(reject_publish))]
    pub struct Same;

    #[queue(
        "latest",
        bind(Orders, "#"),
        max_length = 9,
        overflow(drop_head),
        lossy(overflow)
    )]
    pub struct Latest;

    #[queue("unbounded", classic, bind(Orders, "#"), overflow(drop_head))]
    pub struct Unbounded;
}
