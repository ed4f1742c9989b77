//! The tree to the model, with the tokens that each part of the model came from.
//!
//! What could not be understood is *poisoned*: it stands in the model, so that what refers to it
//! finds something, but nothing that is found about it is reported.

mod entity;
mod operation;
mod reference;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use contract_core::Contract;
use contract_core::finding::{Entity, Part, Site};
use proc_macro2::TokenStream;
use quote::ToTokens;

pub use self::reference::Reference;
use crate::names::Names;
use crate::parse::label;
use crate::sink::Sink;
use crate::symbol;
use crate::tree::{Item, Module, Words};

/// A contract with what its source has to do with it.
pub struct Lowered {
    pub contract: Contract,
    pub poisoned: HashSet<Entity>,
    /// A part of the topology is poisoned: nothing can be said of it as a whole.
    pub incomplete: bool,
    /// Every path that the user wrote where an entity is expected, and that may be one.
    pub references: Vec<Reference>,
    places: HashMap<Site, TokenStream>,
}

impl Lowered {
    /// The tokens to complain at.
    pub fn place(&self, site: Site) -> TokenStream {
        // What is not written is blamed on what it belongs to.
        let wider = match site.part {
            Part::RetryOption(symbol::MAX_DELAY) => {
                &[Part::RetryOption(symbol::INITIAL_DELAY), Part::Retry][..]
            }
            Part::RetryOption(_) => &[Part::Retry],
            _ => &[],
        };
        let parts = [site.part]
            .into_iter()
            .chain(wider.iter().copied())
            .chain([Part::Whole]);
        let mut places = parts.filter_map(|part| self.places.get(&site.entity.at(part)));
        places.next().cloned().unwrap_or_default()
    }
}

/// Makes the model; tells each method of the tree where the model has it.
pub fn lower(module: &mut Module, names: &Names, sink: &mut Sink) -> Lowered {
    let mut lowering = Lowering {
        lowered: Lowered {
            contract: Contract::new(label(&module.ident)),
            poisoned: HashSet::new(),
            incomplete: false,
            references: Vec::new(),
            places: HashMap::new(),
        },
        names,
        sink,
    };
    lowering.declare(&mut module.items);
    for item in &mut module.items {
        lowering.item(item);
    }
    let mut lowered = lowering.lowered;
    let is_lost = |item: &Item| matches!(item, Item::Other(other) if other.broken);
    let is_topology = |entity: &Entity| matches!(entity, Entity::Exchange(_) | Entity::Queue(_));
    lowered.incomplete =
        module.items.iter().any(is_lost) || lowered.poisoned.iter().any(is_topology);
    lowered
}

struct Lowering<'l> {
    lowered: Lowered,
    names: &'l Names,
    sink: &'l mut Sink,
}

impl Lowering<'_> {
    /// What others refer to comes first, by name; what it refers to in turn follows.
    fn declare(&mut self, items: &mut [Item]) {
        let contract = &mut self.lowered.contract;
        for item in items {
            match item {
                Item::Exchange(exchange) => {
                    exchange.index = contract.exchanges.len();
                    contract.exchanges.push(exchange.settings.clone());
                }
                Item::Queue(queue) => {
                    queue.index = contract.queues.len();
                    contract.queues.push(queue.settings.clone());
                }
                Item::Message(message) => {
                    message.index = contract.messages.len();
                    contract.messages.push(message.settings.clone());
                }
                _ => {}
            }
        }
    }

    fn item(&mut self, item: &mut Item) {
        match item {
            Item::Exchange(exchange) => self.exchange(exchange),
            Item::Queue(queue) => self.queue(queue),
            Item::Message(message) => self.message(message),
            Item::Publisher(publisher) => self.publisher(publisher),
            Item::Handlers(handlers) => self.handlers(handlers),
            Item::Payload(_) | Item::Other(_) => {}
        }
    }

    fn place(&mut self, entity: Entity, part: Part, tokens: impl ToTokens) {
        let tokens = tokens.into_token_stream();
        self.lowered.places.insert(entity.at(part), tokens);
    }

    /// Places every option that was written, by its word; raw arguments by their position as well.
    fn words(&mut self, entity: Entity, words: &Words) {
        let mut arguments = 0;
        for (word, at) in words {
            self.place(entity, Part::Option(word), at);
            if *word == symbol::RETRY {
                self.place(entity, Part::Retry, at);
            }
            if *word == symbol::ARGUMENT {
                self.place(entity, Part::Argument(arguments), at);
                arguments += 1;
            }
        }
    }

    fn poison(&mut self, entity: Entity) {
        self.lowered.poisoned.insert(entity);
    }
}
