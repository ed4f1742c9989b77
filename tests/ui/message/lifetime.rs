#[contract_runtime::contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic)]
    pub struct Orders;

    #[queue("billing", bind(Orders, OrderCreated), dead_letter)]
    pub struct Billing;

    #[message("order.created")]
    pub struct OrderCreated<'a> {
        pub name: &'a str,
        pub at: Option<Uuid>,
    }

    #[publisher]
    pub trait OrderEvents {
        #[publish(Orders)]
        async fn order_created(&self, event: &OrderCreated<'_>) -> PublishResult;
    }

    #[handlers]
    pub trait OrderHandlers {
        #[consume(Billing)]
        async fn bill(&self, order: OrderCreated<'_>) -> HandlerResult;
    }
}

struct App;

impl orders::OrderHandlers for App {
    async fn bill(&self, _order: orders::OrderCreated<'_>) -> contract_runtime::HandlerResult {
        Ok(())
    }
}

async fn announce(events: &orders::OrderEventsPublisher, order: &orders::OrderCreated<'_>) {
    let _ = events.order_created(order).await;
}

fn main() {
    let _ = orders::order_handlers(App);
}
