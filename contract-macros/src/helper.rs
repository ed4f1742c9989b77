//! Our attributes where no `#[contract]` has read them.

use proc_macro2::{Span, TokenStream};
use quote::quote;

/// Says where the attribute belongs, and lets the item be.
pub fn explain(word: &str, item: &TokenStream) -> TokenStream {
    let message = format!(
        "`#[{word}]` has a meaning only inside a module marked `#[contract]` [misplaced-option]\n\
         help: write `#[contract] mod name {{ .. }}` around it, and the attribute without a path"
    );
    let error = syn::Error::new(Span::call_site(), message).to_compile_error();
    quote!(#item #error)
}
