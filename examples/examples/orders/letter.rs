//! A dead letter, as a person finds it: nothing but what its headers say.

use std::fmt;

use contract_runtime::Uuid;
use contract_runtime::contract_core::header;
use lapin::message::Delivery;
use lapin::types::AMQPValue;
use serde_json::Value;

/// A dead letter.
#[derive(Debug)]
pub(crate) struct Letter {
    pub(crate) event_id: Option<Uuid>,
    pub(crate) kind: String,
    pub(crate) error: String,
    pub(crate) attempts: Option<i64>,
    pub(crate) handler: String,
    pub(crate) failed_queue: String,
    pub(crate) exchange: String,
    pub(crate) routing_key: String,
    pub(crate) schema: Vec<SchemaError>,
    /// Unix milliseconds.
    pub(crate) first_failure: i64,
    /// Unix milliseconds.
    pub(crate) last_failure: i64,
    pub(crate) body: String,
}

/// Where the body violates its schema.
#[derive(Debug)]
pub(crate) struct SchemaError {
    pub(crate) pointer: String,
    pub(crate) keyword: String,
    pub(crate) message: String,
}

impl Letter {
    pub(crate) fn read(delivery: &Delivery) -> Self {
        let id = delivery.properties.message_id().as_ref();
        let number = |name| number(delivery, name);
        Self {
            event_id: id.and_then(|id| id.as_str().parse().ok()),
            kind: text(delivery, header::ERROR_KIND),
            error: text(delivery, header::LAST_ERROR),
            attempts: number(header::ATTEMPTS),
            handler: text(delivery, header::CONSUMER),
            failed_queue: text(delivery, header::FAILED_QUEUE),
            exchange: text(delivery, header::ORIGINAL_EXCHANGE),
            routing_key: text(delivery, header::ORIGINAL_ROUTING_KEY),
            schema: schema_errors(&text(delivery, header::SCHEMA_ERRORS)),
            first_failure: number(header::FIRST_FAILURE).unwrap_or(0),
            last_failure: number(header::LAST_FAILURE).unwrap_or(0),
            body: String::from_utf8_lossy(&delivery.data).into_owned(),
        }
    }
}

fn value<'d>(delivery: &'d Delivery, name: &str) -> Option<&'d AMQPValue> {
    let headers = delivery.properties.headers().as_ref()?;
    headers.inner().get(name)
}

fn text(delivery: &Delivery, name: &str) -> String {
    match value(delivery, name) {
        Some(AMQPValue::LongString(text)) => text.to_string(),
        _ => String::new(),
    }
}

fn number(delivery: &Delivery, name: &str) -> Option<i64> {
    match value(delivery, name)? {
        AMQPValue::LongInt(number) => Some(i64::from(*number)),
        AMQPValue::LongLongInt(number) => Some(*number),
        _ => None,
    }
}

fn schema_errors(json: &str) -> Vec<SchemaError> {
    let errors: Vec<Value> = serde_json::from_str(json).unwrap_or_default();
    let field = |error: &Value, name: &str| error[name].as_str().unwrap_or_default().to_owned();
    errors
        .iter()
        .map(|error| SchemaError {
            pointer: field(error, "pointer"),
            keyword: field(error, "keyword"),
            message: field(error, "message"),
        })
        .collect()
}

impl fmt::Display for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let attempts = self.attempts.unwrap_or(0);
        let (first, last) = (clock(self.first_failure), clock(self.last_failure));
        writeln!(f, "  kind      {}", self.kind)?;
        writeln!(f, "  error     {}", self.error)?;
        for error in &self.schema {
            let SchemaError {
                pointer,
                keyword,
                message,
            } = error;
            writeln!(f, "  schema    {pointer} ({keyword}): {message}")?;
        }
        writeln!(
            f,
            "  attempts  {attempts}, by {} on {}",
            self.handler, self.failed_queue
        )?;
        writeln!(f, "  route     {} {}", self.exchange, self.routing_key)?;
        writeln!(f, "  failed    first {first}, last {last} UTC")?;
        writeln!(f, "  body      {}", self.body)
    }
}

/// The time of day, in UTC.
fn clock(unix_millis: i64) -> String {
    let of_day = unix_millis.rem_euclid(86_400_000);
    let (seconds, millis) = (of_day / 1_000, of_day % 1_000);
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
    format!("{hours:02}:{minutes:02}:{:02}.{millis:03}", seconds % 60)
}
