//! What is known of a publish before there is a message: made once for each method.

use std::fmt;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use contract_core::header;
use contract_core::model::{Contract, Literal, Publish, PublishKey};
use contract_core::route::{Headers, Router};
use contract_core::topology::Topology;
use lapin::BasicProperties;
use lapin::types::{AMQPValue, FieldTable, ShortString};
use uuid::Uuid;

use super::options::PublishOptions;
use crate::definition::Definition;
use crate::error::PublishError;
use crate::schema::{Schema, SchemaError};

/// How the messages of one method are sent.
#[derive(Debug)]
pub(super) struct Route {
    pub(super) message: String,
    pub(super) exchange: String,
    key: PublishKey,
    pub(super) schema: Result<Arc<Schema>, SchemaError>,
    /// Whether a key can reach several queues, as far as the contract knows: a nack then says little.
    pub(super) several_queues: bool,
    /// Whether the author accepts that the key may reach no queue.
    pub(super) lossy: bool,
    /// What all messages of the method carry.
    properties: BasicProperties,
    headers: FieldTable,
}

impl Route {
    pub(super) fn new(
        definition: &Definition,
        publish: &Publish,
        app: Option<&str>,
    ) -> Result<Self, PublishError> {
        let mut headers = FieldTable::default();
        for (name, value) in &publish.headers {
            let value = match value {
                Literal::Bool(value) => AMQPValue::Boolean(*value),
                Literal::Int(value) => AMQPValue::LongLongInt(*value),
                Literal::Text(value) => AMQPValue::LongString(value.as_str().into()),
                _ => {
                    return Err(PublishError::InvalidHeader {
                        name: name.clone(),
                        reason: "this version does not know its type",
                    });
                }
            };
            headers.insert(short(name)?, value);
        }
        let version = i32::try_from(publish.message.version).unwrap_or(i32::MAX);
        if version > 1 {
            headers.insert(short(header::SCHEMA_VERSION)?, AMQPValue::LongInt(version));
        }
        Ok(Self {
            message: publish.message.to_string(),
            exchange: publish.exchange.to_string(),
            schema: definition.schema(&publish.message),
            several_queues: several_queues(definition.contract(), publish),
            lossy: publish.lossy_unroutable,
            key: publish.key.clone(),
            properties: properties(publish, app)?,
            headers,
        })
    }

    /// The routing key of one message. `fields` fill the key's own, where it has any.
    pub(super) fn routing_key(
        &self,
        fields: &[(&str, &dyn fmt::Display)],
    ) -> Result<String, PublishError> {
        match &self.key {
            PublishKey::Fixed(key) => Ok(key.to_string()),
            PublishKey::Template(template) => template.fill(fields).map(String::from),
            other => return Err(invalid(format!("this version cannot send key `{other}`"))),
        }
        .map_err(|error| invalid(error.to_string()))
    }

    /// The properties of one message.
    pub(super) fn properties(
        &self,
        event_id: Uuid,
        options: &PublishOptions,
    ) -> Result<BasicProperties, PublishError> {
        let mut id = Uuid::encode_buffer();
        let id = event_id.hyphenated().encode_lower(&mut id);
        let mut properties = self
            .properties
            .clone()
            .with_message_id(short(id)?)
            .with_timestamp(seconds_of(SystemTime::now()));
        if let Some(priority) = options.priority_set() {
            properties = properties.with_priority(priority);
        }
        let mut headers = FieldTable::default();
        for (name, value) in options.headers() {
            headers.insert(short(name)?, value.on_the_wire());
        }
        // The contract's own go before: they may be what routes the message.
        for (name, value) in &self.headers {
            headers.insert(name.clone(), value.clone());
        }
        if !headers.inner().is_empty() {
            properties = properties.with_headers(headers);
        }
        Ok(properties)
    }
}

fn properties(publish: &Publish, app: Option<&str>) -> Result<BasicProperties, PublishError> {
    const PERSISTENT: u8 = 2;
    let mut properties = BasicProperties::default()
        .with_content_type(short("application/json")?)
        .with_delivery_mode(PERSISTENT)
        .with_type(short(&publish.message.name)?);
    if let Some(expiration) = publish.expiration {
        properties = properties.with_expiration(short(&expiration.0.to_string())?);
    }
    // A name that does not fit is for the broker's tools only.
    if let Some(app) = app.and_then(|app| ShortString::try_new(app).ok()) {
        properties = properties.with_app_id(app);
    }
    Ok(properties)
}

