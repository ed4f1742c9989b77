mod letters {
    /// On the broker: the durable topic exchange `letters`.
    #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
    #[allow(dead_code)]
    pub struct Letters;
    #[automatically_derived]
    impl ::contract_runtime::Exchange for Letters {
        const NAME: &'static ::core::primitive::str = "letters";
    }
    const _: () = {
        #[allow(unused_imports)]
        use ::contract_runtime::exchange as _;
    };
    /// On the broker: the durable quorum queue `desk`.
    ///
    /// Takes what exchange `letters` is sent with key `letter.*`.
    ///
    /// A message that cannot be handled goes to exchange `desk.dlx` with key `desk` and on to queue `desk.dlq`, both made for it.
    #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
    #[allow(dead_code)]
    pub struct Desk;
    #[automatically_derived]
    impl ::contract_runtime::Queue for Desk {
        const NAME: &'static ::core::primitive::str = "desk";
    }
    const _: () = {
        #[allow(unused_imports)]
        use ::contract_runtime::queue as _;
    };
    pub type Letter = post::Letter;
    #[doc(hidden)]
    #[allow(dead_code)]
    struct __LetterMessage;
    /// On the wire: JSON of type `letter`, version 1.
    #[automatically_derived]
    impl ::contract_runtime::Message for __LetterMessage {
        type Payload = post::Letter;
        const NAME: &'static ::core::primitive::str = "letter";
        const VERSION: ::core::primitive::u32 = 1u32;
    }
    const _: () = {
        #[allow(unused_imports)]
        use ::contract_runtime::message as _;
    };
    /// What a service publishes. [`PostPublisher`] does it; a test can implement the trait itself.
    #[allow(dead_code)]
    pub trait Post: ::core::marker::Send + ::core::marker::Sync {
        /// Publishes `letter` to exchange `letters` with key `letter.{type}`.
        ///
        /// What fills a field of the key is one word of it: not empty, without a dot, a wildcard or white space.
        ///
        /// It expires after 5s in a queue.
        ///
        /// It resolves when the broker has answered for this message.
        fn letter(
            &self,
            letter: &Letter,
            r#type: u8,
        ) -> impl ::core::future::Future<Output = PublishResult> + ::core::marker::Send;
    }
    /// Publishes what [`Post`] says. Clones share one channel and its limits.
    #[derive(::core::clone::Clone, ::core::fmt::Debug)]
    #[allow(dead_code)]
    pub struct PostPublisher {
        inner: ::contract_runtime::__private::Publisher,
    }
    #[allow(dead_code)]
    impl PostPublisher {
        /// A publisher over this connection.
        pub fn new(connection: &::contract_runtime::Connection) -> Self {
            Self {
                inner: ::contract_runtime::__private::Publisher::new(
                    connection,
                    __definition(),
                    "Post",
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
        /// Publishes `letter` to exchange `letters` with key `letter.{type}`.
        ///
        /// What fills a field of the key is one word of it: not empty, without a dot, a wildcard or white space.
        ///
        /// It expires after 5s in a queue.
        ///
        /// It resolves when the broker has answered for this message.
        pub async fn letter(&self, letter: &Letter, r#type: u8) -> PublishResult {
            let sent = self
                .inner
                .publish_message::<
                    __LetterMessage,
                >("letter", &[("type", &r#type)], letter);
            sent.await
        }
    }
    #[automatically_derived]
    impl Post for PostPublisher {
        async fn letter(&self, letter: &Letter, r#type: u8) -> PublishResult {
            Self::letter(self, letter, r#type).await
        }
    }
    #[automatically_derived]
    impl<__T: Post> Post for &__T {
        fn letter(
            &self,
            letter: &Letter,
            r#type: u8,
        ) -> impl ::core::future::Future<Output = PublishResult> + ::core::marker::Send {
            <__T as Post>::letter(self, letter, r#type)
        }
    }
    #[automatically_derived]
    impl<__T: Post> Post for ::std::sync::Arc<__T> {
        fn letter(
            &self,
            letter: &Letter,
            r#type: u8,
        ) -> impl ::core::future::Future<Output = PublishResult> + ::core::marker::Send {
            <__T as Post>::letter(self, letter, r#type)
        }
    }
    const _: () = {
        #[allow(unused_imports)]
        use ::contract_runtime::publisher as _;
    };
    /// What a service handles. [`clerk`] makes of an implementation what a worker runs.
    #[allow(dead_code)]
    pub trait Clerk: ::core::marker::Send + ::core::marker::Sync + 'static {
        /// Takes `letter` from queue `desk`: at most 16 at once, 30s each.
        ///
        /// A failed delivery is not tried again.
        ///
        /// A message that cannot be handled goes to exchange `desk.dlx` with key `desk` and on to queue `desk.dlq`, both made for it.
        fn letter(
            &self,
            letter: Letter,
        ) -> impl ::core::future::Future<Output = HandlerResult> + ::core::marker::Send;
    }
    /// What a worker runs of an implementation of [`Clerk`].
    #[allow(dead_code)]
    pub fn clerk(handlers: impl Clerk) -> ::contract_runtime::HandlerRegistry {
        let handlers = ::std::sync::Arc::new(handlers);
        let registry = ::contract_runtime::__private::registry(__definition(), "Clerk");
        let registry = {
            let handlers = ::core::clone::Clone::clone(&handlers);
            registry
                .consume::<
                    __LetterMessage,
                    _,
                    _,
                >(
                    "letter",
                    move |message, delivery| {
                        let handlers = ::core::clone::Clone::clone(&handlers);
                        async move {
                            let _ = &delivery;
                            let handled = Clerk::letter(&*handlers, message);
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
    /// The contract `letters` as data: what it declares, publishes and consumes.
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
            let mut contract = __private::model::Contract::new("letters");
            contract
                .exchanges
                .push({
                    let mut exchange = __private::model::Exchange::new(
                        const { __private::name::ExchangeName::literal("letters") },
                        __private::model::ExchangeKind::Topic,
                    );
                    exchange.label = ::std::borrow::ToOwned::to_owned("Letters");
                    exchange
                });
            contract
                .queues
                .push({
                    let mut queue = __private::model::Queue::new(const {
                        __private::name::QueueName::literal("desk")
                    });
                    queue.label = ::std::borrow::ToOwned::to_owned("Desk");
                    queue
                        .bindings
                        .push(
                            __private::model::Binding::new(
                                const { __private::name::ExchangeName::literal("letters") },
                                __private::model::BindingKey::Pattern(const {
                                    __private::name::Pattern::literal("letter.*")
                                }),
                            ),
                        );
                    queue.dead_letter = ::core::option::Option::Some(
                        __private::model::DeadLetter::Derived,
                    );
                    queue
                });
            contract.messages.push(__private::message::<__LetterMessage>("Letter"));
            contract
                .publishers
                .push({
                    #[allow(unused_mut)]
                    let mut operations = ::std::vec::Vec::new();
                    operations
                        .push({
                            let mut publish = __private::model::Publish::new(
                                "letter",
                                const { __private::name::ExchangeName::literal("letters") },
                                __private::model::PublishKey::Template(
                                    __private::key::KeyTemplate::literal("letter.{type}"),
                                ),
                                __private::model::MessageRef::new("letter", 1u32),
                            );
                            publish
                                .headers
                                .push((
                                    ::std::borrow::ToOwned::to_owned("by"),
                                    __private::model::Literal::Text(
                                        ::std::borrow::ToOwned::to_owned("hand"),
                                    ),
                                ));
                            publish.expiration = ::core::option::Option::Some(
                                __private::Millis(5000u64),
                            );
                            publish.external = false;
                            publish.lossy_unroutable = false;
                            publish
                        });
                    __private::model::Publisher::new("Post", operations)
                });
            contract
                .handlers
                .push({
                    #[allow(unused_mut)]
                    let mut operations = ::std::vec::Vec::new();
                    operations
                        .push({
                            let mut consume = __private::model::Consume::new(
                                "letter",
                                const { __private::name::QueueName::literal("desk") },
                                __private::model::Takes::Message(
                                    __private::model::MessageRef::new("letter", 1u32),
                                ),
                            );
                            consume.exclusive = false;
                            consume
                        });
                    __private::model::Handlers::new("Clerk", operations)
                });
            ::std::sync::Arc::new(__private::Definition::new(contract))
        });
        &DEFINITION
    }
    const _: fn() = || {
        ::contract_runtime::__private::assert_exchange::<Letters>();
        ::contract_runtime::__private::assert_exchange::<Letters>();
        ::contract_runtime::__private::assert_type::<Letter>();
        ::contract_runtime::__private::assert_queue::<Desk>();
        ::contract_runtime::__private::assert_type::<Letter>();
    };
}
