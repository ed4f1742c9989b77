#[contract_runtime::contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic)]
    pub struct Orders;

    #[queue("billing", bind(Orders, "#"), dead_letter)]
    pub struct Billing;

    #[handlers]
    pub trait OrderHandlers {
        #[consume(Billing)]
        async fn rest(&self, message: RawMessage) -> HandlerResult;
        #[consume(Billing)]
        async fn letters(&self, letter: DeadLetter) -> HandlerResult;
    }
}

struct App;

impl orders::OrderHandlers for App {
    async fn rest(&self, _it: contract_runtime::RawMessage) -> contract_runtime::HandlerResult {
        Ok(())
    }

    async fn letters(&self, _it: contract_runtime::DeadLetter) -> contract_runtime::HandlerResult {
        Ok(())
    }
}

fn main() {
    let _ = orders::order_handlers(App);
}
