//! What the items of the contract are called, and what a path in an attribute means.

use std::collections::HashMap;
use std::fmt;

use syn::{Ident, Path};

use crate::parse::label;
use crate::tree::{Data, Item, Module};

/// What an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Exchange,
    Queue,
    Message,
    Payload,
    Publisher,
    Handlers,
}

/// With its article, as a sentence needs it.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exchange => "an exchange",
            Self::Queue => "a queue",
            Self::Message => "a message",
            Self::Payload => "a payload",
            Self::Publisher => "a publisher",
            Self::Handlers => "a trait of handlers",
        })
    }
}

/// What a path means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// This one of the contract's exchanges, queues or messages.
    Known(usize),
    /// An item of the contract, with mistakes that were reported.
    Broken,
    /// An item that stands in the contract and was meant to be something: reported, and nothing is
    /// known of it.
    Lost,
    /// An item of the contract, of another kind.
    Other(Kind),
    /// No item of the contract: rustc knows whether there is one elsewhere.
    Foreign,
}

/// The items of the contract by name.
pub struct Names {
    items: HashMap<String, Named>,
    /// What describes the messages that are aliases.
    aliases: HashMap<String, Ident>,
}

#[derive(Clone, Copy)]
enum Named {
    Item {
        kind: Kind,
        index: usize,
        broken: bool,
    },
    Lost,
}

impl Names {
    pub fn of(module: &Module) -> Self {
        let mut names = HashMap::new();
        let mut aliases = HashMap::new();
        let mut counts = HashMap::new();
        for item in &module.items {
            let (ident, kind, broken) = match item {
                Item::Exchange(it) => (&it.item.ident, Kind::Exchange, it.broken),
                Item::Queue(it) => (&it.item.ident, Kind::Queue, it.broken),
                Item::Message(it) => (it.item.ident(), Kind::Message, it.broken),
                Item::Payload(it) => (it.item.ident(), Kind::Payload, false),
                Item::Publisher(it) => (&it.ident, Kind::Publisher, it.broken),
                Item::Handlers(it) => (&it.ident, Kind::Handlers, it.broken),
                Item::Other(it) => {
                    if let (Some(name), true) = (&it.name, it.broken) {
                        names.entry(label(name)).or_insert(Named::Lost);
                    }
                    continue;
                }
            };
            if let Item::Message(message) = item
                && let Data::Alias(_) = message.item
            {
                aliases.insert(label(ident), message.descriptor());
            }
            let next: &mut usize = counts.entry(kind.to_string()).or_default();
            let index = *next;
            *next += 1;
            names.entry(label(ident)).or_insert(Named::Item {
                kind,
                index,
                broken,
            });
        }
        Self {
            items: names,
            aliases,
        }
    }

    /// What describes the message that `path` means, where that is an alias.
    pub fn alias(&self, path: &Path) -> Option<&Ident> {
        self.aliases.get(&local_name(path)?)
    }

    /// What `path` means where an item of `wanted` kind is expected.
    pub fn meaning(&self, path: &Path, wanted: Kind) -> Meaning {
        let Some(name) = local_name(path) else {
            return Meaning::Foreign;
        };
        match self.items.get(&name) {
            None => Meaning::Foreign,
            Some(Named::Item { kind, .. }) if *kind != wanted => Meaning::Other(*kind),
            Some(Named::Lost) => Meaning::Lost,
            Some(Named::Item { broken: true, .. }) => Meaning::Broken,
            Some(Named::Item { index, .. }) => Meaning::Known(*index),
        }
    }
}

/// The name that a path has in the module itself: `Orders`, `self::Orders`. Whether it takes generic
/// arguments is for rustc to say.
fn local_name(path: &Path) -> Option<String> {
    if path.leading_colon.is_some() {
        return None;
    }
    let segments: Vec<_> = path.segments.iter().collect();
    match segments.as_slice() {
        [name] => Some(label(&name.ident)),
        [this, name] if this.ident == "self" => Some(label(&name.ident)),
        _ => None,
    }
}
