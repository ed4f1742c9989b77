//! `#[cfg]` and `#[cfg_attr]` on the items of a contract: rustc says which hold, and the contract is
//! what is left.
//!
//! A macro sees its input before rustc has looked at the `#[cfg]`s inside it. So a contract that has
//! any goes round once: it comes out as it came in, under `#[contract(..)]` again, `#[__cfg]`, and
//! `#[cfg_attr(P, __cfg(P))]` for each predicate `P`. rustc looks at these first, because they stand
//! on the module itself, and whatever `__cfg(P)` comes back holds.

use std::collections::HashSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Path, PathSegment, Token};

use crate::symbol;

/// What is known of the predicates.
pub enum Configuration {
    /// Nothing yet: these are to be asked, and until then all count as true.
    Asking(Vec<TokenStream>),
    /// These are true and others are not.
    Holding(HashSet<String>),
    /// An editor may not look at `#[cfg_attr]` here as rustc does: it is shown everything.
    Unknown,
}

impl Configuration {
    /// Takes the answers from the attributes of the module.
    pub fn take(attrs: &mut Vec<Attribute>) -> Self {
        let mut holding = HashSet::new();
        let (mut is_answer, mut is_unknown) = (false, false);
        attrs.retain(|attr| {
            if attr.path().is_ident(symbol::CFG_ANSWER) {
                is_answer = true;
                if let Meta::List(list) = &attr.meta {
                    holding.insert(spelling(list.tokens.clone()));
                }
                return false;
            }
            let is_open = matches!(condition(attr), Some(Condition::Attributes(_, metas))
                if metas.iter().any(|meta| meta.path().is_ident(symbol::CFG_ANSWER)));
            is_unknown |= is_open;
            !is_open
        });
        match (is_answer, is_unknown) {
            (_, true) => Self::Unknown,
            (true, false) => Self::Holding(holding),
            (false, false) => Self::Asking(Vec::new()),
        }
    }

    /// The attributes of an item that is there, with what its `#[cfg_attr]`s come to; none if it is
    /// not.
    pub fn apply(&mut self, attrs: Vec<Attribute>) -> Option<Vec<Attribute>> {
        let mut applied = Vec::new();
        let is_there = attrs
            .into_iter()
            .all(|attr| self.apply_one(attr, &mut applied));
        is_there.then_some(applied)
    }

    fn apply_one(&mut self, attr: Attribute, applied: &mut Vec<Attribute>) -> bool {
        match condition(&attr) {
            None => {
                applied.push(attr);
                true
            }
            Some(Condition::Item(predicate)) => self.holds(predicate),
            Some(Condition::Attributes(predicate, metas)) => {
                if !self.holds(predicate) {
                    return true;
                }
                let mut attrs = metas.into_iter().map(|meta| Attribute {
                    meta,
                    ..attr.clone()
                });
                attrs.all(|attr| self.apply_one(attr, applied))
            }
        }
    }

    fn holds(&mut self, predicate: TokenStream) -> bool {
        match self {
            Self::Asking(asked) => {
                asked.push(predicate);
                true
            }
            Self::Holding(holding) => holding.contains(&spelling(predicate)),
            Self::Unknown => true,
        }
    }

    /// The contract under the questions that came up while it was read, if any did.
    pub fn ask(
        &self,
        root: &TokenStream,
        arguments: &TokenStream,
        input: &TokenStream,
    ) -> Option<TokenStream> {
        let Self::Asking(asked) = self else {
            return None;
        };
        let mut known = HashSet::new();
        let mut predicates = asked.clone();
        predicates.retain(|predicate| known.insert(spelling(predicate.clone())));
        let root = from_outside(root);
        (!predicates.is_empty()).then(|| {
            quote! {
                #[#root::contract(#arguments)]
                #[__cfg]
                #(#[cfg_attr(#predicates, __cfg(#predicates))])*
                #input
            }
        })
    }
}

/// What an attribute makes depend on a predicate.
enum Condition {
    Item(TokenStream),
    Attributes(TokenStream, Vec<Meta>),
}

