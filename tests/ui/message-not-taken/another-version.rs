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

    #[message("order.created", version = 2)]
    pub struct OrderCreatedV2 {
        pub order_id: Uuid,
        pub amount_cents: u64,
    }

    #[publisher]
    pub trait OrderEvents {
        #[publish(Orders)]
        async fn order_created(&self, event: &OrderCreatedV2) -> PublishResult;
    }

    #[handlers]
    pub trait OrderHandlers {
        #[consume(Billing)]
        async fn bill(&self, order: OrderCreated) -> HandlerResult;
    }
}

struct App;

impl orders::OrderHandlers for App {
    async fn bill(&self, _order: orders::OrderCreated) -> contract_runtime::HandlerResult {
        Ok(())
    }
}

async fn announce(events: &orders::OrderEventsPublisher, order: &orders::OrderCreatedV2) {
    let _ = events.order_created(order).await;
}

fn main() {
    let _ = orders::order_handlers(App);
}
