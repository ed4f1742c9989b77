pub mod orders {
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
    /// On the broker: the durable direct exchange `orders.dlx`.
    #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
    #[allow(dead_code)]
    pub struct OrdersDlx;
    #[automatically_derived]
    impl ::contract_runtime::Exchange for OrdersDlx {
        const NAME: &'static ::core::primitive::str = "orders.dlx";
    }
    const _: () = {
        #[allow(unused_imports)]
        use ::contract_runtime::exchange as _;
    };
    /// On the broker: the durable quorum queue `order-processing`.
    ///
    /// Takes what exchange `orders` is sent with key `order.created`.
    ///
    /// A retryable failure is tried again, at most 5 times: after 1s, 2s, 4s, 8s, 16s.
    ///
    /// Until then it waits in `order-processing.retry.v1.1000ms`, `order-processing.retry.v1.2000ms`, `order-processing.retry.v1.4000ms`, `order-processing.retry.v1.8000ms`, `order-processing.retry.v1.16000ms`: each holds any number of messages.
    ///
    /// A message that cannot be handled goes to exchange `orders.dlx` with key `order-processing`.
    #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
    #[allow(dead_code)]
    pub struct OrderProcessing;
    #[automatically_derived]
    impl ::contract_runtime::Queue for OrderProcessing {
        const NAME: &'static ::core::primitive::str = "order-processing";
    }
    const _: () = {
        #[allow(unused_imports)]
        use ::contract_runtime::queue as _;
    };
    /// On the broker: the durable quorum queue `order-processing.dlq`.
    ///
    /// Takes what exchange `orders.dlx` is sent with key `order-processing`.
    #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
    #[allow(dead_code)]
    pub struct OrderProcessingDlq;
    #[automatically_derived]
    impl ::contract_runtime::Queue for OrderProcessingDlq {
        const NAME: &'static ::core::primitive::str = "order-processing.dlq";
    }
    const _: () = {
        #[allow(unused_imports)]
        use ::contract_runtime::queue as _;
    };
    #[derive(
        ::contract_runtime::__private::serde::Serialize,
        ::contract_runtime::__private::serde::Deserialize,
        ::contract_runtime::__private::schemars::JsonSchema
    )]
    #[serde(crate = "::contract_runtime::__private::serde")]
    #[schemars(crate = "::contract_runtime::__private::schemars")]
    /// An order was placed.
    pub struct OrderCreated {
        pub order_id: Uuid,
        #[schemars(range(min = 1))]
        pub amount_cents: u64,
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
        /// Publishes `order.created` to exchange `orders` with key `order.created`.
        ///
        /// It resolves when the broker has answered for this message.
        fn order_created(
            &self,
            event: &OrderCreated,
        ) -> impl ::core::future::Future<Output = PublishResult> + ::core::marker::Send;
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
        /// Publishes `order.created` to exchange `orders` with key `order.created`.
        ///
        /// It resolves when the broker has answered for this message.
        pub async fn order_created(&self, event: &OrderCreated) -> PublishResult {
            let sent = self
                .inner
                .publish_message::<OrderCreated>("order_created", &[], event);
            sent.await
        }
    }
    #[automatically_derived]
    impl OrderEvents for OrderEventsPublisher {
        async fn order_created(&self, event: &OrderCreated) -> PublishResult {
            Self::order_created(self, event).await
        }
    }
    #[automatically_derived]
    impl<__T: OrderEvents> OrderEvents for &__T {
        fn order_created(
            &self,
            event: &OrderCreated,
        ) -> impl ::core::future::Future<Output = PublishResult> + ::core::marker::Send {
            <__T as OrderEvents>::order_created(self, event)
        }
    }
    #[automatically_derived]
    impl<__T: OrderEvents> OrderEvents for ::std::sync::Arc<__T> {
        fn order_created(
            &self,
            event: &OrderCreated,
        ) -> impl ::core::future::Future<Output = PublishResult> + ::core::marker::Send {
            <__T as OrderEvents>::order_created(self, event)
        }
    }
    const _: () = {
        #[allow(unused_imports)]
        use ::contract_runtime::publisher as _;
    };
    /// What a service handles. [`order_handlers`] makes of an implementation what a worker runs.
    #[allow(dead_code)]
    pub trait OrderHandlers: ::core::marker::Send + ::core::marker::Sync + 'static {
        /// Takes `order.created` from queue `order-processing`: at most 16 at once, 30s each.
        ///
        /// A retryable failure is tried again, at most 5 times: after 1s, 2s, 4s, 8s, 16s.
        ///
        /// A message that cannot be handled goes to exchange `orders.dlx` with key `order-processing`.
        fn process_order(
            &self,
            order: OrderCreated,
            delivery: &Delivery,
        ) -> impl ::core::future::Future<Output = HandlerResult> + ::core::marker::Send;
    }
    /// What a worker runs of an implementation of [`OrderHandlers`].
    #[allow(dead_code)]
    pub fn order_handlers(
        handlers: impl OrderHandlers,
    ) -> ::contract_runtime::HandlerRegistry {
        let handlers = ::std::sync::Arc::new(handlers);
        let registry = ::contract_runtime::__private::registry(
            __definition(),
            "OrderHandlers",
        );
        let registry = {
            let handlers = ::core::clone::Clone::clone(&handlers);
            registry
                .consume::<
                    OrderCreated,
                    _,
                    _,
                >(
                    "process_order",
                    move |message, delivery| {
                        let handlers = ::core::clone::Clone::clone(&handlers);
                        async move {
                            let _ = &delivery;
                            let handled = OrderHandlers::process_order(
                                &*handlers,
                                message,
                                &delivery,
                            );
                            let result: ::contract_runtime::HandlerResult = handled
                                .await;
                            result
                        }
                    },
                )
        };
        ::core::mem::drop(handlers);
        registry.finish()
    }
    const _: () = {
        #[allow(unused_imports)]
        use ::contract_runtime::handlers as _;
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
            contract
                .exchanges
                .push({
                    let mut exchange = __private::model::Exchange::new(
                        const { __private::name::ExchangeName::literal("orders.dlx") },
                        __private::model::ExchangeKind::Direct,
                    );
                    exchange.label = ::std::borrow::ToOwned::to_owned("OrdersDlx");
                    exchange
                });
            contract
                .queues
                .push({
                    let mut queue = __private::model::Queue::new(const {
                        __private::name::QueueName::literal("order-processing")
                    });
                    queue.label = ::std::borrow::ToOwned::to_owned("OrderProcessing");
                    queue
                        .bindings
                        .push(
                            __private::model::Binding::new(
                                const { __private::name::ExchangeName::literal("orders") },
                                __private::model::BindingKey::Pattern(const {
                                    __private::name::Pattern::literal("order.created")
                                }),
                            ),
                        );
                    queue.dead_letter = ::core::option::Option::Some(__private::model::DeadLetter::To {
                        exchange: const {
                            __private::name::ExchangeName::literal("orders.dlx")
                        },
                        key: ::core::option::Option::Some(const {
                            __private::name::RoutingKey::literal("order-processing")
                        }),
                        owner: __private::model::DeadLetterOwner::Contract,
                    });
                    queue.retry = __private::model::Retry::TtlBackoff({
                        let mut backoff = __private::model::Backoff::new(__private::model::Schedule::Exponential {
                            max_retries: 5u32,
                            initial: __private::Millis(1000u64),
                            max: __private::Millis(60000u64),
                            multiplier: 2f64,
                        });
                        backoff.jitter = 0f64;
                        backoff
                    });
                    queue
                });
            contract
                .queues
                .push({
                    let mut queue = __private::model::Queue::new(const {
                        __private::name::QueueName::literal("order-processing.dlq")
                    });
                    queue.label = ::std::borrow::ToOwned::to_owned("OrderProcessingDlq");
                    queue
                        .bindings
                        .push(
                            __private::model::Binding::new(
                                const {
                                    __private::name::ExchangeName::literal("orders.dlx")
                                },
                                __private::model::BindingKey::Pattern(const {
                                    __private::name::Pattern::literal("order-processing")
                                }),
                            ),
                        );
                    queue
                });
            contract.messages.push(__private::message::<OrderCreated>("OrderCreated"));
            contract
                .publishers
                .push({
                    #[allow(unused_mut)]
                    let mut operations = ::std::vec::Vec::new();
                    operations
                        .push({
                            let mut publish = __private::model::Publish::new(
                                "order_created",
                                const { __private::name::ExchangeName::literal("orders") },
                                __private::model::PublishKey::Fixed(const {
                                    __private::name::RoutingKey::literal("order.created")
                                }),
                                __private::model::MessageRef::new("order.created", 1u32),
                            );
                            publish.external = false;
                            publish.lossy_unroutable = false;
                            publish
                        });
                    __private::model::Publisher::new("OrderEvents", operations)
                });
            contract
                .handlers
                .push({
                    #[allow(unused_mut)]
                    let mut operations = ::std::vec::Vec::new();
                    operations
                        .push({
                            let mut consume = __private::model::Consume::new(
                                "process_order",
                                const {
                                    __private::name::QueueName::literal("order-processing")
                                },
                                __private::model::Takes::Message(
                                    __private::model::MessageRef::new("order.created", 1u32),
                                ),
                            );
                            consume.concurrency = ::core::option::Option::Some(16u16);
                            consume.timeout = ::core::option::Option::Some(
                                __private::Millis(30000u64),
                            );
                            consume.exclusive = false;
                            consume
                        });
                    __private::model::Handlers::new("OrderHandlers", operations)
                });
            ::std::sync::Arc::new(__private::Definition::new(contract))
        });
        &DEFINITION
    }
    const _: fn() = || {
        ::contract_runtime::__private::assert_exchange::<Orders>();
        ::contract_runtime::__private::assert_exchange::<OrdersDlx>();
        ::contract_runtime::__private::assert_exchange::<OrdersDlx>();
        ::contract_runtime::__private::assert_exchange::<Orders>();
        ::contract_runtime::__private::assert_message::<OrderCreated>();
        ::contract_runtime::__private::assert_queue::<OrderProcessing>();
        ::contract_runtime::__private::assert_message::<OrderCreated>();
    };
}
