//! The items of the module: which are ours, and what stands on what.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Attribute, Fields, Generics, Ident, Path};

use super::attr::{parse_exchange, parse_message, parse_plain, parse_queue};
use super::recover::{parse_data_in_part, parse_or_skip};
use super::trait_item::{CONSUMES, PUBLISHES, parse_trait};
use crate::cfg::{self, Configuration};
use crate::sink::Sink;
use crate::symbol;
use crate::tree::{Data, Item, Other, Payload};

/// Reads one item, whatever it is; none if it is configured away.
pub fn parse_item(
    input: ParseStream<'_>,
    configuration: &mut Configuration,
    sink: &mut Sink,
) -> Option<Item> {
    let before = sink.count();
    let attrs = match parse_or_skip(input, Attribute::parse_outer) {
        Ok(attrs) => attrs,
        // rustc says what is wrong with it.
        Err((tokens, _)) => return Some(Item::Other(passed(tokens))),
    };
    if !attrs.iter().any(|attr| cfg::may_be(attr, &is_ours)) {
        return Some(Item::Other(parse_other(&attrs, input)));
    }
    let Some(mut attrs) = configuration.apply(attrs) else {
        parse_other(&[], input);
        return None;
    };
    let Some(mark) = take_mark(&mut attrs, sink) else {
        return Some(Item::Other(parse_other(&attrs, input)));
    };
    let mut item = parse_marked(&mark, &attrs, input, configuration, sink);
    if sink.count() > before {
        item.break_data();
    }
    Some(item)
}

/// The word of an attribute of ours.
pub fn mark(attr: &Attribute) -> Ident {
    match attr.path().get_ident() {
        Some(ident) => ident.clone(),
        None => Ident::new(symbol::QUEUE, attr.span()),
    }
}

/// What people call the item: its name without `r#`.
pub fn label(ident: &Ident) -> String {
    ident.unraw().to_string()
}

fn is_ours(path: &Path) -> bool {
    symbol::HELPERS.iter().any(|helper| path.is_ident(helper))
}

/// Takes our attribute from those of an item or a method. There is one: a second is reported.
pub fn take_mark(attrs: &mut Vec<Attribute>, sink: &mut Sink) -> Option<Attribute> {
    let marks: Vec<Attribute> = attrs.extract_if(.., |attr| is_ours(attr.path())).collect();
    let mut marks = marks.into_iter();
    let first = marks.next()?;
    for more in marks {
        let (first, word) = (mark(&first), mark(&more));
        let message = if first == word {
            format!("`#[{word}]` is written twice [repeated-option]\nhelp: keep one of the two")
        } else {
            format!(
                "`#[{first}]` and `#[{word}]` exclude each other [conflicting-options]\nhelp: keep one of the two"
            )
        };
        sink.error(word, message);
    }
    Some(first)
}

fn passed(tokens: TokenStream) -> Other {
    Other {
        tokens,
        name: None,
        is_function: false,
        broken: false,
    }
}

