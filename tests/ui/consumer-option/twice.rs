#[contract_runtime::contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic)]
    pub struct Orders;

    #[queue("billing", bind(Orders, "order.*"), dead_letter)]
    pub struct Billing;

    #[message("order.created")]
    pub struct OrderCreated {
        pub order_id: Uuid,
    }

    #[message("order.paid")]
    pub struct OrderPaid {
        pub order_id: Uuid,
    }

    #[handlers]
    pub trait OrderHandlers {
        #[consume(Billing, concurrency = 4)]
        async fn bill(&self, order: OrderCreated) -> HandlerResult;
        #[consume(Billing, concurrency = 8, timeout = "5s")]
        async fn note(&self, order: OrderPaid) -> HandlerResult;
    }
}

struct App;

impl orders::OrderHandlers for App {
    async fn bill(&self, _order: orders::OrderCreated) -> contract_runtime::HandlerResult {
        Ok(())
    }

    async fn note(&self, _order: orders::OrderPaid) -> contract_runtime::HandlerResult {
        Ok(())
    }
}

fn main() {
    let _ = orders::order_handlers(App);
}
