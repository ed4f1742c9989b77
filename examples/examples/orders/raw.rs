//! A RabbitMQ client that knows nothing of the contract: the neighbour who sends a malformed body,
//! and the person who opens the dead-letter queue.

use contract_runtime::Uuid;
use lapin::options::{
    BasicConsumeOptions, BasicPublishOptions, ConfirmSelectOptions, QueueDeclareOptions,
};
use lapin::types::FieldTable;
use lapin::{BasicProperties, Connection, ConnectionProperties, Consumer};

use crate::Failed;

pub(crate) struct RawClient(Connection);

impl RawClient {
    pub(crate) async fn connect(url: &str) -> Result<Self, Failed> {
        let connection = Connection::connect(url, ConnectionProperties::default()).await?;
        Ok(Self(connection))
    }

    /// How many others consume a queue, which need not exist.
    pub(crate) async fn consumers_of(&self, queue: &str) -> Result<u32, Failed> {
        let passive = QueueDeclareOptions {
            passive: true,
            ..QueueDeclareOptions::default()
        };
        // A channel for this alone: where there is no such queue, the broker closes it.
        let channel = self.0.create_channel().await?;
        let found = channel
            .queue_declare(queue.into(), passive, FieldTable::default())
            .await;
        Ok(found.map_or(0, |queue| queue.consumer_count()))
    }

    /// Publishes a body as it is.
    pub(crate) async fn publish(
        &self,
        exchange: &str,
        key: &str,
        event_id: Uuid,
        body: &str,
    ) -> Result<(), Failed> {
        let channel = self.0.create_channel().await?;
        channel
            .confirm_select(ConfirmSelectOptions::default())
            .await?;
        let properties = BasicProperties::default()
            .with_message_id(event_id.to_string().into())
            .with_type("order.created".into())
            .with_content_type("application/json".into())
            .with_delivery_mode(2);
        let confirm = channel
            .basic_publish(
                exchange.into(),
                key.into(),
                BasicPublishOptions::default(),
                body.as_bytes(),
                properties,
            )
            .await?
            .await?;
        if confirm.is_ack() {
            Ok(())
        } else {
            Err("the broker did not take the malformed body".into())
        }
    }

    /// Everything in a queue and everything that comes. What is not acknowledged goes back when the
    /// client closes. Without a prefetch limit, so that letters of others do not stand in the way.
    pub(crate) async fn look_into(&self, queue: &str) -> Result<Consumer, Failed> {
        let channel = self.0.create_channel().await?;
        let consumer = channel
            .basic_consume(
                queue.into(),
                "orders-example".into(),
                BasicConsumeOptions::default(),
                FieldTable::default(),
            )
            .await?;
        Ok(consumer)
    }

    pub(crate) async fn close(&self) -> Result<(), Failed> {
        self.0.close(200, "done".into()).await?;
        Ok(())
    }
}
