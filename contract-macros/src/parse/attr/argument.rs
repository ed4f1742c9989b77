//! What can stand inside an attribute: literals, words and paths, `name = literal`, `name(..)`.
//! (These are the forms that rustfmt formats.) Each is parsed on its own, so that a broken one costs
//! nothing but itself.

use proc_macro2::TokenStream;
use quote::{ToTokens, TokenStreamExt, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, Ident, Lit, Meta, Path, Token, parenthesized, token};

use crate::sink::Sink;

/// One entry of an attribute.
#[derive(Clone)]
pub enum Argument {
    /// `"order.created"`, `5`, `true`
    Literal(Lit),
    /// `topic`, `Orders`, `super::Orders`
    Path(Path),
    /// `concurrency = 16`
    Value(Ident, Token![=], Lit),
    /// `bind(Orders, "order.created")`
    List(Ident, token::Paren, Vec<Argument>),
    /// A list some of whose arguments could not be read: they are reported, and left out.
    HalfList(Ident, Vec<Argument>),
}

impl Argument {
    /// The word that it begins with, if it is a single word.
    pub fn word(&self) -> Option<&Ident> {
        match self {
            Self::Literal(_) => None,
            Self::Path(path) => path.get_ident(),
            Self::Value(name, ..) | Self::List(name, ..) | Self::HalfList(name, ..) => Some(name),
        }
    }

    fn parse(input: ParseStream<'_>, sink: &mut Sink) -> syn::Result<Self> {
        if input.peek(Lit) || input.peek(Token![-]) {
            return input.parse().map(Self::Literal);
        }
        if input.peek(Ident::peek_any) {
            if input.peek2(token::Paren) {
                let name = Ident::parse_any(input)?;
                let content;
                let paren = parenthesized!(content in input);
                let before = sink.count();
                let arguments = parse_list(&content, sink);
                return Ok(if sink.count() == before {
                    Self::List(name, paren, arguments)
                } else {
                    Self::HalfList(name, arguments)
                });
            }
            if input.peek2(Token![=]) && !input.peek2(Token![==]) {
                return Self::parse_value(input);
            }
        }
        if input.peek(Ident) || input.peek(Token![::]) || input.peek(Token![self]) {
            return Ok(Self::Path(input.call(Path::parse_mod_style)?));
        }
        if input.peek(Token![super]) || input.peek(Token![crate]) {
            return Ok(Self::Path(input.call(Path::parse_mod_style)?));
        }
        Err(input.error("expected an option, a path or a literal"))
    }

    fn parse_value(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = Ident::parse_any(input)?;
        let eq: Token![=] = input.parse()?;
        if input.peek(Lit) || input.peek(Token![-]) {
            return Ok(Self::Value(name, eq, input.parse()?));
        }
        let fork = input.fork();
        if let Ok(path) = fork.call(Path::parse_mod_style) {
            let shown = path.to_token_stream().to_string().replace(' ', "");
            let message = format!(
                "expected a literal after `{name} =`\nhelp: a path stands in parentheses: `{name}({shown})`"
            );
            return Err(syn::Error::new_spanned(path, message));
        }
        let message = format!("expected a literal after `{name} =`");
        Err(if input.is_empty() {
            // There is nothing to point at but what is there.
            syn::Error::new_spanned(quote!(#name #eq), message)
        } else {
            input.error(message)
        })
    }
}

impl ToTokens for Argument {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Literal(lit) => lit.to_tokens(tokens),
            Self::Path(path) => path.to_tokens(tokens),
            Self::Value(name, eq, lit) => {
                name.to_tokens(tokens);
                eq.to_tokens(tokens);
                lit.to_tokens(tokens);
            }
            Self::HalfList(name, _) => name.to_tokens(tokens),
            Self::List(name, paren, arguments) => {
                name.to_tokens(tokens);
                paren.surround(tokens, |tokens| {
                    tokens.append_separated(arguments, <Token![,]>::default());
                });
            }
        }
    }
}

/// The arguments of an attribute: none for `#[publisher]`.
pub fn parse_arguments(attr: &Attribute, sink: &mut Sink) -> Vec<Argument> {
    match &attr.meta {
        Meta::Path(_) => Vec::new(),
        Meta::List(list) => parse_tokens(list.tokens.clone(), sink),
        Meta::NameValue(meta) => {
            let name = attr.path().to_token_stream();
            sink.error(meta, format!("expected `#[{name}(..)]`"));
            Vec::new()
        }
    }
}

/// Arguments separated by commas.
pub fn parse_tokens(tokens: TokenStream, sink: &mut Sink) -> Vec<Argument> {
    let parse = |input: ParseStream<'_>| Ok(parse_list(input, sink));
    // The parser takes everything and returns no error, so neither does this.
    parse.parse2(tokens).unwrap_or_default()
}

fn parse_list(input: ParseStream<'_>, sink: &mut Sink) -> Vec<Argument> {
    let mut arguments = Vec::new();
    while !input.is_empty() {
        match Argument::parse(input, sink) {
            Ok(argument) if input.is_empty() || input.peek(Token![,]) => arguments.push(argument),
            Ok(argument) => {
                arguments.push(argument);
                sink.push(input.error("expected `,`"));
                skip_to_comma(input);
            }
            Err(error) => {
                sink.push(error);
                skip_to_comma(input);
            }
        }
        // Either there is a comma here or nothing.
        let _: Option<Token![,]> = input.parse().ok().flatten();
    }
    arguments
}

fn skip_to_comma(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        // Any token is a token tree.
        let _: Option<proc_macro2::TokenTree> = input.parse().ok();
    }
}

/// So that a test can write arguments down.
impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut sink = Sink::new();
        let argument = Self::parse(input, &mut sink);
        match sink.finish().into_iter().next() {
            Some(error) => Err(error),
            None => argument,
        }
    }
}
