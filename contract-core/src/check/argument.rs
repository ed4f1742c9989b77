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
        let entity = Entity::Exchange(index);
        check(entity, On::Exchange, &exchange.arguments, found);
    }
    for (index, queue) in subject.contract.queues.iter().enumerate() {
        let kind = match queue.kind {
            QueueKind::Quorum => On::Quorum,
            QueueKind::Classic => On::Classic,
        };
        check(Entity::Queue(index), kind, &queue.arguments, found);
    }
}

fn check(entity: Entity, kind: On, arguments: &[Argument], found: &mut Vec<Finding>) {
    let checked = arguments
        .iter()
        .enumerate()
        .filter(|(_, argument)| !argument.unchecked);
    for (index, argument) in checked {
        let name = argument.name.as_str();
        let said = match KNOWN.iter().find(|known| known.name == name) {
            None => Some(unknown(name, kind)),
            Some(known) if !known.on.is_read_of(kind) => Some(misplaced(known, kind)),
            Some(known) => match known.option {
                Some(option) => Some((
                    format!("argument \"{name}\" has an option of its own, which is checked"),
                    format!("write `{option}`"),
                )),
                None => mistyped(known, &argument.value),
            },
        };
        if let Some((message, help)) = said {
            let at = entity.at(Part::Argument(index));
            found.push(Finding::new(Rule::RawArgument, at, message, help));
        }
    }
}

impl On {
    fn is_read_of(self, kind: Self) -> bool {
        self == kind || (self == Self::AnyQueue && kind != Self::Exchange)
    }

    /// One of them.
    fn one(self) -> &'static str {
        match self {
            Self::Exchange => "an exchange",
            Self::AnyQueue => "a queue",
            Self::Quorum => "a quorum queue",
            Self::Classic => "a classic queue",
        }
    }
}

/// What nobody reads, with what is near to it.
fn unknown(name: &str, kind: On) -> (String, String) {
    let readable = KNOWN.iter().filter(|known| known.on.is_read_of(kind));
    let near = nearest(name, readable.map(|known| known.name));
    let near = KNOWN.iter().find(|known| Some(known.name) == near);
    let remedy = match near {
        Some(Known {
            option: Some(option),
            ..
        }) => format!("write `{option}`, or "),
        Some(near) => format!("write \"{}\", or ", near.name),
        None => String::new(),
    };
    (
        format!(
            "RabbitMQ reads no argument \"{name}\" of {}, and would not say so",
            kind.one()
        ),
        format!("{remedy}add `unchecked` if a plugin or a later RabbitMQ reads it"),
    )
}

/// What is read of another kind of entity.
fn misplaced(known: &Known, kind: On) -> (String, String) {
    let remedy = match (known.on, kind) {
        (On::Classic, On::Quorum) => ", or make the queue `classic`",
        (On::Quorum, On::Classic) => ", or make it a quorum queue by leaving `classic` out",
        _ => "",
    };
    let option = known
        .option
        .filter(|_| !remedy.is_empty())
        .map(|option| format!(" and write `{option}`"))
        .unwrap_or_default();
    (
        format!(
            "RabbitMQ reads argument \"{}\" of {}, and this is {}",
            known.name,
            known.on.one(),
            kind.one()
        ),
        format!(
            "leave it out{remedy}{option}, or add `unchecked` if a later RabbitMQ reads it here"
        ),
    )
}

/// What is known, and has a value that the broker refuses.
fn mistyped(known: &Known, value: &Literal) -> Option<(String, String)> {
    let (expected, how) = match (known.value, value) {
        (Value::Int, Literal::Int(_))
        | (Value::Text, Literal::Text(_))
        | (Value::Bool, Literal::Bool(_)) => return None,
        (Value::Int, _) => ("a whole number", "a whole number, without quotes"),
        (Value::Text, _) => ("a text", "a text, in quotes"),
        (Value::Bool, _) => ("a truth value", "`true` or `false`, without quotes"),
    };
    Some((
        format!("argument \"{}\" takes {expected}", known.name),
        format!("write {how}"),
    ))
}
