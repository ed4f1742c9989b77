//! `#[queue("name", ..)]`

use contract_core::model::{self, DeliveryLimit, Loss, Overflow, QueueKind};
use contract_core::name::QueueName;
use contract_core::similar::nearest;
use quote::ToTokens;
use syn::{Attribute, ItemStruct};

use super::super::item::{label, mark};
use super::argument::{Argument, parse_arguments};
use super::binding::{parse_argument, parse_bind};
use super::dead_letter::parse_dead_letter;
use super::option::{Choice, Written, conflict, known_options, once, repeated, take_name};
use super::retry::parse_retry;
use crate::sink::Sink;
use crate::symbol;
use crate::tree::Queue;

const USAGE: &str = "#[queue(\"name\", ..)]";

static CHOICES: &[Choice] = &[
    once(symbol::QUORUM, "quorum"),
    once(symbol::CLASSIC, "classic"),
    repeated(symbol::BIND, "bind(Exchange, \"key\")"),
    once(symbol::DEAD_LETTER, "dead_letter(Exchange, \"key\")"),
    once(symbol::RETRY, "retry(ttl_backoff, max_retries = 3)"),
    once(symbol::MESSAGE_TTL, "message_ttl = \"10m\""),
    once(symbol::EXPIRES, "expires = \"1h\""),
    once(symbol::MAX_LENGTH, "max_length = 10000"),
    once(symbol::MAX_LENGTH_BYTES, "max_length_bytes = 1000000"),
    once(symbol::OVERFLOW, "overflow(reject_publish)"),
    once(symbol::DELIVERY_LIMIT, "delivery_limit = 20"),
    once(symbol::SINGLE_ACTIVE_CONSUMER, "single_active_consumer"),
    once(symbol::MAX_PRIORITY, "max_priority = 5"),
    once(symbol::EXCLUSIVE, "exclusive"),
    once(symbol::AUTO_DELETE, "auto_delete"),
    once(symbol::TRANSIENT, "transient"),
    repeated(symbol::ARGUMENT, "argument(\"x-key\", literal)"),
    once(symbol::EXTERNAL, "external"),
    once(symbol::LOSSY, "lossy(poison)"),
];

/// Reads the attribute that stands on `item`.
pub fn parse_queue(attr: &Attribute, item: ItemStruct, sink: &mut Sink) -> Queue {
    let mut arguments = parse_arguments(attr, sink);
    let name = take_name(attr, USAGE, &mut arguments, QueueName::new, sink);
    let mut queue = Queue {
        mark: mark(attr),
        settings: model::Queue::new(
            name.as_ref()
                .map_or_else(|| fallback(&item), |name| name.value.clone()),
        ),
        name_at: name.map_or_else(|| item.ident.to_token_stream(), |name| name.at),
        bindings: Vec::new(),
        dead_letter: None,
        words: Vec::new(),
        retry_words: Vec::new(),
        broken: false,
        index: 0,
        item,
    };
    queue.settings.label = label(&queue.item.ident);
    let mut kind = None;
    for written in known_options("`#[queue(..)]`", CHOICES, arguments, sink) {
        parse_option(&mut queue, &mut kind, written, sink);
    }
    queue
}

/// What stands for the name while there is none.
fn fallback(item: &ItemStruct) -> QueueName {
    QueueName::new(item.ident.to_string()).unwrap_or(QueueName::literal("unnamed"))
}

