//! The attributes of a contract. Use them through `contract-runtime`, where the documentation of
//! [`macro@contract`] stands and its examples compile.
//!
//! One pipeline, a module for each stage: `parse` makes a tree of the tokens, `lower` makes of
//! the tree the model of `contract-core`, `check` asks the core what is wrong with it, `expand`
//! writes the code, always. Each stage reports into one `sink` and goes on.

// A crate of macros exports nothing else: within it `pub` says what a module offers to the others.
#![allow(unreachable_pub)]

mod cfg;
mod check;
mod expand;
mod generated;
mod helper;
mod lower;
mod names;
mod parse;
mod sink;
mod symbol;
mod tree;

#[cfg(test)]
mod snapshot;

use proc_macro::TokenStream;
use proc_macro2::TokenStream as TokenStream2;
use quote::quote;

use crate::names::Names;
use crate::parse::Parsed;
use crate::sink::Sink;

/// Makes a contract of an inline module. Documented in `contract-runtime`.
#[proc_macro_attribute]
pub fn contract(arguments: TokenStream, input: TokenStream) -> TokenStream {
    expand_contract(&arguments.into(), &input.into()).into()
}

/// An exchange of a contract: `#[exchange("name", KIND, ..)]` on a unit struct.
///
/// `KIND` is `topic`, `direct`, `fanout`, `headers`, or `custom("x-type")` for that of a plugin. An
/// exchange is durable, and declared by whoever publishes to it or binds to it.
///
/// | option | effect |
/// |---|---|
/// | `transient` | gone after a restart of the broker |
/// | `auto_delete` | deleted with its last binding |
/// | `internal` | takes messages from other exchanges only |
/// | `alternate(Other)` | where messages go that no binding takes |
/// | `bind(Source, "pattern")` | takes messages of another exchange; may be repeated |
/// | `argument("x-key", literal)` | a raw argument; with `unchecked` one that the library does not know |
/// | `external` | declared by somebody else: checked at start, and every key counts as routable |
#[proc_macro_attribute]
pub fn exchange(_: TokenStream, item: TokenStream) -> TokenStream {
    helper::explain(symbol::EXCHANGE, &item.into()).into()
}

/// A queue of a contract: `#[queue("name", ..)]` on a unit struct.
///
/// A queue is a durable quorum queue, refuses what it has no room for, and tries nothing again,
/// unless its options say otherwise.
///
/// | option | effect |
/// |---|---|
/// | `quorum`, `classic` | how the broker keeps it; `quorum` by default |
/// | `bind(Exchange)` | takes everything of a fanout exchange |
/// | `bind(Exchange, "pattern")` | takes what is published with a matching key; may be repeated |
/// | `bind(Exchange, Message)` | the same, by the message's name |
/// | `bind(Exchange, all(header("k", v), ..))`, `any(..)` | takes what carries these headers |
/// | `dead_letter` | what fails goes to queue `<name>.dlq` through exchange `<name>.dlx`, made for it |
/// | `dead_letter(Exchange, "key")`, `dead_letter(Exchange)` | what fails goes there, with this key or its own; `external` where somebody else binds the queue, `by_policy` where the broker's policy holds the arguments |
/// | `retry(none)` | a failure is final: the default |
/// | `retry(immediate_requeue, max_retries = 3)` | a retryable failure is tried again at once |
/// | `retry(ttl_backoff, max_retries = 3, initial_delay = "1s", max_delay = "60s", multiplier = 2, jitter = 0.0, bucket_max_length = N)` | it is tried again after pauses that the broker keeps; the numbers are the defaults, without a bound on the buckets |
/// | `retry(ttl_backoff, delays("1s", "5s", "1m"))` | the same with these pauses |
/// | `message_ttl = "10m"` | how long a message may wait |
/// | `expires = "1h"` | deleted when unused for so long |
/// | `max_length = N`, `max_length_bytes = N` | how much it may hold |
/// | `overflow(reject_publish)`, `overflow(drop_head)` | when full, refuse the new (the default) or drop the oldest |
/// | `delivery_limit = N`, `delivery_limit(broker)` | how often the broker hands out a message; 120 by default, or not declared |
/// | `single_active_consumer` | one consumer at a time is given messages |
/// | `max_priority = 5` | knows priorities (classic queues) |
/// | `exclusive`, `auto_delete`, `transient` | dies with its connection, its last consumer, the broker |
/// | `argument("x-key", literal)` | a raw argument; with `unchecked` one that the library does not know |
/// | `external` | declared by somebody else: checked at start, never declared |
/// | `lossy(CAUSE, ..)` | signs for a way to lose messages: `poison`, `expiry`, `overflow`, `deletion`, `restart`, `hop` |
#[proc_macro_attribute]
pub fn queue(_: TokenStream, item: TokenStream) -> TokenStream {
    helper::explain(symbol::QUEUE, &item.into()).into()
}

