#[contract_runtime::contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic)]
    pub struct Orders;

    #[exchange = "copies"]
    pub struct Copies;

    #[queue("billing", bind(Orders, OrderCreated), dead_letter)]
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

    #[handlers]
    pub trait OrderHandlers {
        #[consume(Billing)]
        async fn bill(&self, order: OrderCreated) -> HandlerResult;
    }
}

struct App;

impl orders::OrderHandlers for App {
    async fn bill(&self, order: orders::OrderCreated) -> contract_runtime::HandlerResult {
        let _ = order.order_id;
        Ok(())
    }
}

async fn announce(events: &orders::OrderEventsPublisher, order: &orders::OrderCreated) {
    let _ = events.order_created(order).await;
}

fn main() {
    let _ = (orders::order_handlers(App), orders::contract(), orders::Orders, orders::Billing);
}
