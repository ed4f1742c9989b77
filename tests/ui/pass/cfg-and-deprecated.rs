#![deny(warnings)]

#[contract_runtime::contract]
mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic)]
    pub struct Orders;

    #[cfg(any())]
    #[exchange("never", topic)]
    pub struct Never;

    #[deprecated]
    #[queue("billing", bind(Orders, OrderCreated), dead_letter)]
    pub struct Billing;

    #[cfg(any())]
    #[queue("never", bind(Never, NeverSent), dead_letter)]
    pub struct NeverQueue;

    #[deprecated]
    #[message("order.created")]
    pub struct OrderCreated {
        pub order_id: Uuid,
    }

    #[cfg(any())]
    #[message("never.sent")]
    pub struct NeverSent;

    #[publisher]
    #[allow(deprecated)]
    pub trait OrderEvents {
        #[publish(Orders)]
        async fn order_created(&self, event: &OrderCreated) -> PublishResult;
        #[cfg(any())]
        #[publish(Never)]
        async fn never(&self, event: &NeverSent) -> PublishResult;
    }

    #[handlers]
    #[allow(deprecated)]
    pub trait OrderHandlers {
        #[consume(Billing)]
        async fn bill(&self, order: OrderCreated) -> HandlerResult;
        #[cfg(any())]
        #[consume(Billing)]
        async fn never(&self, event: NeverSent) -> HandlerResult;
    }

    #[cfg(any())]
    #[publisher]
    pub trait NeverEvents {
        #[publish(Never)]
        async fn never(&self, event: &NeverSent) -> PublishResult;
    }

    #[cfg(any())]
    #[handlers]
    pub trait NeverHandlers {
        #[consume(NeverQueue)]
        async fn other(&self, event: NeverSent) -> HandlerResult;
    }

}

fn main() {
    let contract = orders::contract();
    assert_eq!((contract.exchanges.len(), contract.queues.len()), (1, 1));
    assert_eq!(contract.publishers[0].publishes.len(), 1);
    assert_eq!(contract.handlers[0].consumers.len(), 1);
}