/// None also for what rustc will refuse.
fn condition(attr: &Attribute) -> Option<Condition> {
    let Meta::List(list) = &attr.meta else {
        return None;
    };
    let mut tokens = list.tokens.clone().into_iter();
    let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(it) if it.as_char() == ',');
    let predicate: TokenStream = tokens
        .by_ref()
        .take_while(|token| !is_comma(token))
        .collect();
    let rest: TokenStream = tokens.collect();
    if predicate.is_empty() {
        None
    } else if list.path.is_ident("cfg") {
        rest.is_empty().then_some(Condition::Item(predicate))
    } else if list.path.is_ident("cfg_attr") {
        let metas = Punctuated::<Meta, Token![,]>::parse_terminated;
        let metas = metas.parse2(rest).ok()?;
        Some(Condition::Attributes(
            predicate,
            metas.into_iter().collect(),
        ))
    } else {
        None
    }
}

/// Whether an attribute is, or may come to, one whose name `is_wanted`.
pub fn may_be(attr: &Attribute, is_wanted: &impl Fn(&Path) -> bool) -> bool {
    match condition(attr) {
        Some(Condition::Attributes(_, metas)) => metas.into_iter().any(|meta| {
            let attr = Attribute {
                meta,
                ..attr.clone()
            };
            may_be(&attr, is_wanted)
        }),
        _ => is_wanted(attr.path()),
    }
}

/// The tokens as text, the same for the same tokens however they are spaced and grouped.
fn spelling(tokens: TokenStream) -> String {
    let mut text = String::new();
    for token in tokens {
        if let TokenTree::Group(group) = &token {
            let (open, close) = match group.delimiter() {
                proc_macro2::Delimiter::None => ("", ""),
                _ => ("(", ")"),
            };
            text.push_str(open);
            text.push_str(&spelling(group.stream()));
            text.push_str(close);
        } else {
            text.push_str(&token.to_string());
            text.push(' ');
        }
    }
    text
}

/// The path of the runtime as the module's surroundings would write it: inside, it begins where the
/// module is.
fn from_outside(root: &TokenStream) -> TokenStream {
    let Ok(mut path) = syn::parse2::<Path>(root.clone()) else {
        return root.clone();
    };
    let mut segments = path.segments.iter();
    if path.leading_colon.is_some() || segments.next().is_none_or(|first| first.ident != "super") {
        return root.clone();
    }
    // `super::rabbit` is `self::rabbit` there, `super::super::rabbit` is `super::rabbit`.
    let mut rest: Punctuated<PathSegment, Token![::]> = segments.cloned().collect();
    if rest.first().is_none_or(|first| first.ident != "super") {
        rest.insert(0, PathSegment::from(<Token![self]>::default()));
    }
    path.segments = rest;
    path.into_token_stream()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(items: &TokenStream) -> String {
        let input = quote!(mod orders { #items });
        crate::expand_contract(&TokenStream::new(), &input).to_string()
    }

    #[test]
    fn each_predicate_is_asked_once() {
        let asked = asked(&quote! {
            #[cfg(unix)]
            #[exchange("a", topic)]
            struct A;
            #[cfg_attr(windows, exchange("b", topic), cfg(unix))]
            struct B;
            #[publisher]
            trait Events {
                #[cfg_attr(all(), cfg(debug_assertions))]
                #[publish(A)]
                async fn a(&self, event: &Event) -> PublishResult;
            }
        });
        let questions: Vec<&str> = asked.matches("cfg_attr (").collect();
        assert!(asked.contains(":: contract_runtime :: contract"), "{asked}");
        // Four are asked, two of the input's own come out again.
        assert_eq!(questions.len(), 4 + 2, "{asked}");
    }

    #[test]
    fn what_is_not_ours_is_left_to_rustc() {
        let asked = asked(&quote! {
            #[cfg(unix)]
            use std::os::unix;
            #[cfg_attr(unix, derive(Debug))]
            struct Mine;
        });
        assert!(!asked.contains("__cfg"), "{asked}");
    }

    #[test]
    fn a_relative_path_is_seen_from_outside() {
        let outside = |root: TokenStream| from_outside(&root).to_string();
        assert_eq!(outside(quote!(::contract_runtime)), ":: contract_runtime");
        assert_eq!(outside(quote!(super::rabbit)), "self :: rabbit");
        assert_eq!(outside(quote!(super::super::rabbit)), "super :: rabbit");
        assert_eq!(outside(quote!(crate::rabbit)), "crate :: rabbit");
    }
}
