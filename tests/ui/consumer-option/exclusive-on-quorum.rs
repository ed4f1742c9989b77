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

    #[handlers]
    pub trait OrderHandlers {
        #[consume(Billing, exclusive, prefetch = 0)]
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
