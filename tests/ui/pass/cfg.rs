//! `#[cfg]` and `#[cfg_attr]` on whatever a contract has: the contract is what is compiled.

#![deny(warnings)]

#[contract_runtime::contract]
pub mod orders {
    use contract_runtime::prelude::*;

    #[exchange("orders", topic)]
    pub struct Orders;

    // Two of one name, never both.
    #[cfg(debug_assertions)]
    #[queue("billing", bind(Orders, OrderCreated), dead_letter)]
    pub struct Billing;

    #[cfg(not(debug_assertions))]
    #[queue("billing", bind(Orders, "#"), dead_letter, retry(ttl_backoff))]
    pub struct Billing;

    // Breaks no rule while it is not there.
    #[cfg(any())]
    #[queue("amq.reserved", bind(Nothing))]
    pub struct Reserved;

    #[cfg_attr(all(), queue("audit", bind(Orders, "#"), dead_letter), cfg_attr(all(), derive(Hash)))]
    #[cfg_attr(any(), queue("never"))]
    pub struct Audit;

    #[cfg_attr(all(), cfg(any()))]
    #[message("never.sent")]
    pub struct NeverSent {
        missing: Missing,
    }

    #[message("order.created")]
    #[cfg_attr(all(), derive(Debug), serde(rename_all = "camelCase"))]
    pub struct OrderCreated {
        pub order_id: Uuid,
        #[cfg(any())]
        pub never: Missing,
    }

    #[publisher]
    pub trait OrderEvents {
        #[publish(Orders)]
        async fn order_created(&self, event: &OrderCreated) -> PublishResult;
        #[cfg(any())]
        #[publish(Nothing)]
        async fn never(&self, event: &NeverSent) -> PublishResult;
        #[cfg(not(any()))]
        #[cfg(all())]
        #[cfg_attr(all(), publish(Orders, "order.created"))]
        async fn never(&self, event: &OrderCreated) -> PublishResult;
    }

    #[cfg(any())]
    #[handlers]
    pub trait NeverHandlers {
        #[consume(Nothing)]
        async fn never(&self, event: NeverSent) -> HandlerResult;
    }

    #[handlers]
    pub trait OrderHandlers {
        #[cfg_attr(any(), consume(Audit))]
        #[cfg_attr(not(any()), consume(Billing))]
        async fn bill(&self, order: OrderCreated) -> HandlerResult;
    }

    #[cfg(any())]
    pub use nowhere::Nothing;
}

/// The same in a function, with the runtime found from where the module is.
fn local() -> &'static contract_runtime::Contract {
    #[contract_runtime::contract(crate = super::runtime)]
    mod inner {
        #[exchange("inner", topic)]
        #[cfg(all())]
        pub struct Inner;

        #[cfg(any())]
        #[exchange("inner", topic)]
        pub struct Inner;
    }
    inner::contract()
}

mod runtime {
    pub use contract_runtime::*;
}

fn main() {
    let contract = orders::contract();
    let queues: Vec<&str> = contract.queues.iter().map(|queue| queue.name.as_str()).collect();
    assert_eq!(queues, ["billing", "audit"]);
    assert_eq!(contract.messages.len(), 1);
    let schema = contract.messages[0].schema.as_ref().unwrap();
    assert!(schema["properties"]["orderId"].is_object() && schema["properties"]["never"].is_null());
    let methods: Vec<&str> = contract.publishers[0].publishes.iter().map(|it| it.method.as_str()).collect();
    assert_eq!(methods, ["order_created", "never"]);
    assert_eq!(contract.handlers.len(), 1);
    assert_eq!(contract.handlers[0].consumers[0].queue, "billing");
    let event = orders::OrderCreated { order_id: contract_runtime::Uuid::nil() };
    assert!(format!("{event:?}").contains("order_id"));
    assert_eq!(local().exchanges.len(), 1);
}
