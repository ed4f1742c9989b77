//! Names that are keywords, and names that only their case tells apart.

#![deny(warnings)]

#[contract_runtime::contract]
pub mod r#loop {
    use contract_runtime::prelude::*;

    #[exchange("loop", topic)]
    #[allow(non_camel_case_types)]
    pub struct r#type;

    #[queue("in-order", bind(r#type, "order-created"), bind(self::r#type, "*.moved"), dead_letter)]
    pub struct InOrder;

    #[message("order-created")]
    pub struct OrderCreated {
        pub r#type: u8,
    }

    #[message("move")]
    pub struct Move(pub Uuid);

    #[publisher]
    pub trait r#Dyn {
        #[publish(r#type)]
        async fn r#type(&self, r#struct: &OrderCreated) -> PublishResult;
        #[publish(r#type, "{move}.moved")]
        async fn r#gen(&self, event: &self::OrderCreated, r#move: &str) -> PublishResult;
    }

    #[handlers]
    pub trait Match {
        #[consume(InOrder)]
        async fn r#type(&self, r#fn: OrderCreated, r#in: &Delivery) -> HandlerResult;
    }

    #[handlers]
    pub trait Gen {
        #[consume(r#Dead)]
        async fn r#async(&self, r#move: Move) -> HandlerResult;
    }

    #[queue("dead", external, lossy(poison))]
    pub struct r#Dead;
}

use contract_runtime::prelude::*;

struct App;

impl r#loop::Match for App {
    async fn r#type(&self, order: r#loop::OrderCreated, _: &Delivery) -> HandlerResult {
        let _ = order.r#type;
        Ok(())
    }
}

impl r#loop::Gen for App {
    async fn r#async(&self, event: r#loop::Move) -> HandlerResult {
        let _ = event.0;
        Ok(())
    }
}

#[allow(dead_code)]
async fn publish(events: &r#loop::DynPublisher) -> PublishResult {
    events.r#type(&r#loop::OrderCreated { r#type: 1 }).await?;
    events.r#gen(&r#loop::OrderCreated { r#type: 2 }, "eu").await
}

fn main() {
    let _ = r#loop::r#match(App).merge(r#loop::r#gen(App));
    let contract = r#loop::contract();
    assert_eq!(contract.name, "loop");
    assert_eq!(contract.exchanges[0].label, "type");
    let methods: Vec<&str> = contract.publishers[0].publishes.iter().map(|it| it.method.as_str()).collect();
    assert_eq!(methods, ["type", "gen"]);
}
