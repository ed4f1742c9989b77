//! Handlers that take whatever comes, beside one that takes a message; and one of dead letters.

use contract_runtime::contract_core::model::Takes;

#[contract_runtime::contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic)]
    pub struct Orders;

    #[queue("audit", bind(Orders, "#"), dead_letter)]
    pub struct Audit;

    #[exchange("billing.dlx", direct)]
    pub struct BillingDlx;

    #[queue("billing.dlq", bind(BillingDlx, "billing"))]
    pub struct BillingDlq;

    #[queue("billing", bind(Orders, OrderCreated), dead_letter(BillingDlx, "billing"))]
    pub struct Billing;

    #[message("order.created")]
    pub struct OrderCreated {
        pub order_id: Uuid,
    }

    #[handlers]
    pub trait AuditHandlers {
        #[consume(Audit)]
        async fn known(&self, order: OrderCreated) -> HandlerResult;
        #[consume(Audit)]
        async fn rest(&self, message: RawMessage, delivery: &Delivery) -> HandlerResult;
        #[consume(BillingDlq)]
        async fn lost(&self, letter: contract_runtime::DeadLetter) -> HandlerResult;
    }

    #[handlers]
    pub trait BillingHandlers {
        #[consume(Billing)]
        async fn bill(&self, order: OrderCreated) -> HandlerResult;
    }
}

fn main() {
    let consumers = &orders::contract().handlers[0].consumers;
    assert!(matches!(consumers[0].takes, Takes::Message(_)));
    assert_eq!(consumers[1].takes, Takes::Raw);
    assert_eq!(consumers[2].takes, Takes::DeadLetter);
}
