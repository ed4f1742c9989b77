//! `#[consume(Queue, ..)]`

use syn::Attribute;

use super::argument::{Argument, parse_arguments};
use super::option::{Choice, known_options, once, report_first};
use crate::sink::Sink;
use crate::symbol;
use crate::tree::Consume;

static CHOICES: &[Choice] = &[
    once(symbol::CONCURRENCY, "concurrency = 16"),
    once(symbol::PREFETCH, "prefetch = 64"),
    once(symbol::TIMEOUT, "timeout = \"30s\""),
    once(symbol::PRIORITY, "priority = 1"),
    once(symbol::EXCLUSIVE, "exclusive"),
];

/// Reads the attribute: what a method consumes, and how.
pub fn parse_consume(attr: &Attribute, sink: &mut Sink) -> Consume {
    let mut consume = Consume::default();
    let mut arguments = parse_arguments(attr, sink);
    if let Some(Argument::Path(queue)) = arguments.first().cloned() {
        consume.queue = Some(queue);
        arguments.remove(0);
    } else {
        let message = "the queue comes first: `#[consume(Queue)]`";
        report_first(attr, &arguments, message, sink);
    }
    for written in known_options("`#[consume(..)]`", CHOICES, arguments, sink) {
        consume.words.push(written.place());
        match written.word {
            symbol::CONCURRENCY => consume.concurrency = written.integer(0, sink),
            symbol::PREFETCH => consume.prefetch = written.integer(0, sink),
            symbol::TIMEOUT => consume.timeout = written.duration(sink),
            symbol::PRIORITY => consume.priority = written.integer(i32::MIN, sink),
            _ => consume.exclusive = written.flag(sink),
        }
    }
    consume
}
