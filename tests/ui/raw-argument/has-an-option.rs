#[contract_runtime::contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic, argument("alternate-exchange", "rest"))]
    pub struct Orders;

    #[queue(
        "billing",
        bind(Orders, "order.created"),
        argument("x-dead-letter-exchange", "orders.dlx"),
        argument("x-message-ttl", 60000),
        lossy(poison)
    )]
    pub struct Billing;

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

struct App;

impl orders::OrderHandlers for App {
    async fn bill(&self, _order: orders::OrderCreated) -> contract_runtime::HandlerResult {
        Ok(())
    }
}

fn main() {
    let _ = orders::order_handlers(App);
}
