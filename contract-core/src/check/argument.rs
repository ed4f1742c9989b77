//! Whether a raw argument is one that RabbitMQ reads: it takes a misspelt one without a word.

use super::Subject;
use crate::finding::{Entity, Finding, Part, Rule};
use crate::model::{Argument, Literal, QueueKind};
use crate::similar::nearest;

/// What is known of a raw argument.
struct Known {
    name: &'static str,
    /// Where it is read.
    on: On,
    value: Value,
    /// The option that says the same, where there is one.
    option: Option<&'static str>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum On {
    Exchange,
    AnyQueue,
    Quorum,
    Classic,
}

#[derive(Clone, Copy)]
enum Value {
    Int,
    Text,
    Bool,
}

const fn known(name: &'static str, on: On, value: Value, option: Option<&'static str>) -> Known {
    Known {
        name,
        on,
        value,
        option,
    }
}

/// The arguments that RabbitMQ 3.10 to 4.3 read at a declaration.
const KNOWN: &[Known] = &[
    known(
        "alternate-exchange",
        On::Exchange,
        Value::Text,
        Some("alternate(Other)"),
    ),
    known("x-delayed-type", On::Exchange, Value::Text, None),
    known(
        "x-queue-type",
        On::AnyQueue,
        Value::Text,
        Some("quorum` or `classic"),
    ),
    known(
        "x-message-ttl",
        On::AnyQueue,
        Value::Int,
        Some("message_ttl = \"10m\""),
    ),
    known(
        "x-expires",
        On::AnyQueue,
        Value::Int,
        Some("expires = \"1h\""),
    ),
    known(
        "x-max-length",
        On::AnyQueue,
        Value::Int,
        Some("max_length = N"),
    ),
    known(
        "x-max-length-bytes",
        On::AnyQueue,
        Value::Int,
        Some("max_length_bytes = N"),
    ),
    known(
        "x-overflow",
        On::AnyQueue,
        Value::Text,
        Some("overflow(..)"),
    ),
    known(
        "x-dead-letter-exchange",
        On::AnyQueue,
        Value::Text,
        Some("dead_letter(..)"),
    ),
    known(
        "x-dead-letter-routing-key",
        On::AnyQueue,
        Value::Text,
        Some("dead_letter(..)"),
    ),
    known(
        "x-dead-letter-strategy",
        On::Quorum,
        Value::Text,
        Some("dead_letter(..)"),
    ),
    known(
        "x-delivery-limit",
        On::Quorum,
        Value::Int,
        Some("delivery_limit = N"),
    ),
    known(
        "x-single-active-consumer",
        On::AnyQueue,
        Value::Bool,
        Some("single_active_consumer"),
    ),
    known(
        "x-max-priority",
        On::Classic,
        Value::Int,
        Some("max_priority = N"),
    ),
    known("x-queue-leader-locator", On::AnyQueue, Value::Text, None),
    known("x-quorum-initial-group-size", On::Quorum, Value::Int, None),
    known("x-quorum-target-group-size", On::Quorum, Value::Int, None),
    known("x-max-in-memory-length", On::Quorum, Value::Int, None),
    known("x-max-in-memory-bytes", On::Quorum, Value::Int, None),
    known("x-consumer-timeout", On::Quorum, Value::Int, None),
    known("x-queue-mode", On::Classic, Value::Text, None),
    known("x-queue-version", On::Classic, Value::Int, None),
];

/// `raw-argument`: a raw argument is known, is read by this kind of entity, has a value of the right
/// type, and says what no option says.
pub(super) fn check_raw_arguments(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    for (index, exchange) in subject.contract.exchanges.iter().enumerate() {
        let is_read = |on| on == On::Exchange;
        check(
            Entity::Exchange(index),
            "an exchange",
            &exchange.arguments,
            is_read,
            found,
        );
    }
    for (index, queue) in subject.contract.queues.iter().enumerate() {
        let (kind, own) = match queue.kind {
            QueueKind::Quorum => ("a quorum queue", On::Quorum),
            QueueKind::Classic => ("a classic queue", On::Classic),
        };
        let is_read = |on| on == On::AnyQueue || on == own;
        check(Entity::Queue(index), kind, &queue.arguments, is_read, found);
    }
}

fn check(
    entity: Entity,
    kind: &str,
    arguments: &[Argument],
    is_read: impl Fn(On) -> bool,
    found: &mut Vec<Finding>,
) {
    for (index, argument) in arguments
        .iter()
        .enumerate()
        .filter(|(_, argument)| !argument.unchecked)
    {
        let name = &argument.name;
        let readable = || KNOWN.iter().filter(|known| is_read(known.on));
        let (message, help) = match readable().find(|known| known.name == *name) {
            None => {
                let near = nearest(name, readable().map(|known| known.name));
                let near = near
                    .map(|near| format!("write \"{near}\", or "))
                    .unwrap_or_default();
                (
                    format!(
                        "{kind} of RabbitMQ reads no argument \"{name}\", and would not say so"
                    ),
                    format!("{near}add `unchecked` if a plugin or a later RabbitMQ reads it"),
                )
            }
            Some(Known {
                option: Some(option),
                ..
            }) => (
                format!("argument \"{name}\" has an option of its own, which is checked"),
                format!("write `{option}`"),
            ),
            Some(known) => match (known.value, &argument.value) {
                (Value::Int, Literal::Int(_))
                | (Value::Text, Literal::Text(_))
                | (Value::Bool, Literal::Bool(_)) => continue,
                (value, _) => {
                    let expected = match value {
                        Value::Int => "a whole number",
                        Value::Text => "a text",
                        Value::Bool => "true or false",
                    };
                    (
                        format!("argument \"{name}\" is not {expected}"),
                        format!("write {expected}"),
                    )
                }
            },
        };
        found.push(Finding::new(
            Rule::RawArgument,
            entity.at(Part::Argument(index)),
            message,
            help,
        ));
    }
}
