#[contract_runtime::contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic)]
    pub struct Orders;

    #[exchange("dead", fanout)]
    pub struct Dead;

    #[queue("billing", bind(Orders, "order.created"), dead_letter(Dead))]
    pub struct Billing;

    #[queue("letters", bind(Dead))]
    pub struct Letters;

    #[message("order.created")]
    pub struct OrderCreated {
        pub order_id: Uuid,
    }

    #[handlers]
    pub trait OrderHandlers {
        #[consume(Billing)]
        async fn bill(&self, order: OrderCreated) -> HandlerResult;
        #[consume(Letters)]
        async fn count(&self, letter: DeadLetter) -> HandlerResult;
    }

    #[handlers]
    pub trait NightShift {
        #[consume(Letters)]
        async fn read(&self, letter: DeadLetter) -> HandlerResult;
    }
}

struct App;

impl orders::NightShift for App {
    async fn read(&self, _it: contract_runtime::DeadLetter) -> contract_runtime::HandlerResult {
        Ok(())
    }
}

fn main() {
    let _ = orders::night_shift(App);
}
