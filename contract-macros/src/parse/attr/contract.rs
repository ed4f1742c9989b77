//! `#[contract]`, `#[contract(crate = path)]`

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser};
use syn::{Path, Token};

use crate::sink::Sink;
use crate::symbol;

/// Where the generated code finds the runtime: `::contract_runtime` unless the attribute says
/// otherwise.
pub fn parse_contract(arguments: TokenStream, sink: &mut Sink) -> TokenStream {
    let default = quote!(::contract_runtime);
    if arguments.is_empty() {
        return default;
    }
    match parse_root.parse2(arguments) {
        Ok(path) => path.into_token_stream(),
        Err(error) => {
            sink.push(error);
            default
        }
    }
}

fn parse_root(input: ParseStream<'_>) -> syn::Result<Path> {
    if !input.peek(Token![crate]) || !input.peek2(Token![=]) {
        return Err(input.error(format_args!(
            "`#[contract]` has one option: `{} = path::to::contract_runtime` [unknown-option]",
            symbol::CRATE
        )));
    }
    input.parse::<Token![crate]>()?;
    input.parse::<Token![=]>()?;
    let path = input.call(Path::parse_mod_style)?;
    input.parse::<Option<Token![,]>>()?;
    Ok(path)
}
