//! The traits of a contract and their methods.

use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{
    Attribute, Generics, Ident, Token, TraitItem, TraitItemFn, Visibility, WhereClause, braced,
    token,
};

use super::attr::{parse_consume, parse_publish};
use super::item::{mark, take_mark};
use super::recover::parse_or_skip;
use super::signature::{Signed, read_consume, read_publish};
use crate::cfg::Configuration;
use crate::sink::Sink;
use crate::symbol;
use crate::tree::{Consume, Member, Method, Publish, Trait};

/// What the methods of a trait are.
pub struct MethodKind<A> {
    /// The attribute that they carry.
    mark: &'static str,
    usage: &'static str,
    /// The trait's own attribute, where the other kind belongs.
    other: (&'static str, &'static str),
    takes_supertraits: bool,
    parse: fn(&Attribute, &mut Sink) -> A,
    read: fn(&syn::Signature, &A, &mut Sink) -> Signed,
}

/// `#[publisher]`
pub const PUBLISHES: MethodKind<Publish> = MethodKind {
    mark: symbol::PUBLISH,
    usage: "#[publish(Exchange)]",
    other: (symbol::CONSUME, symbol::HANDLERS),
    // The trait is implemented for what we generate and for references to whatever implements it.
    takes_supertraits: false,
    parse: parse_publish,
    read: read_publish,
};

/// `#[handlers]`
pub const CONSUMES: MethodKind<Consume> = MethodKind {
    mark: symbol::CONSUME,
    usage: "#[consume(Queue)]",
    other: (symbol::PUBLISH, symbol::PUBLISHER),
    takes_supertraits: true,
    parse: parse_consume,
    read: read_consume,
};

