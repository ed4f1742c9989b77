//! Routing keys with fields: arguments of any type that can be shown, in any order.

use std::fmt::{self, Display};
use std::sync::Arc;

use contract_runtime::PublishResult;

#[contract_runtime::contract]
pub mod orders {
    use super::Region;
    use contract_runtime::prelude::*;

    #[exchange("orders", topic)]
    pub struct Orders;

    #[queue("billing", bind(Orders, "order.*.created"), bind(Orders, "*.*.moved"), dead_letter)]
    pub struct Billing;

    #[message("order.created")]
    pub struct OrderCreated {
        pub order_id: Uuid,
    }

    #[publisher]
    pub trait OrderEvents {
        #[publish(Orders, "order.{region}.created")]
        async fn created(&self, event: &OrderCreated, region: &str) -> PublishResult;
        #[publish(Orders, "{type}.{region}.moved", expiration = "5s")]
        async fn moved(&self, event: &OrderCreated, region: Region, r#type: u8) -> PublishResult;
        #[publish(Orders, "order.{by}.created")]
        async fn shown(&self, event: &OrderCreated, by: impl std::fmt::Display + Send) -> PublishResult;
    }
}

#[derive(Clone, Copy)]
pub enum Region {
    Eu,
}

impl Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Eu => f.write_str("eu"),
        }
    }
}

use orders::{OrderCreated, OrderEvents, OrderEventsPublisher};

async fn publish(events: &OrderEventsPublisher, event: &OrderCreated) -> PublishResult {
    events.created(event, "eu").await?;
    events.moved(event, Region::Eu, 7).await?;
    events.shown(event, String::from("hand")).await
}

async fn through(events: impl OrderEvents, event: &OrderCreated) -> PublishResult {
    events.created(event, "eu").await?;
    events.moved(event, Region::Eu, 7).await
}

fn is_send<T: Send>(_: T) {}

#[allow(dead_code)]
fn all(events: OrderEventsPublisher, event: &'static OrderCreated) {
    is_send(publish(Box::leak(Box::new(events.clone())), event));
    is_send(through(Arc::new(events.clone()), event));
    is_send(through(Box::leak(Box::new(events)) as &OrderEventsPublisher, event));
}

fn main() {
    let keys = orders::contract().publishers[0].publishes.iter().map(|publish| publish.key.to_string());
    let keys: Vec<String> = keys.collect();
    assert_eq!(keys, ["order.{region}.created", "{type}.{region}.moved", "order.{by}.created"]);
}
