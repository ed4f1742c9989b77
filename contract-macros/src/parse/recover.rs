//! Getting past what cannot be understood.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::parse::ParseStream;
use syn::parse::discouraged::Speculative;

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

/// Skips to behind the next `;` or `{ .. }`.
fn skip(input: ParseStream<'_>) -> TokenStream {
    let mut skipped = TokenStream::new();
    while let Ok(token) = input.parse::<TokenTree>() {
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
