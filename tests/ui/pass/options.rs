use contract_runtime::contract_core::Millis;
use contract_runtime::contract_core::model::{
    BindingKey, DeadLetter, DeadLetterOwner, DeliveryLimit, ExchangeKind, Loss, Overflow, QueueKind,
};

#[contract_runtime::contract]
pub mod shop {
    use contract_runtime::prelude::*;

    #[exchange("shop.unrouted", fanout)]
    pub struct Unrouted;

    #[exchange("shop.passing", fanout, transient, auto_delete)]
    pub struct Passing;

    #[exchange("shop", topic, alternate(Unrouted), argument("x-vendor", "ours", unchecked))]
    pub struct Shop;

    #[exchange("shop.copy", fanout, internal, bind(Shop, "order.#"))]
    pub struct Copy;

    #[exchange("shop.headers", headers)]
    pub struct ByHeaders;

    #[exchange("shop.hash", custom("x-consistent-hash"))]
    pub struct Hashed;

    #[exchange("partner", direct, external)]
    pub struct Partner;

    #[queue("unrouted", bind(Unrouted))]
    pub struct UnroutedQueue;

    #[queue("copies", bind(Copy))]
    pub struct Copies;

    #[queue(
        "everything",
        classic,
        bind(Shop, "order.*"),
        bind(Shop, "invoice.#"),
        bind(ByHeaders, all(header("region", "eu"), header("priority", 5))),
        bind(ByHeaders, any(header("urgent", true))),
        dead_letter(Partner, "shop", external),
        retry(
            ttl_backoff,
            max_retries = 4,
            initial_delay = "250ms",
            max_delay = "5m",
            multiplier = 1.5,
            jitter = 0.2,
            bucket_max_length = 1000
        ),
        message_ttl = "10m",
        expires = "1h",
        max_length = 10,
        max_length_bytes = 1_000_000,
        overflow(drop_head),
        delivery_limit(broker),
        single_active_consumer,
        max_priority = 5,
        argument("x-vendor", 7, unchecked),
        lossy(expiry, overflow, deletion, restart, hop)
    )]
    pub struct Everything;

    #[queue("limited", quorum, bind(Shop, Invoice), dead_letter(Partner, by_policy), delivery_limit = 50)]
    pub struct Limited;

    #[queue("theirs", external, lossy(poison))]
    pub struct Theirs;

    #[message("order.created", version = 2)]
    #[derive(Debug, Clone)]
    pub struct Order {
        pub order_id: Uuid,
        pub address: Address,
    }

    #[message("invoice")]
    pub enum Invoice {
        Paid { amount_cents: u64 },
        Open,
    }

    #[payload]
    #[derive(Debug, Clone)]
    pub struct Address {
        pub street: String,
    }

    #[publisher]
    pub trait Events {
        #[publish(Shop)]
        async fn order(&self, order: &Order) -> PublishResult;
        #[publish(ByHeaders, "ignored", header("region", "eu"), header("priority", 5), expiration = "5s")]
        async fn european(&self, order: &Order) -> PublishResult;
        #[publish(Partner, "elsewhere", external)]
        async fn partner(&self, invoice: &Invoice) -> PublishResult;
        #[publish(Hashed, "nobody", lossy(unroutable))]
        async fn hashed(&self, invoice: &Invoice) -> PublishResult;
    }

    #[handlers]
    pub trait Everyone {
        #[consume(Everything, concurrency = 2, prefetch = 10, timeout = "2m", priority = -1, exclusive)]
        async fn order(&self, order: Order, delivery: &Delivery) -> HandlerResult;
    }

    #[handlers]
    pub trait Others {
        #[consume(Limited)]
        async fn invoice(&self, invoice: Invoice) -> HandlerResult;
        #[consume(Theirs)]
        async fn theirs(&self, invoice: Invoice) -> HandlerResult;
    }
}

fn main() {
    let contract = shop::contract();
    assert_eq!(contract_runtime::contract_core::check::check(contract), []);

    let [unrouted, passing, shop, copy, _, hashed, partner] = contract.exchanges.as_slice() else { panic!() };
    assert!(!passing.durable && passing.auto_delete);
    assert_eq!(shop.alternate.as_ref(), Some(&unrouted.name));
    assert!(shop.arguments[0].unchecked);
    assert!(copy.internal && copy.bindings.len() == 1);
    assert_eq!(hashed.kind, ExchangeKind::Custom("x-consistent-hash".into()));
    assert!(partner.external);

    let everything = &contract.queues[2];
    assert_eq!(everything.kind, QueueKind::Classic);
    assert_eq!(everything.bindings.len(), 4);
    assert!(matches!(&everything.bindings[2].key, BindingKey::Headers(it) if it.all && it.headers.len() == 2));
    assert!(matches!(&everything.dead_letter, Some(DeadLetter::To { owner: DeadLetterOwner::External, .. })));
    assert_eq!(everything.retry.max_retries(), 4);
    assert_eq!(everything.message_ttl, Some(Millis(600_000)));
    assert_eq!(everything.expires, Some(Millis(3_600_000)));
    assert_eq!((everything.max_length, everything.max_length_bytes), (Some(10), Some(1_000_000)));
    assert_eq!(everything.overflow, Overflow::DropHead);
    assert_eq!(everything.delivery_limit, DeliveryLimit::Broker);
    assert!(everything.single_active_consumer);
    assert_eq!(everything.max_priority, Some(5));
    assert_eq!(everything.lossy.len(), 5);

    let limited = &contract.queues[3];
    assert_eq!(limited.delivery_limit, DeliveryLimit::Count(50));
    assert!(matches!(&limited.dead_letter, Some(DeadLetter::To { key: None, owner: DeadLetterOwner::Policy, .. })));
    assert!(contract.queues[4].external && contract.queues[4].lossy.contains(&Loss::Poison));

    assert_eq!(contract.messages[0].version, 2);
    let [order, european, partner, hashed] = contract.publishers[0].publishes.as_slice() else { panic!() };
    assert_eq!((order.key.to_string().as_str(), order.message.version), ("order.created", 2));
    assert_eq!((european.headers.len(), european.expiration), (2, Some(Millis(5_000))));
    assert!(partner.external && hashed.lossy_unroutable);

    let consume = &contract.handlers[0].consumers[0];
    assert_eq!((consume.concurrency, consume.prefetch, consume.priority), (Some(2), Some(10), Some(-1)));
    assert_eq!(consume.timeout, Some(Millis(120_000)));
    assert!(consume.exclusive);
}