fn parse_option(
    queue: &mut Queue,
    kind: &mut Option<&'static str>,
    written: Written,
    sink: &mut Sink,
) {
    queue.words.push(written.place());
    let settings = &mut queue.settings;
    match written.word {
        symbol::QUORUM | symbol::CLASSIC => parse_kind(settings, kind, &written, sink),
        symbol::BIND => queue.bindings.extend(parse_bind(written, sink)),
        symbol::DEAD_LETTER => queue.dead_letter = parse_dead_letter(written, sink),
        symbol::RETRY => {
            let words = &mut queue.retry_words;
            settings.retry = parse_retry(written, words, sink).unwrap_or_default();
        }
        symbol::MESSAGE_TTL => settings.message_ttl = written.duration(sink),
        symbol::EXPIRES => settings.expires = written.duration(sink),
        symbol::MAX_LENGTH => settings.max_length = written.integer(1, sink),
        symbol::MAX_LENGTH_BYTES => settings.max_length_bytes = written.integer(1, sink),
        symbol::OVERFLOW => {
            settings.overflow = parse_overflow(written, sink).unwrap_or(Overflow::RejectPublish);
        }
        symbol::DELIVERY_LIMIT => {
            settings.delivery_limit =
                parse_delivery_limit(written, sink).unwrap_or(DeliveryLimit::Default);
        }
        symbol::SINGLE_ACTIVE_CONSUMER => settings.single_active_consumer = written.flag(sink),
        symbol::MAX_PRIORITY => settings.max_priority = written.integer(1, sink),
        symbol::EXCLUSIVE => settings.exclusive = written.flag(sink),
        symbol::AUTO_DELETE => settings.auto_delete = written.flag(sink),
        symbol::TRANSIENT => settings.durable = !written.flag(sink),
        symbol::ARGUMENT => settings.arguments.extend(parse_argument(written, sink)),
        symbol::EXTERNAL => settings.external = written.flag(sink),
        _ => settings.lossy.extend(parse_lossy(written, sink)),
    }
}

fn parse_kind(
    settings: &mut model::Queue,
    kind: &mut Option<&'static str>,
    written: &Written,
    sink: &mut Sink,
) {
    if !written.flag(sink) {
        return;
    }
    if let Some(first) = kind {
        conflict("a queue", first, written.word, written.at(), sink);
    }
    *kind = Some(written.word);
    settings.kind = match written.word {
        symbol::CLASSIC => QueueKind::Classic,
        _ => QueueKind::Quorum,
    };
}

/// `overflow(reject_publish)`, `overflow(drop_head)`
fn parse_overflow(written: Written, sink: &mut Sink) -> Option<Overflow> {
    let path = written.path(sink)?;
    if path.is_ident(symbol::REJECT_PUBLISH) {
        Some(Overflow::RejectPublish)
    } else if path.is_ident(symbol::DROP_HEAD) {
        Some(Overflow::DropHead)
    } else {
        sink.error(
            path,
            "expected `reject_publish` or `drop_head` [unknown-option]",
        );
        None
    }
}

/// `delivery_limit = 20`, `delivery_limit(broker)`
fn parse_delivery_limit(written: Written, sink: &mut Sink) -> Option<DeliveryLimit> {
    if !written.is_list() {
        return written.integer(1, sink).map(DeliveryLimit::Count);
    }
    let path = written.path(sink)?;
    if path.is_ident(symbol::BROKER) {
        return Some(DeliveryLimit::Broker);
    }
    sink.error(
        path,
        "expected `delivery_limit = 20` or `delivery_limit(broker)` [unknown-option]",
    );
    None
}

/// `lossy(poison, ..)`
fn parse_lossy(written: Written, sink: &mut Sink) -> Vec<Loss> {
    let words = Loss::ALL.map(Loss::as_str);
    let mut causes = Vec::new();
    for argument in written.list(sink).unwrap_or_default() {
        let word = argument.word().map(ToString::to_string);
        let known = |loss: &Loss| {
            matches!(argument, Argument::Path(_)) && word.as_deref() == Some(loss.as_str())
        };
        match Loss::ALL.into_iter().find(known) {
            Some(loss) if causes.contains(&loss) => {
                let message = format!("`{}` is signed for twice [repeated-option]", loss.as_str());
                sink.error(argument, message);
            }
            Some(loss) => causes.push(loss),
            None => {
                let near = word.and_then(|word| nearest(&word, words));
                let help = near.map_or_else(String::new, |near| {
                    format!("\nhelp: did you mean `{near}`?")
                });
                let message = format!(
                    "expected a way to lose messages: `{}` [unknown-option]{help}",
                    words.join("`, `")
                );
                sink.error(argument, message);
            }
        }
    }
    causes
}
