#![no_implicit_prelude]

extern crate contract_runtime as other;

#[::other::contract(crate = ::other)]
mod orders {
    #[exchange("orders", topic)]
    pub struct Orders;

    #[queue("billing", bind(Orders, OrderCreated), dead_letter, retry(ttl_backoff))]
    pub struct Billing;

    #[message("order.created")]
    pub struct OrderCreated {
        pub order_id: ::other::Uuid,
    }

    #[publisher]
    pub trait OrderEvents {
        #[publish(Orders, header("region", "eu"))]
        async fn order_created(&self, event: &OrderCreated) -> ::other::PublishResult;
    }

    #[handlers]
    pub trait OrderHandlers {
        #[consume(Billing, concurrency = 2)]
        async fn bill(&self, order: OrderCreated, delivery: &::other::Delivery) -> ::other::HandlerResult;
    }
}

fn main() {
    ::std::assert_eq!(orders::contract().name, "orders");
}
