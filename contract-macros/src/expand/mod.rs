//! The code of a contract: always, also of a broken one, so that a mistake is not followed by the
//! complaints of whoever uses what it would have given rise to.
//!
//! What the user wrote goes out again, without our attributes. Everything else is named by its
//! absolute path, so that the contract's own `Result`, `Vec` or `core` changes nothing, and public
//! signatures name nothing private. Spans: the user's names keep theirs, once; what is ours stands
//! at the call site, or on the user's punctuation where rustc may have to point at it.

mod contract;
mod derives;
mod docs;
mod entity;
mod handlers;
mod message;
mod method;
mod model;
mod publisher;
mod reference;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Ident};

use crate::lower::Lowered;
use crate::tree::{Item, Module};

/// What every expansion needs to know.
pub struct Output<'o> {
    /// Where the runtime is.
    root: &'o TokenStream,
    lowered: &'o Lowered,
}

/// The module, its generated items, and the errors.
pub fn expand(
    root: &TokenStream,
    module: &Module,
    lowered: &Lowered,
    errors: &[syn::Error],
) -> TokenStream {
    let output = Output { root, lowered };
    let items = module.items.iter().map(|item| output.item(item));
    let references = output.references();
    let contract = output.contract(module);
    let errors = errors.iter().map(syn::Error::to_compile_error);
    let allow = allow_deprecated(module);
    let import = import_for_derives(module);
    let Module {
        attrs,
        inner_attrs,
        vis,
        unsafety,
        mod_token,
        ident,
        brace_token,
        ..
    } = module;
    let body = quote! {
        #(#inner_attrs)*
        #allow
        #import
        #(#items)*
        #contract
        #references
        #(const _: () = { #errors };)*
    };
    let mut body = proc_macro2::Group::new(proc_macro2::Delimiter::Brace, body);
    body.set_span(brace_token.span.join());
    quote!(#(#attrs)* #vis #unsafety #mod_token #ident #body)
}

impl Output<'_> {
    fn item(&self, item: &Item) -> TokenStream {
        match item {
            Item::Exchange(it) => self.exchange(it),
            Item::Queue(it) => self.queue(it),
            Item::Message(it) => self.message(it),
            Item::Payload(it) => self.payload(it),
            Item::Publisher(it) => self.publisher(it),
            Item::Handlers(it) => self.handlers(it),
            Item::Other(it) => it.tokens.clone(),
        }
    }

    /// Uses the word of one of our attributes, so that an editor can show its documentation.
    fn mark(&self, mark: &Ident) -> TokenStream {
        let root = self.root;
        quote! {
            const _: () = { #[allow(unused_imports)] use #root::#mark as _; };
        }
    }
}

/// The derive of `JsonSchema` calls `.into()`, which `#![no_implicit_prelude]` takes away.
fn import_for_derives(module: &Module) -> Option<TokenStream> {
    let derives = |item: &Item| match item {
        Item::Message(message) => message.derive,
        Item::Payload(_) => true,
        _ => false,
    };
    let is_needed = module.items.iter().any(derives);
    is_needed.then(|| {
        quote!(
            #[allow(unused_imports)]
            use ::core::convert::Into as _;
        )
    })
}

/// Generated code uses what the user may have deprecated; only uses elsewhere are worth a warning.
fn allow_deprecated(module: &Module) -> Option<TokenStream> {
    let is_deprecated = |attr: &Attribute| attr.path().is_ident("deprecated");
    let any = |attrs: &[Attribute]| attrs.iter().any(is_deprecated);
    let is_used = module.items.iter().any(|item| match item {
        Item::Exchange(it) => any(&it.item.attrs),
        Item::Queue(it) => any(&it.item.attrs),
        Item::Message(it) => any(it.item.attrs()),
        Item::Payload(it) => any(it.item.attrs()),
        Item::Publisher(it) => any(&it.attrs) || it.methods().any(|method| any(&method.attrs)),
        Item::Handlers(it) => any(&it.attrs) || it.methods().any(|method| any(&method.attrs)),
        Item::Other(_) => false,
    });
    is_used.then(|| quote!(#![allow(deprecated)]))
}

/// Those of an item's attributes that everything made from it carries too.
fn inherited(attrs: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attrs
        .iter()
        .filter(|attr| attr.path().is_ident("deprecated"))
}
