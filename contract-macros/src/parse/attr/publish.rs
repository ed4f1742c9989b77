//! `#[publish(Exchange, ..)]`

use contract_core::key::KeyTemplate;
use contract_core::model::PublishKey;
use contract_core::name::RoutingKey;
use syn::{Attribute, Lit, LitStr};

use super::argument::{Argument, parse_arguments};
use super::option::{Choice, Written, known_options, name, once, repeated, report_first};
use crate::sink::Sink;
use crate::symbol;
use crate::tree::{Key, Publish};

static CHOICES: &[Choice] = &[
    repeated(symbol::HEADER, "header(\"name\", literal)"),
    once(symbol::EXPIRATION, "expiration = \"5s\""),
    once(symbol::EXTERNAL, "external"),
    once(symbol::LOSSY, "lossy(unroutable)"),
];

/// Reads the attribute: where a method publishes.
pub fn parse_publish(attr: &Attribute, sink: &mut Sink) -> Publish {
    let mut publish = Publish::default();
    let mut arguments = parse_arguments(attr, sink);
    if let Some(Argument::Path(exchange)) = arguments.first().cloned() {
        publish.exchange = Some(exchange);
        arguments.remove(0);
    } else {
        let message = "the exchange comes first: `#[publish(Exchange)]`";
        report_first(attr, &arguments, message, sink);
    }
    if let Some(Argument::Literal(Lit::Str(lit))) = arguments.first().cloned() {
        publish.key = parse_key(&lit, sink);
        arguments.remove(0);
    }
    for written in known_options("`#[publish(..)]`", CHOICES, arguments, sink) {
        parse_option(&mut publish, written, sink);
    }
    publish
}

/// A key, or one with fields: `"order.{region}.created"`.
fn parse_key(lit: &LitStr, sink: &mut Sink) -> Key {
    let key = if lit.value().contains(['{', '}']) {
        let template = |text: String| KeyTemplate::parse(&text).map(PublishKey::Template);
        name(lit, template, sink)
    } else {
        let fixed = |text| RoutingKey::new(text).map(PublishKey::Fixed);
        name(lit, fixed, sink)
    };
    key.map_or(Key::Broken, Key::Written)
}

fn parse_option(publish: &mut Publish, written: Written, sink: &mut Sink) {
    publish.words.push(written.place());
    match written.word {
        symbol::HEADER => publish.headers.extend(written.pair(sink)),
        symbol::EXPIRATION => publish.expiration = written.duration(sink),
        symbol::EXTERNAL => publish.external = written.flag(sink),
        _ => {
            publish.lossy_unroutable = written.path(sink).is_some_and(|cause| {
                let known = cause.is_ident(symbol::UNROUTABLE);
                if !known {
                    sink.error(cause, "expected `lossy(unroutable)` [unknown-option]");
                }
                known
            });
        }
    }
}