fn several_queues(contract: &Contract, publish: &Publish) -> bool {
    let (topology, _) = Topology::of(contract);
    // What others bind may be anything.
    if publish.external
        || topology
            .exchanges
            .iter()
            .any(|exchange| exchange.entity.external)
    {
        return true;
    }
    let router = Router::new(&topology);
    let headers = Headers::Known(&publish.headers);
    let keys = publish.key.keys();
    let reached = (0..topology.queues.len()).filter(|queue| {
        router
            .can_reach(&publish.exchange, &keys, headers, *queue)
            .unwrap_or(true)
    });
    reached.count() > 1
}

fn short(text: &str) -> Result<ShortString, PublishError> {
    ShortString::try_new(text).map_err(|_| {
        invalid(format!(
            "`{text}` has {} bytes; RabbitMQ takes at most 255",
            text.len()
        ))
    })
}

fn invalid(reason: String) -> PublishError {
    PublishError::InvalidKey { reason }
}

/// AMQP counts seconds.
fn seconds_of(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use contract_core::Millis;
    use contract_core::key::KeyTemplate;
    use contract_core::model::{
        Binding, BindingKey, Exchange, ExchangeKind, Message, MessageRef, Queue,
    };
    use contract_core::name::{ExchangeName, Pattern, QueueName, RoutingKey};

    use super::*;
    use crate::error::PublishOutcome;

    fn publish(version: u32) -> Publish {
        Publish::new(
            "created",
            ExchangeName::literal("x"),
            PublishKey::Fixed(RoutingKey::literal("k")),
            MessageRef::new("order.created", version),
        )
    }

    fn definition(queues: &[&'static str]) -> Definition {
        let mut contract = Contract::new("c");
        let exchange = ExchangeName::literal("x");
        contract
            .exchanges
            .push(Exchange::new(exchange.clone(), ExchangeKind::Direct));
        for name in queues {
            let mut queue = Queue::new(QueueName::literal(name));
            queue.bindings.push(Binding::new(
                exchange.clone(),
                BindingKey::Pattern(Pattern::literal("k")),
            ));
            contract.queues.push(queue);
        }
        contract.messages.push(Message::new("order.created"));
        Definition::new(contract)
    }

    fn route(publish: &Publish) -> Route {
        Route::new(&definition(&["q"]), publish, Some("app")).unwrap()
    }

    #[test]
    fn an_ordinary_message_carries_no_headers() {
        let id = Uuid::now_v7();
        let properties = route(&publish(1))
            .properties(id, &PublishOptions::new())
            .unwrap();
        assert_eq!(*properties.headers(), None);
        assert_eq!(*properties.delivery_mode(), Some(2));
        let text = |text: &Option<ShortString>| text.as_ref().map(ToString::to_string);
        assert_eq!(text(properties.message_id()), Some(id.to_string()));
        assert_eq!(text(properties.kind()).as_deref(), Some("order.created"));
        assert_eq!(
            text(properties.content_type()).as_deref(),
            Some("application/json")
        );
        assert_eq!(text(properties.app_id()).as_deref(), Some("app"));
        assert_eq!(*properties.expiration(), None);
        assert!(properties.timestamp().is_some());
    }

    #[test]
    fn a_later_version_is_said_and_the_contracts_headers_go_before() {
        let mut publish = publish(2);
        publish
            .headers
            .push(("region".into(), Literal::Text("eu".into())));
        publish.expiration = Some(Millis(5000));
        let options = PublishOptions::new().header("region", "us").unwrap();
        let properties = route(&publish).properties(Uuid::nil(), &options).unwrap();
        let headers = properties.headers().as_ref().expect("headers");
        let header = |name: &str| headers.inner().get(name).cloned();
        assert_eq!(header("x-schema-version"), Some(AMQPValue::LongInt(2)));
        assert_eq!(header("region"), Some(AMQPValue::LongString("eu".into())));
        let expiration = properties.expiration().as_ref().map(ToString::to_string);
        assert_eq!(expiration.as_deref(), Some("5000"));
    }

    #[test]
    fn a_key_is_filled_or_nothing_is_sent() {
        let mut publish = publish(1);
        publish.key = PublishKey::Template(KeyTemplate::parse("order.{region}").unwrap());
        let route = route(&publish);
        assert_eq!(route.routing_key(&[("region", &"eu")]).unwrap(), "order.eu");
        for value in ["", "a.b", "#"] {
            let error = route.routing_key(&[("region", &value)]).unwrap_err();
            assert_eq!(error.outcome(), PublishOutcome::NotSent);
        }
    }

    #[test]
    fn a_nack_is_a_refusal_only_where_one_queue_is_reached() {
        let several = |queues| {
            Route::new(&definition(queues), &publish(1), None)
                .unwrap()
                .several_queues
        };
        assert!(!several(&["q"]));
        assert!(several(&["q", "r"]));
    }
}
