//! `#[message("name", ..)]` and the attributes that have no options.

use std::fmt;

use contract_core::model;
use contract_core::name::RoutingKey;
use quote::ToTokens;
use syn::Attribute;

use super::super::item::{label, mark};
use super::argument::parse_arguments;
use super::option::{Choice, Written, known_options, once, take_name};
use crate::sink::Sink;
use crate::symbol;
use crate::tree::{Data, Message};

const USAGE: &str = "#[message(\"name\")]";

static CHOICES: &[Choice] = &[
    once(symbol::VERSION, "version = 2"),
    once(symbol::DERIVE, "derive(none)"),
];
static NO_OPTIONS: &[Choice] = &[];

/// Reads the attribute that stands on `item`.
pub fn parse_message(attr: &Attribute, item: Data, sink: &mut Sink) -> Message {
    let mut arguments = parse_arguments(attr, sink);
    let name = take_name(attr, USAGE, &mut arguments, message_name, sink);
    let ident = item.ident();
    let mut settings = model::Message::new(match &name {
        Some(name) => name.value.clone(),
        None => ident.to_string(),
    });
    settings.label = label(ident);
    let name_at = name.map_or_else(|| ident.to_token_stream(), |name| name.at);
    // What an alias stands for derives what it derives.
    let is_alias = matches!(item, Data::Alias(_));
    let mut derive = !is_alias;
    for written in known_options("`#[message(..)]`", CHOICES, arguments, sink) {
        match written.word {
            symbol::VERSION => settings.version = written.integer(1, sink).unwrap_or(1),
            _ if is_alias => {
                let message =
                    "an alias derives nothing [misplaced-option]\nhelp: leave `derive` out";
                sink.error(written.at(), message);
            }
            _ => derive = parse_derive(written, sink),
        }
    }
    Message {
        mark: mark(attr),
        settings,
        name_at,
        derive,
        broken: false,
        index: 0,
        item,
    }
}

/// A message's name is its routing key, unless something else is said, so it has to be one.
fn message_name(text: String) -> Result<String, Box<dyn fmt::Display>> {
    if text.is_empty() {
        return Err(Box::new("the name is empty"));
    }
    match RoutingKey::new(text) {
        Ok(key) => Ok(key.into()),
        Err(error) => Err(Box::new(error)),
    }
}

/// `derive(none)`
fn parse_derive(written: Written, sink: &mut Sink) -> bool {
    match written.path(sink) {
        Some(path) if path.is_ident(symbol::NONE) => false,
        Some(other) => {
            sink.error(other, "expected `derive(none)` [unknown-option]");
            true
        }
        None => true,
    }
}

/// Reads an attribute that has no options: `#[publisher]`.
pub fn parse_plain(attr: &Attribute, sink: &mut Sink) {
    let arguments = parse_arguments(attr, sink);
    let place = format!("`#[{}]`", mark(attr));
    known_options(&place, NO_OPTIONS, arguments, sink);
}
