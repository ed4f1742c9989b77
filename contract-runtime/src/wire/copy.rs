//! The copy of a message that is handed on: to a retry bucket, back to its queue, or to the
//! dead-letter exchange.
//!
//! A copy is the message: its body, its properties, its headers with their types. It loses what would
//! change what the broker does with it, and gains why it was handed on.

use std::time::SystemTime;

use contract_core::header;
use contract_core::settle::FailureKind;
use lapin::BasicProperties;
use lapin::types::{AMQPValue, FieldTable, ShortString};

use super::read;
use crate::schema::SchemaIssue;

/// Why a delivery was not handled.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) kind: FailureKind,
    pub(crate) error: String,
    pub(crate) schema_issues: Vec<SchemaIssue>,
    pub(crate) at: SystemTime,
}

impl Failure {
    pub(crate) fn now(kind: FailureKind, error: impl Into<String>) -> Self {
        Self {
            kind,
            error: error.into(),
            schema_issues: Vec::new(),
            at: SystemTime::now(),
        }
    }
}

/// What a copy is for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Purpose {
    /// Another run on the same queue: this is its number, 1 for the first retry.
    Retry(u32),
    /// The dead-letter exchange, after this many runs.
    DeadLetter { attempts: u32 },
}

/// Where a message was when it failed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) queue: &'a str,
    /// The handler that failed; none where no handler takes the message.
    pub(crate) handler: Option<&'a str>,
    pub(crate) exchange: &'a str,
    pub(crate) routing_key: &'a str,
}

/// Headers that give way, one after the other, where a message's own leave no room for ours.
const GIVES_WAY: [&str; 4] = [
    header::SCHEMA_ERRORS,
    header::LAST_ERROR,
    header::ORIGINAL_CC,
    header::ORIGINAL_BCC,
];

/// The properties of the copy; none if the message's own leave no room. `fits` says whether
/// properties can travel in one frame.
pub(crate) fn properties(
    original: &BasicProperties,
    place: Place<'_>,
    failure: &Failure,
    purpose: Purpose,
    fits: impl Fn(&BasicProperties) -> bool,
) -> Option<BasicProperties> {
    let mut headers = kept_headers(original);
    add_failure(&mut headers, place, failure);
    match purpose {
        Purpose::Retry(retry) => {
            headers.insert_int(header::RETRY_COUNT, retry);
            headers.insert_text(header::RETRY_QUEUE, place.queue);
        }
        Purpose::DeadLetter { attempts } => {
            headers.insert_int(header::ATTEMPTS, attempts);
            headers.insert_text(header::FAILED_QUEUE, place.queue);
        }
    }
    let mut properties = kept_properties(original).with_headers(headers.table());
    let mut gives_way = GIVES_WAY.iter();
    while !fits(&properties) {
        headers.remove(gives_way.next()?);
        properties = properties.with_headers(headers.table());
    }
    Some(properties)
}

/// All but `expiration` and `user_id`; the copy is persistent whatever the message was.
fn kept_properties(original: &BasicProperties) -> BasicProperties {
    const PERSISTENT: u8 = 2;
    let mut kept = BasicProperties::default().with_delivery_mode(PERSISTENT);
    macro_rules! keep {
        ($($property:ident, $with:ident;)*) => {
            $(if let Some(value) = original.$property().clone() {
                kept = kept.$with(value);
            })*
        };
    }
    keep! {
        content_type, with_content_type;
        content_encoding, with_content_encoding;
        priority, with_priority;
        correlation_id, with_correlation_id;
        reply_to, with_reply_to;
        message_id, with_message_id;
        timestamp, with_timestamp;
        kind, with_type;
        app_id, with_app_id;
        cluster_id, with_cluster_id;
    }
    kept
}

