//! A contract that the user's own macro writes: its literals, names and types come in groups.

macro_rules! contract {
    ($name:ident, $exchange:literal, $key:literal, $pause:literal, $retries:literal, $message:ty, $field:ident) => {
        #[contract_runtime::contract]
        mod $name {
            use contract_runtime::prelude::*;

            #[exchange($exchange, topic)]
            pub struct Orders;

            #[queue(
                "billing",
                bind(Orders, $key),
                dead_letter,
                retry(ttl_backoff, max_retries = $retries, initial_delay = $pause)
            )]
            pub struct Billing;

            #[message($key)]
            pub struct OrderCreated {
                pub $field: Uuid,
            }

            #[publisher]
            pub trait OrderEvents {
                #[publish(Orders, $key)]
                async fn order_created(&self, event: &$message) -> PublishResult;
            }

            #[handlers]
            pub trait OrderHandlers {
                #[consume(Billing)]
                async fn bill(&self, order: $message, delivery: &Delivery) -> HandlerResult;
            }
        }
    };
}

contract!(orders, "orders", "order.created", "2s", 2, OrderCreated, order_id);

fn main() {
    let contract = orders::contract();
    assert_eq!(contract.exchanges[0].name, "orders");
    assert_eq!(contract.queues[0].retry.max_retries(), 2);
    assert_eq!(contract.messages[0].name, "order.created");
}
