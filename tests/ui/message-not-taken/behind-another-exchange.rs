#[contract_runtime::contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic)]
    pub struct Orders;

    #[exchange("orders.europe", topic, bind(Orders, "order.#"))]
    pub struct Europe;

    #[queue("billing", bind(Europe, "*.paid"), dead_letter)]
    pub struct Billing;

    #[message("order.created")]
    pub struct OrderCreated {
        pub order_id: Uuid,
    }

    #[message("order.paid")]
    pub struct OrderPaid {
        pub order_id: Uuid,
    }

    #[publisher]
    pub trait OrderEvents {
        #[publish(Orders)]
        async fn order_paid(&self, event: &OrderPaid) -> PublishResult;
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

async fn announce(events: &orders::OrderEventsPublisher, order: &orders::OrderPaid) {
    let _ = events.order_paid(order).await;
}

fn main() {
    let _ = orders::order_handlers(App);
}