/// The message's own headers, and in headers what may not stay a property.
fn kept_headers(original: &BasicProperties) -> Headers {
    let mut kept = Headers::default();
    for (name, value) in original.headers().iter().flat_map(FieldTable::inner) {
        match name.as_str() {
            "CC" => kept.insert_first(header::ORIGINAL_CC, value.clone()),
            "BCC" => kept.insert_first(header::ORIGINAL_BCC, value.clone()),
            // Those of an earlier failure: this copy says its own, or none.
            header::RETRY_COUNT
            | header::RETRY_QUEUE
            | header::ATTEMPTS
            | header::FAILED_QUEUE
            | header::CONSUMER
            | header::SCHEMA_ERRORS => {}
            own if !header::is_history(own) => kept.insert(own, value.clone()),
            _ => {}
        }
    }
    if let Some(expiration) = original.expiration() {
        kept.insert_first(
            header::ORIGINAL_EXPIRATION,
            long_string(expiration.as_str()),
        );
    }
    if let Some(user_id) = original.user_id() {
        kept.insert_first(header::ORIGINAL_USER_ID, long_string(user_id.as_str()));
    }
    // An earlier copy's deadline or route is the original one.
    for name in [
        header::ORIGINAL_EXPIRATION,
        header::ORIGINAL_USER_ID,
        header::ORIGINAL_CC,
        header::ORIGINAL_BCC,
    ] {
        if let Some(first) = original
            .headers()
            .as_ref()
            .and_then(|headers| headers.inner().get(name))
        {
            kept.insert(name, first.clone());
        }
    }
    kept
}

fn add_failure(headers: &mut Headers, place: Place<'_>, failure: &Failure) {
    headers.insert_text(header::ERROR_KIND, failure.kind.as_str());
    headers.insert_text(
        header::LAST_ERROR,
        &header::cut(&failure.error, header::MAX_ERROR_BYTES),
    );
    if !failure.schema_issues.is_empty() {
        headers.insert_text(header::SCHEMA_ERRORS, &issues_text(&failure.schema_issues));
    }
    if let Some(handler) = place.handler {
        headers.insert_text(header::CONSUMER, handler);
    }
    let at = failure
        .at
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default()
        .as_millis();
    let at = AMQPValue::LongLongInt(i64::try_from(at).unwrap_or(i64::MAX));
    headers.insert_first(header::FIRST_FAILURE, at.clone());
    headers.insert(header::LAST_FAILURE, at);
    headers.insert_first(header::ORIGINAL_EXCHANGE, long_string(place.exchange));
    headers.insert_first(header::ORIGINAL_ROUTING_KEY, long_string(place.routing_key));
}

/// The issues as a JSON array that fits: as many of the first as there is room for.
fn issues_text(issues: &[SchemaIssue]) -> String {
    let mut shown: Vec<SchemaIssue> = issues
        .iter()
        .take(header::MAX_SCHEMA_ERRORS)
        .map(|issue| SchemaIssue {
            pointer: header::cut(&issue.pointer, 256).into_owned(),
            keyword: header::cut(&issue.keyword, 64).into_owned(),
            message: header::cut(&issue.message, 256).into_owned(),
        })
        .collect();
    loop {
        // Plain data with text keys: it cannot fail to serialise.
        let text = serde_json::to_string(&shown).unwrap_or_default();
        if text.len() <= header::MAX_SCHEMA_ERRORS_BYTES || shown.pop().is_none() {
            return text;
        }
    }
}

/// Where the message was first published: what an earlier copy says, else where this one was.
pub(crate) fn original_route<'a>(
    properties: &'a BasicProperties,
    exchange: &'a str,
    routing_key: &'a str,
) -> (&'a str, &'a str) {
    let exchange = read::text(properties, header::ORIGINAL_EXCHANGE).unwrap_or(exchange);
    let routing_key = read::text(properties, header::ORIGINAL_ROUTING_KEY).unwrap_or(routing_key);
    (exchange, routing_key)
}

fn long_string(text: &str) -> AMQPValue {
    AMQPValue::LongString(text.into())
}

/// Headers under construction.
#[derive(Debug, Default)]
struct Headers(std::collections::BTreeMap<ShortString, AMQPValue>);

impl Headers {
    fn insert(&mut self, name: &str, value: AMQPValue) {
        // Names come from a table, or are constants: all are short strings.
        if let Ok(name) = ShortString::try_new(name) {
            self.0.insert(name, value);
        }
    }

    fn insert_first(&mut self, name: &str, value: AMQPValue) {
        if !self.0.contains_key(name) {
            self.insert(name, value);
        }
    }

    fn insert_text(&mut self, name: &str, text: &str) {
        self.insert(name, long_string(text));
    }

    fn insert_int(&mut self, name: &str, number: u32) {
        self.insert(
            name,
            AMQPValue::LongInt(i32::try_from(number).unwrap_or(i32::MAX)),
        );
    }

    fn remove(&mut self, name: &str) {
        self.0.remove(name);
    }

    fn table(&self) -> FieldTable {
        FieldTable::from(self.0.clone())
    }
}

#[cfg(test)]
mod tests;