/// Reads a trait. It fails, and has reported nothing, where there is none.
pub fn parse_trait<A: Default>(
    kind: &MethodKind<A>,
    mark: &Ident,
    attrs: &[Attribute],
    input: ParseStream<'_>,
    configuration: &mut Configuration,
    sink: &mut Sink,
) -> syn::Result<Trait<A>> {
    let vis: Visibility = input.parse()?;
    let modifiers: Option<Token![unsafe]> = input.parse()?;
    if let Some(modifiers) = modifiers {
        return Err(syn::Error::new_spanned(
            modifiers,
            format!("a `#[{mark}]` trait is not unsafe"),
        ));
    }
    if !input.peek(Token![trait]) {
        return Err(syn::Error::new_spanned(
            mark,
            format!("`#[{mark}]` belongs on a trait [misplaced-option]"),
        ));
    }
    let trait_token = input.parse()?;
    let ident: Ident = input.parse()?;
    let generics: Generics = input.parse()?;
    let (colon, supertraits) = parse_supertraits(input)?;
    let clause: Option<WhereClause> = input.parse()?;
    let content;
    braced!(content in input);
    let mut parsed = Trait {
        mark: mark.clone(),
        attrs: attrs.to_vec(),
        vis,
        trait_token,
        ident,
        supertraits,
        members: Vec::new(),
        broken: false,
        is_taken: false,
        generics,
    };
    let before = sink.count();
    if !parsed.generics.params.is_empty() || clause.is_some() {
        let generics = &parsed.generics;
        let at = quote!(#generics #clause);
        sink.error(at, format!(
            "a `#[{mark}]` trait has no generics: it is one of this contract's\nhelp: write a trait, and a message, for each"
        ));
    }
    if colon.is_some() && !kind.takes_supertraits {
        let message = format!(
            "a `#[{mark}]` trait has no supertraits but `Send` and `Sync`, which are added"
        );
        sink.error(&parsed.supertraits, message);
    }
    parsed.generics.where_clause = clause;
    parsed.broken = sink.count() > before;
    while !content.is_empty() {
        let member = parse_member(kind, &parsed, &content, configuration, sink);
        parsed.members.extend(member);
    }
    Ok(parsed)
}

type Supertraits = syn::punctuated::Punctuated<syn::TypeParamBound, Token![+]>;

fn parse_supertraits(input: ParseStream<'_>) -> syn::Result<(Option<Token![:]>, Supertraits)> {
    let mut supertraits = Supertraits::new();
    let colon: Option<Token![:]> = input.parse()?;
    if colon.is_some() {
        while !input.peek(token::Brace) && !input.peek(Token![where]) {
            supertraits.push_value(input.parse()?);
            if !input.peek(Token![+]) {
                break;
            }
            supertraits.push_punct(input.parse()?);
        }
    }
    Ok((colon, supertraits))
}

/// None if it is configured away, or cannot be read.
fn parse_member<A: Default>(
    kind: &MethodKind<A>,
    owner: &Trait<A>,
    input: ParseStream<'_>,
    configuration: &mut Configuration,
    sink: &mut Sink,
) -> Option<Member<A>> {
    let attrs = match parse_or_skip(input, Attribute::parse_outer) {
        Ok(attrs) => attrs,
        Err((_, error)) => {
            sink.push(error);
            return None;
        }
    };
    let before = sink.count();
    let attrs = configuration.apply(attrs);
    let item = parse_or_skip(input, TraitItem::parse);
    let mut attrs = attrs?;
    let attr = take_mark(&mut attrs, sink);
    Some(match item {
        Ok(TraitItem::Fn(item)) if is_twin(owner, &item) => {
            // rustc says that there are two.
            Member::Other(quote!(#(#attrs)* #item))
        }
        Ok(TraitItem::Fn(item)) => {
            let item = TraitItemFn { attrs, ..item };
            let mut method = parse_method(kind, attr.as_ref(), item, sink);
            method.broken = sink.count() > before;
            Member::Method(Box::new(method))
        }
        Ok(other) => {
            let message = format!("a `#[{}]` trait holds only methods", owner.mark);
            sink.error(&other, message);
            Member::Other(quote!(#(#attrs)* #other))
        }
        // It does not go out again: what rustc could not read either would cost the whole trait.
        Err((_, error)) => {
            sink.push(error);
            return None;
        }
    })
}

/// Whether the trait has a method of this name already.
fn is_twin<A>(owner: &Trait<A>, item: &TraitItemFn) -> bool {
    owner
        .methods()
        .any(|method| method.sig.ident == item.sig.ident)
}

fn parse_method<A: Default>(
    kind: &MethodKind<A>,
    attr: Option<&Attribute>,
    item: TraitItemFn,
    sink: &mut Sink,
) -> Method<A> {
    if let Err(error) = item.modifiers.require_empty() {
        sink.push(error);
    }
    if let Some(body) = &item.default {
        sink.error(
            body,
            "a method of a contract has no body\nhelp: write `;` in its place",
        );
    }
    let semi = item.semi_token.unwrap_or_else(|| {
        let close = item
            .default
            .as_ref()
            .map(|body| body.brace_token.span.close());
        Token![;](close.unwrap_or(item.sig.fn_token.span))
    });
    let ident = &item.sig.ident;
    let mark = attr.map(mark);
    let parsed = match (attr, &mark) {
        (Some(attr), Some(mark)) if mark == kind.mark => (kind.parse)(attr, sink),
        (_, Some(mark)) => {
            let owner = if mark == kind.other.0 {
                format!("methods of a `#[{}]` trait", kind.other.1)
            } else {
                "items of the contract".to_owned()
            };
            let message = format!(
                "`#[{mark}]` belongs on {owner} [misplaced-option]\nhelp: write `{}`",
                kind.usage
            );
            sink.error(mark, message);
            A::default()
        }
        (_, None) => {
            let message = format!(
                "method `{ident}` has no `#[{}]`\nhelp: write `{}` above it",
                kind.mark, kind.usage
            );
            sink.error(ident, message);
            A::default()
        }
    };
    // Whoever forgot the attribute may not have meant a method of ours at all.
    let signed = match mark {
        Some(_) => (kind.read)(&item.sig, &parsed, sink),
        None => Signed::default(),
    };
    Method {
        attrs: item.attrs,
        sig: item.sig,
        semi,
        attr: parsed,
        message: signed.message,
        fields: signed.fields,
        takes_delivery: signed.takes_delivery,
        broken: false,
        modelled: None,
    }
}
