//! The module itself.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Ident, Token, Visibility, braced, token};

use super::item::parse_item;
use crate::cfg::Configuration;
use crate::sink::Sink;
use crate::tree::Module;

/// What stood under `#[contract]`.
pub enum Parsed {
    /// With what is known of its `#[cfg]`s.
    Module(Box<Module>, Configuration),
    /// No module, and reported: goes out as it came in.
    Other(TokenStream),
}

/// Reads an inline module.
pub fn parse_module(input: TokenStream, sink: &mut Sink) -> Parsed {
    let parse = |stream: ParseStream<'_>| match Header::parse(stream)? {
        (header, Body::Inline) => header.parse_items(stream, sink),
        (header, Body::File) => {
            stream.parse::<Token![;]>()?;
            let ident = &header.ident;
            let message = format!(
                "a contract is an inline module\nhelp: write `mod {ident} {{ .. }}`, and `mod` the file that holds it"
            );
            sink.error(&header.ident, message);
            // The file is never read here, so its items could not be marked: leave an empty module.
            let (attrs, vis, mod_token) = (&header.attrs, &header.vis, &header.mod_token);
            Ok(Parsed::Other(quote!(#(#attrs)* #vis #mod_token #ident {})))
        }
    };
    match parse.parse2(input.clone()) {
        Ok(parsed) => parsed,
        Err(error) => {
            sink.push(error);
            Parsed::Other(input)
        }
    }
}

struct Header {
    attrs: Vec<Attribute>,
    vis: Visibility,
    unsafety: Option<Token![unsafe]>,
    mod_token: Token![mod],
    ident: Ident,
}

enum Body {
    Inline,
    File,
}

impl Header {
    fn parse(input: ParseStream<'_>) -> syn::Result<(Self, Body)> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        let unsafety = input.parse()?;
        if !input.peek(Token![mod]) {
            let rest: TokenStream = input.parse()?;
            let at = rest.into_iter().next().into_token_stream();
            return Err(syn::Error::new_spanned(
                at,
                "`#[contract]` marks a module\nhelp: write `#[contract] mod name { .. }`",
            ));
        }
        let header = Self {
            attrs,
            vis,
            unsafety,
            mod_token: input.parse()?,
            ident: input.parse()?,
        };
        let body = if input.peek(token::Brace) {
            Body::Inline
        } else {
            Body::File
        };
        Ok((header, body))
    }

    fn parse_items(mut self, input: ParseStream<'_>, sink: &mut Sink) -> syn::Result<Parsed> {
        let mut configuration = Configuration::take(&mut self.attrs);
        let content;
        let mut module = Module {
            attrs: self.attrs,
            vis: self.vis,
            unsafety: self.unsafety,
            mod_token: self.mod_token,
            ident: self.ident,
            brace_token: braced!(content in input),
            inner_attrs: content.call(Attribute::parse_inner)?,
            items: Vec::new(),
        };
        while !content.is_empty() {
            let item = parse_item(&content, &mut configuration, sink);
            module.items.extend(item);
        }
        Ok(Parsed::Module(Box::new(module), configuration))
    }
}
