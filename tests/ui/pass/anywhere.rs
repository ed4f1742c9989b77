//! Contracts in a module of one's own, in functions, several beside each other; private,
//! unused in part, and without a warning.

#![deny(warnings, missing_docs, missing_debug_implementations, unreachable_pub, unused_qualifications)]

mod service {
    #[contract_runtime::contract]
    mod orders {
        use contract_runtime::prelude::*;

        #[exchange("orders", topic)]
        struct Orders;

        #[queue("orders.billing", bind(Orders, OrderCreated), bind(Orders, "*"), dead_letter)]
        struct Billing;

        #[message("order.created")]
        struct OrderCreated {
            order_id: Uuid,
        }

        #[message("letter")]
        type Letter = serde_json::Value;

        #[publisher]
        trait OrderEvents {
            #[publish(Orders)]
            async fn order_created(&self, event: &OrderCreated) -> PublishResult;
            #[publish(Orders, "{kind}")]
            async fn letter(&self, event: &Letter, kind: &str) -> PublishResult;
        }

        #[handlers]
        trait OrderHandlers {
            #[consume(Billing)]
            async fn bill(&self, order: OrderCreated) -> HandlerResult;
            #[consume(Billing)]
            async fn read(&self, letter: Letter, delivery: &Delivery) -> HandlerResult;
        }
    }

    #[contract_runtime::contract]
    pub(crate) mod payments {
        #[exchange("payments", fanout)]
        pub(crate) struct Payments;
    }
}

fn in_a_function() -> &'static str {
    struct Ours(u8);

    #[contract_runtime::contract]
    mod local {
        use contract_runtime::prelude::*;

        #[exchange("local", direct)]
        pub(super) struct Local;

        #[queue("local", bind(Local, "ping"), lossy(poison))]
        pub(super) struct Locals;

        #[message("ping")]
        pub(super) struct Ping;

        #[handlers]
        pub(super) trait Pings {
            #[consume(Locals)]
            async fn ping(&self, ping: Ping) -> HandlerResult;
        }
    }

    impl local::Pings for Ours {
        async fn ping(&self, _: local::Ping) -> contract_runtime::HandlerResult {
            assert_eq!(self.0, 7);
            Ok(())
        }
    }

    let _ = local::pings(Ours(7));
    let copied = local::Local;
    assert_eq!(format!("{copied:?} {:?}", local::Locals), "Local Locals");
    &local::contract().name
}

/// The same twice, by a macro of one's own.
macro_rules! contract {
    ($name:ident, $(#[$cfg:meta])* $exchange:ident = $text:literal) => {
        #[contract_runtime::contract]
        mod $name {
            $(#[$cfg])*
            #[exchange($text, topic)]
            pub(super) struct $exchange;
        }
    };
}

contract!(one, #[cfg(all())] First = "first");
contract!(two, First = "second");

fn main() {
    assert_eq!(in_a_function(), "local");
    assert_eq!(service::payments::contract().exchanges.len(), 1);
    let _ = service::payments::Payments;
    let (one, two) = (one::First, two::First);
    let _ = (one, two);
    assert_ne!(one::contract().exchanges, two::contract().exchanges);
}