/// A message of a contract: `#[message("name")]` on a struct or an enum, or on `type X = other::X;`
/// where the type is of another crate.
///
/// It derives `Serialize`, `Deserialize` and `JsonSchema`, so that it can travel and both ends can
/// check it; the name is its `type` on the wire and, unless something else is said, its routing key.
///
/// | option | effect |
/// |---|---|
/// | `version = N` | which version of the message this is; 1 by default |
/// | `derive(none)` | the derives, or implementations, are the author's own |
#[proc_macro_attribute]
pub fn message(_: TokenStream, item: TokenStream) -> TokenStream {
    helper::explain(symbol::MESSAGE, &item.into()).into()
}

/// A type that is a part of messages: `#[payload]` on a struct or an enum gives it their derives. It
/// has no options.
#[proc_macro_attribute]
pub fn payload(_: TokenStream, item: TokenStream) -> TokenStream {
    helper::explain(symbol::PAYLOAD, &item.into()).into()
}

/// What a service publishes: `#[publisher]` on a trait, each of whose methods is marked
/// `#[publish(..)]`. It has no options.
///
/// For `trait OrderEvents` the contract then holds `OrderEventsPublisher`, which implements it.
#[proc_macro_attribute]
pub fn publisher(_: TokenStream, item: TokenStream) -> TokenStream {
    helper::explain(symbol::PUBLISHER, &item.into()).into()
}

/// Where a method of a `#[publisher]` trait publishes: `#[publish(Exchange)]` with the message's name
/// as routing key, or `#[publish(Exchange, "key")]`. Words of a key may be fields,
/// `"order.{region}.created"`, each filled from the argument of that name.
///
/// The method is `async fn name(&self, message: &Message) -> PublishResult;`, with an argument that
/// can be shown (`impl Display`) for each field of the key behind the message.
///
/// | option | effect |
/// |---|---|
/// | `header("name", literal)` | a header of each message; may be repeated |
/// | `expiration = "5s"` | how long the message may wait in a queue; for ever by default |
/// | `external` | another contract binds the queue: the key counts as routable |
/// | `lossy(unroutable)` | signs for the loss where no queue takes the key |
#[proc_macro_attribute]
pub fn publish(_: TokenStream, item: TokenStream) -> TokenStream {
    helper::explain(symbol::PUBLISH, &item.into()).into()
}

/// What a service handles: `#[handlers]` on a trait, each of whose methods is marked
/// `#[consume(..)]`. It has no options.
///
/// For `trait OrderHandlers` the contract then holds the function `order_handlers`, which makes of
/// an implementation what a worker runs.
#[proc_macro_attribute]
pub fn handlers(_: TokenStream, item: TokenStream) -> TokenStream {
    helper::explain(symbol::HANDLERS, &item.into()).into()
}

/// Which queue a method of a `#[handlers]` trait consumes: `#[consume(Queue)]`.
///
/// The method is `async fn name(&self, message: Message, delivery: &Delivery) -> HandlerResult;`, the
/// last argument only where it is wanted.
///
/// | option | effect |
/// |---|---|
/// | `concurrency = N` | how many run at once; 16 by default, 1 keeps order |
/// | `prefetch = N` | how many the broker sends ahead; 4 for each that runs by default, never fewer than run |
/// | `timeout = "30s"` | how long one run may take; this is the default |
/// | `priority = N` | the consumer's priority on the broker |
/// | `exclusive` | shares the queue with no other consumer (classic queues) |
#[proc_macro_attribute]
pub fn consume(_: TokenStream, item: TokenStream) -> TokenStream {
    helper::explain(symbol::CONSUME, &item.into()).into()
}

/// `#[contract]` over tokens that tests can make as well.
fn expand_contract(arguments: &TokenStream2, input: &TokenStream2) -> TokenStream2 {
    let mut sink = Sink::new();
    let root = parse::parse_contract(arguments.clone(), &mut sink);
    match parse::parse_module(input.clone(), &mut sink) {
        Parsed::Module(mut module, configuration) => {
            if let Some(questions) = configuration.ask(&root, arguments, input) {
                // Whatever is wrong is said when the contract comes back.
                sink.finish();
                return questions;
            }
            generated::check_generated_names(&mut module, &mut sink);
            let names = Names::of(&module);
            let lowered = lower::lower(&mut module, &names, &mut sink);
            check::check(&lowered, &mut sink);
            expand::expand(&root, &module, &lowered, &sink.finish())
        }
        Parsed::Other(tokens) => {
            let errors = sink.finish();
            let errors = errors.iter().map(syn::Error::to_compile_error);
            quote!(#tokens #(#errors)*)
        }
    }
}
