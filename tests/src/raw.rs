//! A client that knows nothing of contracts: a producer in another language, an operator's tool.

use lapin::options::{
    BasicAckOptions, BasicGetOptions, BasicPublishOptions, ConfirmSelectOptions,
    QueueDeclareOptions,
};
use lapin::types::{AMQPValue, FieldTable};
use lapin::{BasicProperties, Channel, Connection, ConnectionProperties};

use crate::eventually::eventually;

/// A connection with one confirm channel.
#[derive(Debug)]
pub struct Raw {
    connection: Connection,
    channel: Channel,
}

impl Raw {
    /// Connects.
    ///
    /// # Panics
    ///
    /// If the broker cannot be reached.
    pub async fn connect(url: &str) -> Self {
        let connection = Connection::connect(url, ConnectionProperties::default());
        let connection = connection.await.expect("the broker can be reached");
        let channel = connection.create_channel().await.expect("a channel opens");
        channel
            .confirm_select(ConfirmSelectOptions::default())
            .await
            .expect("confirms are on");
        Self {
            connection,
            channel,
        }
    }

    /// The channel, for what stands in no method here.
    #[must_use]
    pub fn channel(&self) -> &Channel {
        &self.channel
    }

    /// Publishes, and waits for the confirm.
    ///
    /// # Panics
    ///
    /// If the broker does not take it.
    pub async fn publish(
        &self,
        exchange: &str,
        key: &str,
        properties: BasicProperties,
        body: &[u8],
    ) {
        let options = BasicPublishOptions {
            mandatory: true,
            ..BasicPublishOptions::default()
        };
        let publish =
            self.channel
                .basic_publish(exchange.into(), key.into(), options, body, properties);
        let confirm = publish
            .await
            .expect("the publish is written")
            .await
            .expect("a confirm comes");
        assert!(
            confirm.is_ack() && confirm.take_message().is_none(),
            "the publish is routed"
        );
    }

    /// Takes the next message of a queue, once there is one.
    ///
    /// # Panics
    ///
    /// If none comes.
    pub async fn take(&self, queue: &str) -> lapin::message::BasicGetMessage {
        eventually(&format!("a message in queue `{queue}`"), async || {
            self.get(queue).await
        })
        .await
    }

    /// Takes the next message of a queue, if there is one.
    ///
    /// # Panics
    ///
    /// If the queue does not exist.
    pub async fn get(&self, queue: &str) -> Option<lapin::message::BasicGetMessage> {
        let got = self
            .channel
            .basic_get(queue.into(), BasicGetOptions::default())
            .await;
        let message = got.expect("the queue exists")?;
        message
            .ack(BasicAckOptions::default())
            .await
            .expect("the message is acknowledged");
        Some(message)
    }

    /// How many messages of a queue are ready.
    ///
    /// # Panics
    ///
    /// If the queue does not exist.
    pub async fn count(&self, queue: &str) -> u32 {
        let options = QueueDeclareOptions {
            passive: true,
            ..QueueDeclareOptions::default()
        };
        let declared = self
            .channel
            .queue_declare(queue.into(), options, FieldTable::default())
            .await;
        declared.expect("the queue exists").message_count()
    }

    /// Closes the connection.
    ///
    /// # Panics
    ///
    /// If it cannot be closed.
    pub async fn close(self) {
        self.connection
            .close(200, "done".into())
            .await
            .expect("the connection closes");
    }
}

/// The header of a message, as text whatever its type.
#[must_use]
pub fn header(properties: &BasicProperties, name: &str) -> Option<String> {
    let value = properties.headers().as_ref()?.inner().get(name)?;
    Some(match value {
        AMQPValue::LongString(text) => text.to_string(),
        AMQPValue::LongInt(number) => number.to_string(),
        AMQPValue::LongLongInt(number) => number.to_string(),
        other => format!("{other:?}"),
    })
}
