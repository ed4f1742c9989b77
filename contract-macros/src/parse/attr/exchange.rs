//! `#[exchange("name", KIND, ..)]`

use contract_core::model::{self, ExchangeKind};
use contract_core::name::ExchangeName;
use quote::ToTokens;
use syn::{Attribute, ItemStruct};

use super::super::item::{label, mark};
use super::argument::parse_arguments;
use super::binding::{parse_argument, parse_bind};
use super::option::{Choice, Written, conflict, known_options, once, repeated, take_name};
use crate::sink::Sink;
use crate::symbol;
use crate::tree::Exchange;

const PLACE: &str = "`#[exchange(..)]`";
const USAGE: &str = "#[exchange(\"name\", topic)]";

static CHOICES: &[Choice] = &[
    once(symbol::TOPIC, "topic"),
    once(symbol::DIRECT, "direct"),
    once(symbol::FANOUT, "fanout"),
    once(symbol::HEADERS, "headers"),
    once(symbol::CUSTOM, "custom(\"x-type\")"),
    once(symbol::TRANSIENT, "transient"),
    once(symbol::AUTO_DELETE, "auto_delete"),
    once(symbol::INTERNAL, "internal"),
    once(symbol::ALTERNATE, "alternate(Exchange)"),
    repeated(symbol::BIND, "bind(Exchange, \"key\")"),
    repeated(symbol::ARGUMENT, "argument(\"x-key\", literal)"),
    once(symbol::EXTERNAL, "external"),
];

/// Reads the attribute that stands on `item`.
pub fn parse_exchange(attr: &Attribute, item: ItemStruct, sink: &mut Sink) -> Exchange {
    let before = sink.count();
    let mut arguments = parse_arguments(attr, sink);
    let name = take_name(attr, USAGE, &mut arguments, ExchangeName::new, sink);
    let settings = model::Exchange::new(
        name.as_ref()
            .map_or_else(|| fallback(&item), |name| name.value.clone()),
        ExchangeKind::Topic,
    );
    let mut exchange = Exchange {
        mark: mark(attr),
        name_at: name.map_or_else(|| item.ident.to_token_stream(), |name| name.at),
        settings,
        words: Vec::new(),
        alternate: None,
        bindings: Vec::new(),
        broken: false,
        index: 0,
        item,
    };
    exchange.settings.label = label(&exchange.item.ident);
    let mut kind = None;
    for written in known_options(PLACE, CHOICES, arguments, sink) {
        parse_option(&mut exchange, &mut kind, written, sink);
    }
    if kind.is_none() && sink.count() == before {
        let message = format!(
            "exchange `{}` has no kind\nhelp: write `topic`, `direct`, `fanout` or `headers` after its name",
            exchange.settings.name
        );
        sink.error(&exchange.name_at, message);
    }
    if let Some((_, kind)) = kind {
        exchange.settings.kind = kind;
    }
    exchange
}

/// What stands for the name while there is none.
fn fallback(item: &ItemStruct) -> ExchangeName {
    ExchangeName::new(item.ident.to_string()).unwrap_or(ExchangeName::literal("unnamed"))
}

fn parse_option(exchange: &mut Exchange, kind: &mut Kind, written: Written, sink: &mut Sink) {
    exchange.words.push(written.place());
    let settings = &mut exchange.settings;
    match written.word {
        symbol::TRANSIENT => settings.durable = !written.flag(sink),
        symbol::AUTO_DELETE => settings.auto_delete = written.flag(sink),
        symbol::INTERNAL => settings.internal = written.flag(sink),
        symbol::EXTERNAL => settings.external = written.flag(sink),
        symbol::ALTERNATE => exchange.alternate = written.path(sink),
        symbol::BIND => exchange.bindings.extend(parse_bind(written, sink)),
        symbol::ARGUMENT => settings.arguments.extend(parse_argument(written, sink)),
        _ => parse_kind(kind, written, sink),
    }
}

/// The kind and the word that said it.
type Kind = Option<(&'static str, ExchangeKind)>;

fn parse_kind(kind: &mut Kind, written: Written, sink: &mut Sink) {
    let (word, at) = (written.word, written.word_at());
    let parsed = match word {
        symbol::TOPIC => written.flag(sink).then_some(ExchangeKind::Topic),
        symbol::DIRECT => written.flag(sink).then_some(ExchangeKind::Direct),
        symbol::FANOUT => written.flag(sink).then_some(ExchangeKind::Fanout),
        symbol::HEADERS => written.flag(sink).then_some(ExchangeKind::Headers),
        _ => written
            .text(sink)
            .map(|text| ExchangeKind::Custom(text.value())),
    };
    let Some(parsed) = parsed else { return };
    match kind {
        None => *kind = Some((word, parsed)),
        Some((first, _)) => conflict("an exchange", first, word, at, sink),
    }
}
