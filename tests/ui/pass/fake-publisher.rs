#[contract_runtime::contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic)]
    pub struct Orders;

    #[queue("billing", bind(Orders, "order.created"), dead_letter)]
    pub struct Billing;

    #[message("order.created")]
    pub struct OrderCreated {
        pub order_id: Uuid,
    }

    #[publisher]
    pub trait OrderEvents {
        #[publish(Orders)]
        async fn order_created(&self, event: &OrderCreated) -> PublishResult;
    }
}

use std::sync::Arc;

use orders::{OrderCreated, OrderEvents};

/// What a unit test publishes to.
#[derive(Default)]
struct Fake;

impl OrderEvents for Fake {
    async fn order_created(&self, _: &OrderCreated) -> contract_runtime::PublishResult {
        unimplemented!()
    }
}

fn takes_events(_: impl OrderEvents) {}

fn main() {
    takes_events(&Fake);
    takes_events(Arc::new(Fake));
    takes_events(&Arc::new(&Fake));
    takes_events(Fake);
}
