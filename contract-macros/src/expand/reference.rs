//! The paths that the user wrote, once each: so that rustc says which do not exist, and an editor
//! finds what the others mean.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

use super::Output;
use crate::lower::Reference;
use crate::names::Kind;
use crate::parse::shown;

impl Output<'_> {
    pub(super) fn references(&self) -> TokenStream {
        let root = self.root;
        let (foreign, known): (Vec<_>, Vec<_>) =
            self.lowered.references.iter().partition(|it| it.foreign);
        let known = known.into_iter().map(|reference| {
            let path = &reference.path;
            let assertion = match reference.kind {
                Kind::Exchange => quote!(assert_exchange),
                Kind::Queue => quote!(assert_queue),
                _ if reference.is_alias => quote!(assert_type),
                _ => quote!(assert_message),
            };
            quote!(#root::__private::#assertion::<#path>();)
        });
        let foreign = foreign.into_iter().map(|reference| self.refuse(reference));
        quote! {
            const _: fn() = || { #(#known)* };
            #(#foreign)*
        }
    }

    /// Something that the contract does not hold. If there is none, rustc says so; if it is of
    /// another kind, so does its trait; only if it exists is the constant evaluated.
    fn refuse(&self, reference: &Reference) -> TokenStream {
        let root = self.root;
        let path = &reference.path;
        let of = match reference.kind {
            Kind::Exchange => quote!(Exchange),
            Kind::Queue => quote!(Queue),
            _ => quote!(Message),
        };
        let path_shown = shown(path);
        let help = match reference.kind {
            Kind::Exchange => "`#[exchange(\"name\", KIND, external)] pub struct Name;`".to_owned(),
            Kind::Queue => "`#[queue(\"name\", external)] pub struct Name;`".to_owned(),
            _ => format!("`#[message(\"name\")] pub type Name = {path_shown};`"),
        };
        let message = format!(
            "`{path_shown}` belongs to another contract, and this one is checked by what it says itself\n\
             help: declare it here as well: {help}"
        );
        let span = path.to_token_stream().span();
        let refusal = quote_spanned!(span=> ::core::panic!(#message));
        quote! {
            const _: () = {
                let _ = <#path as #root::#of>::NAME;
                #refusal
            };
        }
    }
}
