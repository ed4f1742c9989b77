//! Messages that bring their own derives and implementations, with crates of the user's own choice.

#[contract_runtime::contract]
pub mod orders {
    use contract_runtime::__private::{schemars, serde};
    use contract_runtime::prelude::*;
    use std::borrow::Cow;

    #[exchange("orders", topic)]
    pub struct Orders;

    #[queue("billing", bind(Orders, "#"), dead_letter)]
    pub struct Billing;

    #[message("order.created", derive(none))]
    #[derive(Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    #[serde(crate = "contract_runtime::__private::serde")]
    #[schemars(crate = "contract_runtime::__private::schemars")]
    pub struct OrderCreated {
        pub order_id: Uuid,
    }

    #[message("order.moved", derive(none))]
    pub struct OrderMoved(pub u64);

    impl serde::Serialize for OrderMoved {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_u64(self.0)
        }
    }

    impl<'de> serde::Deserialize<'de> for OrderMoved {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            serde::Deserialize::deserialize(deserializer).map(Self)
        }
    }

    impl schemars::JsonSchema for OrderMoved {
        fn schema_name() -> Cow<'static, str> {
            "OrderMoved".into()
        }

        fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
            generator.subschema_for::<u64>()
        }
    }

    #[publisher]
    pub trait OrderEvents {
        #[publish(Orders)]
        async fn moved(&self, event: &OrderMoved) -> PublishResult;
    }

    #[handlers]
    pub trait OrderHandlers {
        #[consume(Billing)]
        async fn created(&self, order: OrderCreated) -> HandlerResult;
        #[consume(Billing)]
        async fn moved(&self, order: OrderMoved) -> HandlerResult;
    }
}

fn main() {
    let schema = orders::contract().messages[1].schema.as_ref().unwrap();
    assert_eq!(schema["type"], "integer");
}
