//! What the tree holds, and what costs what.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Parsed, parse_module};
use crate::sink::Sink;
use crate::tree::{BindKey, DeadLetter, Item, Module};

fn parse(items: &TokenStream) -> (Module, Vec<String>) {
    let mut sink = Sink::new();
    let Parsed::Module(module, _) = parse_module(quote!(mod orders { #items }), &mut sink) else {
        panic!("a module");
    };
    let said = sink.finish().iter().map(ToString::to_string).collect();
    (*module, said)
}

#[test]
fn a_queue_in_full() {
    let (module, said) = parse(&quote! {
        #[queue(
            "billing",
            bind(Orders, "order.*"),
            bind(super::Orders, OrderCreated),
            bind(Headers, all(header("region", "eu"), header("urgent", true))),
            dead_letter(Dlx, external),
        )]
        pub struct Billing;
    });
    assert_eq!(said, [""; 0]);
    let Item::Queue(queue) = &module.items[0] else {
        panic!("a queue");
    };
    assert_eq!(queue.settings.name, "billing");
    assert_eq!(queue.settings.label, "Billing");
    assert!(matches!(&queue.bindings[0].key, BindKey::Pattern(key) if key.value == "order.*"));
    assert!(
        matches!(&queue.bindings[1].key, BindKey::Message(path) if path.is_ident("OrderCreated"))
    );
    assert!(matches!(&queue.bindings[2].key, BindKey::Headers(it) if it.value.headers.len() == 2));
    assert!(matches!(
        &queue.dead_letter,
        Some(DeadLetter::To { key: None, .. })
    ));
    assert!(!queue.broken);
}

#[test]
fn a_broken_option_costs_itself() {
    let (module, said) = parse(&quote! {
        #[queue("billing", bind(Orders "order.*"), bind(), max_length = many, retry(ttl_backoff, delays("1s", 5)))]
        pub struct Billing;
        #[queue("audit", bind(Orders, "#"))]
        pub struct Audit;
    });
    assert_eq!(said.len(), 4, "{said:#?}");
    let [Item::Queue(billing), Item::Queue(audit)] = module.items.as_slice() else {
        panic!("two queues");
    };
    assert!(billing.broken);
    assert!(!audit.broken);
    assert_eq!(audit.bindings.len(), 1);
}

#[test]
fn a_half_typed_item_costs_itself() {
    let (module, said) = parse(&quote! {
        pub struct;
        #[exchange("orders", topic)]
        pub struct Orders
        ;
        #[queue("broken")]
        pub struct = ;
        #[message("order.created")]
        pub struct OrderCreated { id: u64 }
    });
    assert_eq!(said.len(), 1, "{said:#?}");
    assert!(matches!(
        module.items.as_slice(),
        [
            Item::Other(_),
            Item::Exchange(_),
            Item::Other(_),
            Item::Message(_)
        ]
    ));
}

#[test]
fn a_half_typed_method_costs_itself() {
    let (module, said) = parse(&quote! {
        #[publisher]
        pub trait Events {
            #[publish(Orders)]
            async fn half(&self, event: ) -> PublishResult;
            #[publish(Orders)]
            async fn whole(&self, event: &OrderCreated) -> PublishResult;
        }
    });
    assert_eq!(said.len(), 1, "{said:#?}");
    let Item::Publisher(events) = &module.items[0] else {
        panic!("a publisher");
    };
    let whole: Vec<_> = events.methods().collect();
    assert_eq!(whole.len(), 1);
    assert_eq!(whole[0].sig.ident, "whole");
    assert!(whole[0].message.is_some() && !whole[0].broken);
}

#[test]
fn what_has_no_end_does_not_take_what_follows() {
    let (module, said) = parse(&quote! {
        #[exchange("broken", topic)]
        pub struct
        #[exchange("orders", topic)]
        pub struct Orders;
        #[publisher]
        pub trait Events {
            #[publish(Orders)]
            async fn half
            #[publish(Orders)]
            async fn whole(&self, event: &OrderCreated) -> PublishResult;
        }
    });
    assert_eq!(said.len(), 2, "{said:#?}");
    let [Item::Other(_), Item::Exchange(_), Item::Publisher(events)] = module.items.as_slice()
    else {
        panic!("what is half typed, an exchange and a publisher");
    };
    assert_eq!(events.methods().count(), 1);
}

#[test]
fn what_is_not_ours_goes_out_as_it_came_in() {
    let items = quote! {
        use std::fmt;
        #[derive(Debug)]
        struct Mine<T>(T);
        some_macro! { anything at all }
    };
    let (module, said) = parse(&items);
    assert_eq!(said, [""; 0]);
    let out = module.items.iter().map(|item| match item {
        Item::Other(other) => other.tokens.clone(),
        _ => panic!("not ours"),
    });
    assert_eq!(quote!(#(#out)*).to_string(), items.to_string());
}

#[test]
fn every_retry_form() {
    let retry = |retry: &str| {
        let retry: TokenStream = retry.parse().unwrap();
        let (module, said) = parse(&quote!(
            #[queue("q", #retry)]
            struct Q;
        ));
        assert_eq!(said, [""; 0]);
        let Item::Queue(queue) = &module.items[0] else {
            panic!("a queue");
        };
        format!("{:?}", queue.settings.retry)
    };
    assert_eq!(retry("retry(none)"), "None");
    assert_eq!(
        retry("retry(immediate_requeue)"),
        "ImmediateRequeue { max_retries: 3 }"
    );
    assert!(retry("retry(ttl_backoff)").contains(
        "Exponential { max_retries: 3, initial: Millis(1000), max: Millis(60000), multiplier: 2.0 }"
    ));
    assert!(
        retry("retry(ttl_backoff, delays(\"1s\", \"5m\"))")
            .contains("[Millis(1000), Millis(300000)]")
    );
    assert!(
        retry("retry(ttl_backoff, jitter = 0.5, bucket_max_length = 9)")
            .contains("jitter: 0.5, bucket_max_length: Some(9)")
    );
}
