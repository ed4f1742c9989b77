//! Names of the user's that the generated code would stumble over if it used its own unguarded.

#![forbid(unsafe_code)]
#![deny(missing_docs, unused, warnings)]

/// A contract between names.
#[contract_runtime::contract]
pub mod orders {
    #![allow(non_camel_case_types)]
    use ::contract_runtime::{Delivery, HandlerResult, PublishResult};

    /// Module of the user's.
    pub mod std {}
    /// Module of the user's.
    pub mod core {}
    /// Module of the user's.
    pub mod serde {}
    /// Module of the user's.
    pub mod schemars {}
    /// Module of the user's.
    pub mod contract_runtime {}
    /// Type of the user's.
    pub struct Result;
    /// Type of the user's.
    pub struct Option;
    /// Type of the user's.
    pub struct Some;
    /// Type of the user's.
    pub struct None;
    /// Type of the user's.
    pub struct Ok;
    /// Type of the user's.
    pub struct Vec;
    /// Type of the user's.
    pub struct Box;
    /// Type of the user's.
    pub struct Arc;
    /// Type of the user's.
    pub struct T;
    /// Trait of the user's.
    pub trait Send {}
    /// Trait of the user's.
    pub trait Sync {}
    /// Trait of the user's.
    pub trait Future {}
    /// Trait of the user's.
    pub trait Clone {}
    /// Trait of the user's.
    pub trait Debug {}

    #[exchange("orders", topic)]
    pub struct Exchange;

    #[queue("billing", bind(Exchange, String), dead_letter)]
    pub struct Queue;

    /// An order was placed.
    #[message("order.created")]
    pub struct String {
        /// Its number.
        pub str: u32,
        /// What kind it is.
        pub r#type: u8,
    }

    #[publisher]
    pub trait Message {
        #[publish(Exchange)]
        async fn r#type(&self, message: &String) -> PublishResult;
    }

    #[handlers]
    pub trait Match {
        #[consume(Queue)]
        async fn consume(&self, handlers: String, registry: &Delivery) -> HandlerResult;
    }
}

struct App;

impl orders::Match for App {
    async fn consume(
        &self,
        _: orders::String,
        _: &contract_runtime::Delivery,
    ) -> contract_runtime::HandlerResult {
        Ok(())
    }
}

fn main() {
    let _ = orders::r#match(App);
    assert_eq!(orders::contract().publishers[0].publishes[0].method, "type");
}
