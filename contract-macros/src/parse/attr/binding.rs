//! `bind(..)` and `argument(..)`, which exchanges and queues share.

use contract_core::model::{Argument as RawArgument, HeaderMatch, Literal};
use contract_core::name::Pattern;
use quote::ToTokens;
use syn::Lit;

use super::argument::Argument;
use super::option::{Choice, Written, known_options, literal, name, repeated, shown};
use crate::sink::Sink;
use crate::symbol;
use crate::tree::{Bind, BindKey, Located};

const USAGE: &str = "`bind(Exchange)`, `bind(Exchange, \"key\")`, `bind(Exchange, MessageType)`, \
    `bind(Exchange, all(header(\"name\", \"value\")))`";

/// `bind(Exchange)`, `bind(Exchange, "pattern")`, `bind(Exchange, MessageType)`,
/// `bind(Exchange, all(header("k", v), ..))`, `bind(Exchange, any(..))`
pub fn parse_bind(written: Written, sink: &mut Sink) -> Option<Bind> {
    let at = written.at();
    if let Some([Argument::Path(exchange), ..]) = written.half() {
        // The exchange is there: rustc and editors may know it.
        let (exchange, key) = (exchange.clone(), BindKey::None);
        return Some(Bind { exchange, key });
    }
    let mut arguments = written.list(sink)?.into_iter();
    let exchange = match arguments.next() {
        Some(Argument::Path(path)) => path,
        Some(other) => {
            let message = format!("the exchange comes first: `{}`", "bind(Exchange, ..)");
            sink.error(other, message);
            return None;
        }
        None => {
            sink.error(at, format!("expected one of: {USAGE}"));
            return None;
        }
    };
    let key = match arguments.next() {
        None => BindKey::None,
        Some(Argument::Literal(Lit::Str(lit))) => BindKey::Pattern(name(&lit, Pattern::new, sink)?),
        Some(Argument::Path(message)) => BindKey::Message(message),
        Some(list @ (Argument::List(..) | Argument::HalfList(..))) => {
            BindKey::Headers(parse_headers(list, sink)?)
        }
        Some(other) => {
            sink.error(
                &other,
                format!(
                    "`{}` is no binding key\nexpected one of: {USAGE}",
                    shown(&other)
                ),
            );
            return None;
        }
    };
    if let Some(more) = arguments.next() {
        sink.error(
            more,
            "a binding has one key\nhelp: write a `bind(..)` for each",
        );
        return None;
    }
    Some(Bind { exchange, key })
}

static HEADER: &[Choice] = &[repeated(symbol::HEADER, "header(\"name\", literal)")];
static MATCHES: &[Choice] = &[
    repeated(symbol::ALL, "all(header(\"name\", literal), ..)"),
    repeated(symbol::ANY, "any(header(\"name\", literal), ..)"),
];

fn parse_headers(list: Argument, sink: &mut Sink) -> Option<Located<HeaderMatch>> {
    let at = list.to_token_stream();
    let written = known_options("a binding", MATCHES, vec![list], sink).pop()?;
    let all = written.word == symbol::ALL;
    let before = sink.count();
    let headers: Vec<(String, Literal)> =
        known_options(written.word, HEADER, written.list(sink)?, sink)
            .into_iter()
            .filter_map(|header| header.pair(sink))
            .collect();
    if headers.is_empty() && sink.count() == before {
        sink.error(
            &at,
            "no headers to look for\nhelp: write them: `all(header(\"name\", \"value\"))`",
        );
    }
    (sink.count() == before).then(|| Located {
        value: HeaderMatch::new(all, headers),
        at,
    })
}

const ARGUMENT_USAGE: &str = "argument(\"x-key\", literal)";

/// `argument("x-key", literal)`, `argument("x-key", literal, unchecked)`
pub fn parse_argument(written: Written, sink: &mut Sink) -> Option<RawArgument> {
    let at = written.at();
    let arguments = written.list(sink)?;
    let (key, value, unchecked) = match arguments.as_slice() {
        [Argument::Literal(Lit::Str(key)), Argument::Literal(value)] => (key, value, false),
        [
            Argument::Literal(Lit::Str(key)),
            Argument::Literal(value),
            Argument::Path(word),
        ] if word.is_ident(symbol::UNCHECKED) => (key, value, true),
        _ => {
            sink.error(at, format!("expected `{ARGUMENT_USAGE}`"));
            return None;
        }
    };
    let mut argument = RawArgument::new(key.value(), literal(value, ARGUMENT_USAGE, sink)?);
    argument.unchecked = unchecked;
    Some(argument)
}
