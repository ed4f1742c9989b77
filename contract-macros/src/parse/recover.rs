//! Getting past what cannot be understood.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::parse::discouraged::Speculative;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Field, Fields, FieldsNamed, Item, ItemEnum, ItemStruct, Token, Variant, braced, token};

/// Parses from a fork. What fails is skipped, to the end of the item or method that it seems to be,
/// and its tokens are returned beside the error.
pub fn parse_or_skip<T>(
    input: ParseStream<'_>,
    parse: impl FnOnce(ParseStream<'_>) -> syn::Result<T>,
) -> Result<T, (TokenStream, syn::Error)> {
    let fork = input.fork();
    match parse(&fork) {
        Ok(parsed) => {
            input.advance_to(&fork);
            Ok(parsed)
        }
        Err(error) => Err((skip(input), error)),
    }
}

/// Parses a struct or an enum without those of its fields or variants that cannot be read.
pub fn parse_data_in_part(input: ParseStream<'_>) -> syn::Result<Item> {
    let attrs = Vec::new();
    let vis = input.parse()?;
    let content;
    if input.peek(Token![enum]) {
        return Ok(Item::Enum(ItemEnum {
            attrs,
            vis,
            enum_token: input.parse()?,
            ident: input.parse()?,
            generics: input.parse()?,
            brace_token: braced!(content in input),
            variants: parse_in_part(&content, Variant::parse),
        }));
    }
    Ok(Item::Struct(ItemStruct {
        attrs,
        vis,
        struct_token: input.parse()?,
        ident: input.parse()?,
        generics: input.parse()?,
        fields: Fields::Named(FieldsNamed {
            brace_token: braced!(content in input),
            named: parse_in_part(&content, Field::parse_named),
        }),
        semi_token: None,
    }))
}

fn parse_in_part<T>(
    input: ParseStream<'_>,
    parse: fn(ParseStream<'_>) -> syn::Result<T>,
) -> Punctuated<T, Token![,]> {
    let mut parts = Punctuated::new();
    while !input.is_empty() {
        let fork = input.fork();
        if let Ok(part) = parse(&fork)
            && (fork.is_empty() || fork.peek(Token![,]))
        {
            input.advance_to(&fork);
            parts.push(part);
        }
        while !input.is_empty() && !input.peek(Token![,]) {
            // Any token is a token tree.
            let _: Option<TokenTree> = input.parse().ok();
        }
        // Either there is a comma here or nothing.
        let _: Option<Token![,]> = input.parse().ok().flatten();
    }
    parts
}

/// Skips to behind the next `;` or `{ .. }`, or to the attributes of what follows: half-typed code
/// lacks its end.
fn skip(input: ParseStream<'_>) -> TokenStream {
    let mut skipped = TokenStream::new();
    while skipped.is_empty() || !is_attribute(input) {
        let Ok(token) = input.parse::<TokenTree>() else {
            break;
        };
        let is_end = match &token {
            TokenTree::Punct(punct) => punct.as_char() == ';',
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            _ => false,
        };
        skipped.extend([token]);
        if is_end {
            break;
        }
    }
    skipped
}

fn is_attribute(input: ParseStream<'_>) -> bool {
    input.peek(Token![#]) && input.peek2(token::Bracket)
}
