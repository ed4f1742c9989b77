//! What the tests of connections and publishers share: the broker's URL, names of their own, a message, a plain client.

use std::sync::Arc;

use contract_core::Contract;
use contract_core::model::{
    Binding, BindingKey, Exchange, ExchangeKind, MessageRef, Publish, PublishKey,
    Publisher as Group, Queue, QueueKind,
};
use contract_core::name::{ExchangeName, Pattern, QueueName, RoutingKey};
use contract_runtime::__private::{self as private, Definition, Publisher};
use contract_runtime::{Connection, Message, Uuid};
use lapin::options::{
    ExchangeDeleteOptions, QueueDeclareOptions, QueueDeleteOptions, QueuePurgeOptions,
};
use lapin::types::FieldTable;
use lapin::{Channel, ConnectionProperties};

pub(crate) fn url() -> String {
    std::env::var("CONTRACT_TEST_AMQP_URL")
        .unwrap_or_else(|_| "amqp://guest:guest@127.0.0.1:5672/%2f".into())
}

pub(crate) fn unique(prefix: &str) -> String {
    format!("{prefix}-{}", Uuid::now_v7())
}

#[derive(
    Debug, private::serde::Serialize, private::serde::Deserialize, private::schemars::JsonSchema,
)]
#[serde(crate = "private::serde")]
#[schemars(crate = "private::schemars")]
pub(crate) struct Tick {
    #[schemars(range(max = 1_000_000))]
    pub(crate) number: u64,
    #[serde(default)]
    pub(crate) padding: String,
}

impl Tick {
    pub(crate) fn new(number: u64) -> Self {
        Self {
            number,
            padding: String::new(),
        }
    }
}

impl Message for Tick {
    type Payload = Self;
    const NAME: &'static str = "tick";
    const VERSION: u32 = 1;
}

/// One direct exchange with one queue behind the key `routed`, and none behind `lost`.
pub(crate) struct Bench {
    pub(crate) name: String,
    pub(crate) contract: Contract,
}

impl Bench {
    pub(crate) fn new(prefix: &str, kind: QueueKind) -> Self {
        let name = unique(prefix);
        let exchange = ExchangeName::new(name.clone()).unwrap();
        let mut queue = Queue::new(QueueName::new(name.clone()).unwrap());
        queue.kind = kind;
        queue.bindings.push(Binding::new(
            exchange.clone(),
            BindingKey::Pattern(Pattern::literal("routed")),
        ));
        let mut contract = Contract::new(name.clone());
        contract
            .exchanges
            .push(Exchange::new(exchange.clone(), ExchangeKind::Direct));
        contract.queues.push(queue);
        contract.messages.push(private::message::<Tick>("Tick"));
        let publish = |method: &'static str, exchange: &ExchangeName| {
            Publish::new(
                method,
                exchange.clone(),
                PublishKey::Fixed(RoutingKey::literal(method)),
                MessageRef::new("tick", 1),
            )
        };
        let missing = ExchangeName::new(format!("{name}-missing")).unwrap();
        contract.publishers.push(Group::new(
            "Events",
            vec![publish("routed", &exchange), publish("lost", &exchange)],
        ));
        contract
            .publishers
            .push(Group::new("Mistaken", vec![publish("routed", &missing)]));
        Self { name, contract }
    }

    pub(crate) fn publisher(&self, connection: &Connection, label: &'static str) -> Publisher {
        let definition = Arc::new(Definition::new(self.contract.clone()));
        Publisher::new(connection, &definition, label)
    }

    pub(crate) async fn count(&self, raw: &Raw) -> u32 {
        raw.count(&self.name).await
    }

    pub(crate) async fn delete(&self, raw: &Raw) {
        raw.delete_queue(&self.name).await;
        raw.delete_exchange(&self.name).await;
    }
}

/// A client that knows nothing of contracts.
pub(crate) struct Raw {
    connection: lapin::Connection,
}

impl Raw {
    pub(crate) async fn connect() -> Self {
        let connection = lapin::Connection::connect(&url(), ConnectionProperties::default())
            .await
            .expect("a broker at CONTRACT_TEST_AMQP_URL");
        Self { connection }
    }

    pub(crate) async fn channel(&self) -> Channel {
        self.connection.create_channel().await.unwrap()
    }

    /// How many messages a queue has, unacknowledged ones aside.
    pub(crate) async fn count(&self, queue: &str) -> u32 {
        let passive = QueueDeclareOptions {
            passive: true,
            ..QueueDeclareOptions::default()
        };
        let channel = self.channel().await;
        let queue = channel
            .queue_declare(queue.into(), passive, FieldTable::default())
            .await
            .unwrap();
        queue.message_count()
    }

    pub(crate) async fn purge(&self, queue: &str) {
        let purge = QueuePurgeOptions::default();
        let channel = self.channel().await;
        channel.queue_purge(queue.into(), purge).await.unwrap();
    }

    pub(crate) async fn delete_queue(&self, queue: &str) {
        let delete = QueueDeleteOptions::default();
        let channel = self.channel().await;
        channel.queue_delete(queue.into(), delete).await.unwrap();
    }

    pub(crate) async fn delete_exchange(&self, exchange: &str) {
        let delete = ExchangeDeleteOptions::default();
        let channel = self.channel().await;
        channel
            .exchange_delete(exchange.into(), delete)
            .await
            .unwrap();
    }
}
