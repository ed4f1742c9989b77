//! The names of what is generated: derived visibly from the user's, and never taken already.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use quote::format_ident;
use syn::Ident;

use crate::parse::label;
use crate::sink::Sink;
use crate::tree::{Item, Module};

/// The publisher of a trait: `OrderEvents` gives `OrderEventsPublisher`.
pub fn publisher_type(name: &Ident) -> Ident {
    format_ident!("{}Publisher", name)
}

/// The functions that every publisher has of its own.
pub const PUBLISHER_FUNCTIONS: [&str; 5] = ["new", "with", "declare", "publish_all", "close"];

/// The function that makes a registry of a trait's implementation: `OrderHandlers` gives
/// `order_handlers`.
pub fn registry_function(name: &Ident) -> Ident {
    let snake = snake_case(&label(name));
    match syn::parse_str::<Ident>(&snake) {
        // Edition 2024 has a keyword of which syn knows nothing.
        Ok(_) if snake != "gen" => Ident::new(&snake, name.span()),
        // A keyword: `Match` gives `r#match`. The few that cannot be raw are names of no trait.
        _ => Ident::new_raw(&snake, name.span()),
    }
}

fn snake_case(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut snake = String::new();
    for (at, c) in chars.iter().enumerate() {
        let follows_lower = at > 0 && !chars[at - 1].is_uppercase() && chars[at - 1] != '_';
        // The last capital of a run begins a word: `HTTPHandlers` gives `http_handlers`.
        let begins_word = at > 0
            && chars[at - 1].is_uppercase()
            && chars.get(at + 1).is_some_and(|next| next.is_lowercase());
        if c.is_uppercase() && (follows_lower || begins_word) {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    snake
}

/// Reports names of generated items that are taken; those are not generated again.
pub fn check_generated_names(module: &mut Module, sink: &mut Sink) {
    let mut types = HashMap::new();
    let mut functions =
        HashMap::from([("contract".to_owned(), "as every contract does".to_owned())]);
    for (name, is_function) in module.items.iter().filter_map(written_name) {
        let names = if is_function {
            &mut functions
        } else {
            &mut types
        };
        names.insert(label(name), "which the contract has already".to_owned());
    }
    for item in &mut module.items {
        let (owner, is_taken, what, generated, names) = match item {
            Item::Publisher(it) => {
                let generated = publisher_type(&it.ident);
                (&it.ident, &mut it.is_taken, "type", generated, &mut types)
            }
            Item::Handlers(it) => {
                let generated = registry_function(&it.ident);
                (
                    &it.ident,
                    &mut it.is_taken,
                    "function",
                    generated,
                    &mut functions,
                )
            }
            _ => continue,
        };
        match names.entry(label(&generated)) {
            Entry::Occupied(taken) => {
                let taken = taken.get();
                let message = format!(
                    "`{owner}` gives rise to {what} `{generated}`, {taken}\nhelp: give `{owner}` another name"
                );
                sink.error(owner, message);
                *is_taken = true;
            }
            Entry::Vacant(free) => {
                free.insert(format!("as `{owner}` does"));
            }
        }
    }
}

/// The name of an item, and whether it is that of a function.
fn written_name(item: &Item) -> Option<(&Ident, bool)> {
    Some(match item {
        Item::Exchange(it) => (&it.item.ident, false),
        Item::Queue(it) => (&it.item.ident, false),
        Item::Message(it) => (it.item.ident(), false),
        Item::Payload(it) => (it.item.ident(), false),
        Item::Publisher(it) => (&it.ident, false),
        Item::Handlers(it) => (&it.ident, false),
        Item::Other(it) => (it.name.as_ref()?, it.is_function),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_name() {
        assert_eq!(snake_case("OrderHandlers"), "order_handlers");
        assert_eq!(snake_case("HTTPHandlers"), "http_handlers");
        assert_eq!(snake_case("V2Handlers"), "v2_handlers");
        assert_eq!(snake_case("Orders_Handlers"), "orders_handlers");
    }

    #[test]
    fn a_keyword_becomes_raw() {
        let name = syn::parse_str::<Ident>("Match").unwrap();
        assert_eq!(registry_function(&name).to_string(), "r#match");
        let name = syn::parse_str::<Ident>("Gen").unwrap();
        assert_eq!(registry_function(&name).to_string(), "r#gen");
    }
}
