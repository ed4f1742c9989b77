//! Whoever writes the dead letter out may call its queue what would have been derived.

#[contract_runtime::contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic)]
    pub struct Orders;

    #[exchange("billing.dlx", fanout)]
    pub struct BillingDlx;

    #[queue(
        "billing",
        bind(Orders, "order.created"),
        dead_letter(BillingDlx),
        retry(ttl_backoff, delays("5s"))
    )]
    pub struct Billing;

    #[queue("billing.dlq", bind(BillingDlx))]
    pub struct BillingDlq;

    #[queue("billing.retry")]
    pub struct Later;

    #[message("order.created")]
    pub struct OrderCreated {
        pub order_id: Uuid,
    }

    #[handlers]
    pub trait OrderHandlers {
        #[consume(Billing)]
        async fn bill(&self, order: OrderCreated) -> HandlerResult;
    }
}
