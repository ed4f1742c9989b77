mod orders {
    #[allow(unused_imports)]
    use ::core::convert::Into as _;
    use contract_runtime::prelude::*;
    /// On the broker: the durable topic exchange `orders`.
    #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
    #[allow(dead_code)]
    pub struct Orders;
    #[automatically_derived]
    impl ::contract_runtime::Exchange for Orders {
        const NAME: &'static ::core::primitive::str = "orders";
    }
    const _: () = {
        #[allow(unused_imports)]
        use ::contract_runtime::exchange as _;
    };
    #[derive(
        ::contract_runtime::__private::serde::Serialize,
        ::contract_runtime::__private::serde::Deserialize,
        ::contract_runtime::__private::schemars::JsonSchema
    )]
    #[serde(crate = "::contract_runtime::__private::serde")]
    #[schemars(crate = "::contract_runtime::__private::schemars")]
    pub struct OrderCreated {
        pub order_id: Uuid,
    }
    /// On the wire: JSON of type `order.created`, version 1.
    #[automatically_derived]
    impl ::contract_runtime::Message for OrderCreated {
        type Payload = Self;
        const NAME: &'static ::core::primitive::str = "order.created";
        const VERSION: ::core::primitive::u32 = 1u32;
    }
    const _: () = {
        #[allow(unused_imports)]
        use ::contract_runtime::message as _;
    };
    /// What a service publishes. [`OrderEventsPublisher`] does it; a test can implement the trait itself.
    #[allow(dead_code)]
    pub trait OrderEvents: ::core::marker::Send + ::core::marker::Sync {
        fn order_created(
            &self,
            event: &OrderCreated,
        ) -> impl ::core::future::Future<Output = PublishResult> + ::core::marker::Send;
        fn by_value(
            &self,
            event: OrderCreated,
        ) -> impl ::core::future::Future<Output = PublishResult> + ::core::marker::Send;
        fn plain(&self);
    }
    /// Publishes what [`OrderEvents`] says. Clones share one channel and its limits.
    #[derive(::core::clone::Clone, ::core::fmt::Debug)]
    #[allow(dead_code)]
    pub struct OrderEventsPublisher {
        inner: ::contract_runtime::__private::Publisher,
    }
    #[allow(dead_code)]
    impl OrderEventsPublisher {
        /// A publisher over this connection.
        pub fn new(connection: &::contract_runtime::Connection) -> Self {
            Self {
                inner: ::contract_runtime::__private::Publisher::new(
                    connection,
                    __definition(),
                    "OrderEvents",
                ),
            }
        }
        /// The same publisher with these options for each of its publishes.
        pub fn with(&self, options: ::contract_runtime::PublishOptions) -> Self {
            Self {
                inner: self.inner.with(options),
            }
        }
        /// Declares where its messages go: the exchanges, alternates included, and the queues that no
        /// handlers of the contract consume, with their dead letters. A consumed queue is its
        /// consumers' to declare: until they have, a publish that only it would take is unroutable.
        /// What is there as the contract says stays as it is.
        pub async fn declare(
            &self,
        ) -> ::core::result::Result<(), ::contract_runtime::DeclareError> {
            self.inner.declare().await
        }
        /// Publishes many, and gives the result of each, in their order: `publishes` are calls of
        /// this publisher's methods. They are begun in their order, and as many are under way as
        /// the publisher's limits allow. One that fails stops no other.
        pub async fn publish_all<__F>(
            &self,
            publishes: impl ::core::iter::IntoIterator<Item = __F>,
        ) -> ::std::vec::Vec<::contract_runtime::PublishResult>
        where
            __F: ::core::future::Future<Output = ::contract_runtime::PublishResult>,
        {
            self.inner.publish_all(publishes).await
        }
        /// Takes no more publishes, of any clone, and waits for the answers to those that there
        /// are, at most the connection's close timeout.
        pub async fn close(&self) {
            self.inner.close().await
        }
        pub async fn order_created(&self, event: &OrderCreated) -> PublishResult {
            let _ = &event;
            ::core::panic!("the contract does not compile")
        }
        pub async fn by_value(&self, event: OrderCreated) -> PublishResult {
            let _ = &event;
            ::core::panic!("the contract does not compile")
        }
        pub fn plain(&self) {
            ::core::panic!("the contract does not compile")
        }
    }
    #[automatically_derived]
    impl OrderEvents for OrderEventsPublisher {
        async fn order_created(&self, event: &OrderCreated) -> PublishResult {
            let _ = &event;
            ::core::panic!("the contract does not compile")
        }
        async fn by_value(&self, event: OrderCreated) -> PublishResult {
            let _ = &event;
            ::core::panic!("the contract does not compile")
        }
        fn plain(&self) {
            ::core::panic!("the contract does not compile")
        }
    }
    #[automatically_derived]
    impl<__T: OrderEvents> OrderEvents for &__T {
        async fn order_created(&self, event: &OrderCreated) -> PublishResult {
            let _ = &event;
            ::core::panic!("the contract does not compile")
        }
        async fn by_value(&self, event: OrderCreated) -> PublishResult {
            let _ = &event;
            ::core::panic!("the contract does not compile")
        }
        fn plain(&self) {
            ::core::panic!("the contract does not compile")
        }
    }
    #[automatically_derived]
    impl<__T: OrderEvents> OrderEvents for ::std::sync::Arc<__T> {
        async fn order_created(&self, event: &OrderCreated) -> PublishResult {
            let _ = &event;
            ::core::panic!("the contract does not compile")
        }
        async fn by_value(&self, event: OrderCreated) -> PublishResult {
            let _ = &event;
            ::core::panic!("the contract does not compile")
        }
        fn plain(&self) {
            ::core::panic!("the contract does not compile")
        }
    }
    const _: () = {
        #[allow(unused_imports)]
        use ::contract_runtime::publisher as _;
    };
    /// The contract `orders` as data: what it declares, publishes and consumes.
    #[allow(dead_code)]
    pub fn contract() -> &'static ::contract_runtime::Contract {
        __definition().contract()
    }
    #[doc(hidden)]
    #[allow(dead_code)]
    fn __definition() -> &'static ::std::sync::Arc<
        ::contract_runtime::__private::Definition,
    > {
        static DEFINITION: ::std::sync::LazyLock<
            ::std::sync::Arc<::contract_runtime::__private::Definition>,
        > = ::std::sync::LazyLock::new(|| {
            use ::contract_runtime::__private as __private;
            #[allow(unused_mut)]
            let mut contract = __private::model::Contract::new("orders");
            contract
                .exchanges
                .push({
                    let mut exchange = __private::model::Exchange::new(
                        const { __private::name::ExchangeName::literal("orders") },
                        __private::model::ExchangeKind::Topic,
                    );
                    exchange.label = ::std::borrow::ToOwned::to_owned("Orders");
                    exchange
                });
            contract.messages.push(__private::message::<OrderCreated>("OrderCreated"));
            contract
                .publishers
                .push({
                    #[allow(unused_mut)]
                    let mut operations = ::std::vec::Vec::new();
                    __private::model::Publisher::new("OrderEvents", operations)
                });
            ::std::sync::Arc::new(__private::Definition::new(contract))
        });
        &DEFINITION
    }
    const _: fn() = || {
        ::contract_runtime::__private::assert_exchange::<Orders>();
        ::contract_runtime::__private::assert_message::<OrderCreated>();
        ::contract_runtime::__private::assert_exchange::<Orders>();
    };
    const _: () = {
        ::core::compile_error! {
            "`topci` is not an option of `#[exchange(..)]` [unknown-option]\nexpected `topic`, `direct`, `fanout`, `headers`, `custom`, `transient`, `auto_delete`, `internal`, `alternate`, `bind`, `argument`, `external`\nhelp: did you mean `topic`?"
        }
    };
    const _: () = {
        ::core::compile_error! {
            "a publish borrows the message\nhelp: write `&OrderCreated`"
        }
    };
    const _: () = {
        ::core::compile_error! {
            "method `plain` has no `#[publish]`\nhelp: write `#[publish(Exchange)]` above it"
        }
    };
}
