//! Messages and payloads: their derives.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::{Attribute, Ident};

use super::derives::derived;
use super::{Output, docs};
use crate::tree::{Data, Message, Payload};

impl Output<'_> {
    pub(super) fn message(&self, message: &Message) -> TokenStream {
        let root = self.root;
        let lowered = &self.lowered.contract.messages[message.index];
        let (name, version) = (&lowered.name, lowered.version);
        // On the implementation: on the type they would become a part of the schema.
        let docs = docs::doc(&[], docs::message(lowered));
        let item = self.data(&message.item, message.derive);
        let descriptor = message.descriptor();
        let (declaration, payload) = payload(&message.item, &descriptor);
        let mark = self.mark(&message.mark);
        quote! {
            #item

            #declaration
            #docs
            #[automatically_derived]
            impl #root::Message for #descriptor {
                type Payload = #payload;
                const NAME: &'static ::core::primitive::str = #name;
                const VERSION: ::core::primitive::u32 = #version;
            }
            #mark
        }
    }

    pub(super) fn payload(&self, payload: &Payload) -> TokenStream {
        let item = self.data(&payload.item, true);
        let mark = self.mark(&payload.mark);
        quote!(#item #mark)
    }

    /// The type with what makes it travel. The derives stand before the user's attributes, which may
    /// be theirs to read.
    fn data(&self, item: &Data, derive: bool) -> TokenStream {
        let mut item = item.clone();
        let attrs = std::mem::take(item.attrs_mut());
        let derives = derive.then(|| self.derives(&attrs));
        let item = item.into_tokens();
        quote! {
            #derives
            #(#attrs)*
            #item
        }
    }

    fn derives(&self, attrs: &[Attribute]) -> TokenStream {
        let root = self.root;
        let root_text = root.to_string().replace(' ', "");
        let serde = format!("{root_text}::__private::serde");
        let schemars = format!("{root_text}::__private::schemars");
        let own = derived(attrs);
        let derives = [
            ("Serialize", quote!(serde::Serialize)),
            ("Deserialize", quote!(serde::Deserialize)),
            ("JsonSchema", quote!(schemars::JsonSchema)),
        ];
        let derives = derives
            .into_iter()
            .filter(|(name, _)| !own.iter().any(|own| own == name))
            .map(|(_, path)| quote!(#root::__private::#path));
        quote! {
            #[derive(#(#derives),*)]
            #[serde(crate = #serde)]
            #[schemars(crate = #schemars)]
        }
    }
}

/// The hidden type that describes an alias, and what travels: where rustc complains that it cannot.
fn payload(item: &Data, descriptor: &Ident) -> (Option<TokenStream>, TokenStream) {
    match item {
        Data::Alias(alias) => {
            let declaration = quote! {
                #[doc(hidden)]
                #[allow(dead_code)]
                struct #descriptor;
            };
            (Some(declaration), alias.ty.to_token_stream())
        }
        Data::Struct(_) | Data::Enum(_) => (None, quote_spanned!(descriptor.span()=> Self)),
    }
}
