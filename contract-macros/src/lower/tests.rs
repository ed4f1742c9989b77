//! What is known after a mistake, and what is not said because of it.

use proc_macro2::TokenStream;
use quote::quote;

use crate::expand_contract;

/// The first lines of what is said about the items of a contract.
fn said(items: &TokenStream) -> Vec<String> {
    let expansion =
        expand_contract(&TokenStream::new(), &quote!(mod orders { #items })).to_string();
    let mut said = Vec::new();
    for error in expansion.split("compile_error ! { \"").skip(1) {
        let line = error.split("\\n").next().unwrap_or_default();
        said.push(
            line.split("\" }")
                .next()
                .unwrap_or_default()
                .replace("\\\"", "\""),
        );
    }
    said
}

fn consumer() -> TokenStream {
    quote! {
        #[message("order.created")]
        struct OrderCreated;
        #[handlers]
        trait Handlers {
            #[consume(Billing)]
            async fn bill(&self, order: OrderCreated) -> HandlerResult;
        }
    }
}

#[test]
fn a_mistake_is_said_once() {
    let consumer = consumer();
    // Without its dead letter the queue would break a rule; but it was meant to have one.
    let said = said(&quote! {
        #[exchange("orders", topic)]
        struct Orders;
        #[queue("billing", bind(Orders, "order.created"), dead_leter)]
        struct Billing;
        #consumer
    });
    assert_eq!(
        said,
        ["`dead_leter` is not an option of `#[queue(..)]` [unknown-option]"]
    );
}

#[test]
fn nothing_is_said_of_a_topology_in_part() {
    // Whether the publish reaches a queue hangs on the binding that could not be understood.
    let said = said(&quote! {
        #[exchange("orders", topic)]
        struct Orders;
        #[queue("billing", bind(Orders, 5), dead_letter)]
        struct Billing;
        #[message("order.created")]
        struct OrderCreated;
        #[publisher]
        trait Events {
            #[publish(Orders)]
            async fn order_created(&self, order: &OrderCreated) -> PublishResult;
        }
    });
    assert_eq!(said, ["`5` is no binding key"]);
}

#[test]
fn what_stands_alone_is_said_beside() {
    let consumer = consumer();
    let said = said(&quote! {
        #[exchange("orders", topci)]
        struct Orders;
        #[queue("billing")]
        struct Billing;
        #consumer
    });
    assert_eq!(said.len(), 2, "{said:#?}");
    assert!(said[1].ends_with("[poison-loss]"));
}

#[test]
fn a_path_elsewhere_is_left_to_rustc() {
    let consumer = consumer();
    let said = said(&quote! {
        #[queue("billing", bind(super::Orders, "order.created"), dead_letter)]
        struct Billing;
        #consumer
    });
    assert_eq!(said, [""; 0]);
}
