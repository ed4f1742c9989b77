#[contract_runtime::contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic)]
    pub struct Orders;

    #[queue(
        "billing",
        bind(Orders, OrderCreated),
        dead_letter,
        retry(ttl_backoff, delays("1s", "5s", "1m"))
    )]
    pub struct Billing;

    #[queue("audit", bind(Orders, "#"), dead_letter, retry(immediate_requeue))]
    pub struct Audit;

    #[queue("archive", bind(Orders, "#"), lossy(poison), retry(none))]
    pub struct Archive;

    #[message("order.created")]
    pub struct OrderCreated {
        pub order_id: Uuid,
    }

    #[publisher]
    pub trait OrderEvents {
        #[publish(Orders)]
        async fn order_created(&self, event: &OrderCreated) -> PublishResult;
    }

    #[handlers]
    pub trait OrderHandlers {
        #[consume(Billing)]
        async fn bill(&self, order: OrderCreated) -> HandlerResult;
        #[consume(Audit, concurrency = 1)]
        async fn audit(&self, order: OrderCreated, delivery: &Delivery) -> HandlerResult;
    }

    #[handlers]
    pub trait ArchiveHandlers {
        #[consume(Archive)]
        async fn keep(&self, order: OrderCreated) -> HandlerResult;
    }
}

fn main() {
    let contract = orders::contract();
    assert_eq!(contract.queues[0].retry.max_retries(), 3);
    assert_eq!(contract.queues[1].retry.max_retries(), 3);
    assert_eq!(contract.publishers[0].publishes[0].key.to_string(), "order.created");
    assert_eq!(contract.handlers.len(), 2);
    assert_eq!(contract_runtime::contract_core::check::check(contract), []);
}
