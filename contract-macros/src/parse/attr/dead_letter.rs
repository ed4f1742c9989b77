//! `dead_letter`, `dead_letter(..)`

use contract_core::model::DeadLetterOwner;
use contract_core::name::RoutingKey;
use syn::Lit;

use super::argument::Argument;
use super::option::{Choice, Written, conflict, known_options, name, once};
use crate::sink::Sink;
use crate::symbol;
use crate::tree::DeadLetter;

static CHOICES: &[Choice] = &[
    once(symbol::EXTERNAL, "external"),
    once(symbol::BY_POLICY, "by_policy"),
];

/// `dead_letter` alone is derived; else an exchange, with or without a key, and who owns the way.
pub fn parse_dead_letter(written: Written, sink: &mut Sink) -> Option<DeadLetter> {
    let at = written.at();
    if written.is_word() {
        return Some(DeadLetter::Derived { at });
    }
    if let Some([Argument::Path(exchange), ..]) = written.half() {
        return Some(DeadLetter::To {
            exchange: exchange.clone(),
            key: None,
            owner: DeadLetterOwner::Contract,
        });
    }
    let mut arguments = written.list(sink)?;
    let Some(Argument::Path(exchange)) = arguments.first().cloned() else {
        sink.error(
            at,
            "expected the exchange: `dead_letter(Exchange, \"key\")`\n\
             help: `dead_letter` alone makes an exchange and a queue for it",
        );
        return None;
    };
    arguments.remove(0);
    let key = match arguments.first() {
        Some(Argument::Literal(Lit::Str(lit))) => {
            let lit = lit.clone();
            arguments.remove(0);
            Some(name(&lit, RoutingKey::new, sink)?)
        }
        _ => None,
    };
    Some(DeadLetter::To {
        exchange,
        key,
        owner: parse_owner(arguments, sink),
    })
}

fn parse_owner(arguments: Vec<Argument>, sink: &mut Sink) -> DeadLetterOwner {
    let mut owner = DeadLetterOwner::Contract;
    for written in known_options("`dead_letter(..)`", CHOICES, arguments, sink) {
        if !written.flag(sink) {
            continue;
        }
        if owner != DeadLetterOwner::Contract {
            let (first, second) = (symbol::EXTERNAL, symbol::BY_POLICY);
            conflict("a dead letter", first, second, written.at(), sink);
        }
        owner = match written.word {
            symbol::EXTERNAL => DeadLetterOwner::External,
            _ => DeadLetterOwner::Policy,
        };
    }
    owner
}