/// An item that is not ours.
fn parse_other(attrs: &[Attribute], input: ParseStream<'_>) -> Other {
    let attrs = quote!(#(#attrs)*);
    match parse_or_skip(input, syn::Item::parse) {
        Ok(item) => Other {
            name: name_of(&item).cloned(),
            is_function: matches!(item, syn::Item::Fn(_)),
            tokens: quote!(#attrs #item),
            broken: false,
        },
        // What syn does not know rustc may, and else says so itself.
        Err((tokens, _)) => passed(quote!(#attrs #tokens)),
    }
}

fn name_of(item: &syn::Item) -> Option<&Ident> {
    match item {
        syn::Item::Const(item) => Some(&item.ident),
        syn::Item::Enum(item) => Some(&item.ident),
        syn::Item::Fn(item) => Some(&item.sig.ident),
        syn::Item::Mod(item) => Some(&item.ident),
        syn::Item::Static(item) => Some(&item.ident),
        syn::Item::Struct(item) => Some(&item.ident),
        syn::Item::Trait(item) => Some(&item.ident),
        syn::Item::TraitAlias(item) => Some(&item.ident),
        syn::Item::Type(item) => Some(&item.ident),
        syn::Item::Union(item) => Some(&item.ident),
        _ => None,
    }
}

/// An item that carries one of our attributes.
fn parse_marked(
    attr: &Attribute,
    attrs: &[Attribute],
    input: ParseStream<'_>,
    configuration: &mut Configuration,
    sink: &mut Sink,
) -> Item {
    let word = mark(attr);
    let parsed = if word == symbol::PUBLISHER {
        parse_plain(attr, sink);
        parse_or_skip(input, |input| {
            parse_trait(&PUBLISHES, &word, attrs, input, configuration, sink)
        })
        .map(Item::Publisher)
    } else if word == symbol::HANDLERS {
        parse_plain(attr, sink);
        parse_or_skip(input, |input| {
            parse_trait(&CONSUMES, &word, attrs, input, configuration, sink)
        })
        .map(Item::Handlers)
    } else {
        parse_or_skip(input, syn::Item::parse)
            .map(|item| parse_data(attr, attrs.to_vec(), item, sink))
    };
    parsed.unwrap_or_else(|(tokens, error)| {
        sink.push(error);
        match parse_data_in_part.parse2(tokens.clone()) {
            Ok(item) => parse_data(attr, attrs.to_vec(), item, sink),
            // It does not go out again: what rustc could not read either would cost the module.
            Err(_) => Item::Other(Other {
                name: name_among(tokens),
                broken: true,
                ..passed(TokenStream::new())
            }),
        }
    })
}

/// The name of an item that cannot be read: what follows its keyword.
fn name_among(tokens: TokenStream) -> Option<Ident> {
    let is_keyword = |token: &TokenTree| match token {
        TokenTree::Ident(word) => ["struct", "enum", "trait"].iter().any(|it| word == it),
        _ => false,
    };
    let mut rest = tokens.into_iter().skip_while(|token| !is_keyword(token));
    match rest.nth(1)? {
        TokenTree::Ident(name) => Some(name),
        _ => None,
    }
}

/// A type that carries one of our attributes.
fn parse_data(attr: &Attribute, attrs: Vec<Attribute>, item: syn::Item, sink: &mut Sink) -> Item {
    let word = mark(attr);
    if word == symbol::EXCHANGE || word == symbol::QUEUE {
        return parse_entity(attr, attrs, item, sink);
    }
    if word == symbol::PUBLISH || word == symbol::CONSUME {
        let owner = if word == symbol::PUBLISH {
            symbol::PUBLISHER
        } else {
            symbol::HANDLERS
        };
        let message = format!(
            "`#[{word}]` belongs on a method of a trait that is marked `#[{owner}]` [misplaced-option]"
        );
        return misplaced(&word, &attrs, item, &message, sink);
    }
    let mut data = match item {
        syn::Item::Struct(item) => Data::Struct(item),
        syn::Item::Enum(item) => Data::Enum(item),
        syn::Item::Type(item) if word == symbol::MESSAGE => Data::Alias(item),
        other => {
            let message = format!("`#[{word}]` belongs on a struct or an enum [misplaced-option]");
            return misplaced(&word, &attrs, other, &message, sink);
        }
    };
    data.attrs_mut().splice(0..0, attrs);
    if word == symbol::PAYLOAD {
        parse_plain(attr, sink);
        return Item::Payload(Payload {
            mark: word,
            item: data,
        });
    }
    if let Some(generic) = generic(data.generics()) {
        let message = if data.generics().type_params().next().is_some() {
            format!(
                "a message has no type parameters: its name stands for one schema\n\
                 help: leave `#[message]` off, and give each a name: `#[message(\"..\")] type Name = {}<Type>;`",
                data.ident()
            )
        } else if data.generics().lifetimes().next().is_some() {
            "a message has no lifetimes: it outlives the bytes that it is read from\n\
             help: write types that own what they hold, such as `String` for `&str`"
                .to_owned()
        } else {
            "a message has no generics: its name stands for one schema".to_owned()
        };
        sink.error(generic, message);
        let name = Some(data.ident().clone());
        return Item::Other(Other {
            name,
            broken: true,
            ..passed(data.into_tokens())
        });
    }
    Item::Message(parse_message(attr, data, sink))
}

/// `#[exchange(..)]` and `#[queue(..)]`: on a unit struct.
fn parse_entity(attr: &Attribute, attrs: Vec<Attribute>, item: syn::Item, sink: &mut Sink) -> Item {
    let word = mark(attr);
    let mut item = match item {
        syn::Item::Struct(item) if generic(&item.generics).is_none() => item,
        other => {
            let message = format!(
                "`#[{word}]` belongs on a unit struct [misplaced-option]\n\
                 help: write it on `pub struct Name;`"
            );
            return misplaced(&word, &attrs, other, &message, sink);
        }
    };
    item.attrs.splice(0..0, attrs);
    if !matches!(item.fields, Fields::Unit) {
        let ident = &item.ident;
        let message = format!(
            "`#[{word}]` belongs on a unit struct [misplaced-option]\nhelp: write `struct {ident};`"
        );
        sink.error(&item.fields, message);
    }
    if word == symbol::EXCHANGE {
        Item::Exchange(parse_exchange(attr, item, sink))
    } else {
        Item::Queue(parse_queue(attr, item, sink))
    }
}

/// What makes something generic.
fn generic(generics: &Generics) -> Option<TokenStream> {
    let clause = &generics.where_clause;
    (!generics.params.is_empty() || clause.is_some()).then(|| quote!(#generics #clause))
}

/// An item under an attribute that does not belong there: goes out without it.
fn misplaced(
    word: &Ident,
    attrs: &[Attribute],
    mut item: syn::Item,
    message: &str,
    sink: &mut Sink,
) -> Item {
    sink.error(word, message);
    if let syn::Item::Trait(item) = &mut item {
        for member in &mut item.items {
            if let syn::TraitItem::Fn(method) = member {
                method.attrs.retain(|attr| !is_ours(attr.path()));
            }
        }
    }
    Item::Other(Other {
        name: name_of(&item).cloned(),
        is_function: matches!(item, syn::Item::Fn(_)),
        tokens: quote!(#(#attrs)* #item),
        broken: true,
    })
}
