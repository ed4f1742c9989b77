//! Derives: what the user wrote, and what an exchange or a queue gets beside it.

use proc_macro2::TokenStream;
use quote::quote;
use syn::punctuated::Punctuated;
use syn::{Attribute, Fields, Ident, ItemStruct, Path, Token};

/// What the type of an exchange or a queue is given: it is a name, and copied and shown like one.
pub fn entity_derives(item: &ItemStruct) -> Option<TokenStream> {
    // Of anything else nothing is known but that it is a mistake.
    if !matches!(item.fields, Fields::Unit) {
        return None;
    }
    let own = derived(&item.attrs);
    let derives = [
        ("Clone", quote!(clone::Clone)),
        ("Copy", quote!(marker::Copy)),
        ("Debug", quote!(fmt::Debug)),
    ];
    let missing: Vec<TokenStream> = derives
        .into_iter()
        .filter(|(name, _)| !own.iter().any(|own| own == name))
        .map(|(_, path)| quote!(::core::#path))
        .collect();
    (!missing.is_empty()).then(|| quote!(#[derive(#(#missing),*)]))
}

/// What the user derives, whose choice stands: a second implementation would be in its way.
pub fn derived(attrs: &[Attribute]) -> Vec<Ident> {
    attrs
        .iter()
        .filter(|attr| attr.path().is_ident("derive"))
        .filter_map(|attr| {
            let paths = Punctuated::<Path, Token![,]>::parse_terminated;
            attr.parse_args_with(paths).ok()
        })
        .flatten()
        .filter_map(|path| Some(path.segments.last()?.ident.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    #[test]
    fn what_the_user_derives_is_seen_by_its_last_word() {
        let attrs = [
            parse_quote!(#[derive(Debug, serde::Serialize,)]),
            parse_quote!(#[serde(rename_all = "camelCase")]),
            parse_quote!(#[derive(JsonSchema)]),
        ];
        assert_eq!(derived(&attrs), ["Debug", "Serialize", "JsonSchema"]);
    }
}
