//! Handlers: the trait, and the function that makes a registry of whoever implements it.

use contract_core::model::{self, Takes};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Ident;

use super::method::{anchor, signature};
use super::{Output, docs, inherited};
use crate::generated::registry_function;
use crate::parse::label;
use crate::tree::{Consume, Member, Method, Trait};

impl Output<'_> {
    pub(super) fn handlers(&self, handlers: &Trait<Consume>) -> TokenStream {
        let own = self.handlers_trait(handlers);
        let function = (!handlers.is_taken).then(|| self.registry_function(handlers));
        let mark = self.mark(&handlers.mark);
        quote!(#own #function #mark)
    }

    fn handlers_trait(&self, handlers: &Trait<Consume>) -> TokenStream {
        let Trait {
            attrs,
            vis,
            trait_token,
            ident,
            generics,
            supertraits,
            ..
        } = handlers;
        let clause = &generics.where_clause;
        let docs = docs::doc(
            attrs,
            [format!(
                "What a service handles. [`{}`] makes of an implementation what a worker runs.",
                registry_function(ident)
            )],
        );
        let supertraits = supertraits.iter();
        let members = handlers.members.iter().map(|member| match member {
            Member::Other(tokens) => tokens.clone(),
            Member::Method(method) => {
                let (attrs, semi, docs) = (&method.attrs, &method.semi, self.consume_docs(method));
                let signature = signature(method);
                quote!(#(#attrs)* #docs #signature #semi)
            }
        });
        quote! {
            #(#attrs)*
            #docs
            #[allow(dead_code)]
            #vis #trait_token #ident #generics:
                ::core::marker::Send + ::core::marker::Sync #(+ #supertraits)* + 'static #clause
            {
                #(#members)*
            }
        }
    }

    fn consume_docs(&self, method: &Method<Consume>) -> TokenStream {
        let contract = &self.lowered.contract;
        let consume = self.consume_of(method);
        docs::doc(
            &method.attrs,
            consume
                .map(|consume| docs::consume(contract, consume))
                .unwrap_or_default(),
        )
    }

    fn registry_function(&self, handlers: &Trait<Consume>) -> TokenStream {
        let root = self.root;
        let (vis, of) = (&handlers.vis, &handlers.ident);
        let (ident, name) = (registry_function(of), label(of));
        let docs = docs::doc(
            &[],
            [format!(
                "What a worker runs of an implementation of [`{of}`]."
            )],
        );
        let inherited = inherited(&handlers.attrs);
        let generics = &handlers.generics;
        let (_, arguments, clause) = generics.split_for_impl();
        let parameters = &generics.params;
        let parameters = (!parameters.is_empty()).then(|| quote!(<#parameters>));
        let consumers = handlers
            .methods()
            .filter_map(|method| self.registered(of, method));
        quote! {
            #(#inherited)*
            #docs
            #[allow(dead_code)]
            #vis fn #ident #parameters (handlers: impl #of #arguments) -> #root::HandlerRegistry #clause {
                let handlers = ::std::sync::Arc::new(handlers);
                let registry = #root::__private::registry(__definition(), #name);
                #(#consumers)*
                ::core::mem::drop(handlers);
                registry.finish()
            }
        }
    }

    /// What the model says of the method, if it is in it.
    fn consume_of(&self, method: &Method<Consume>) -> Option<&model::Consume> {
        let (handlers, at) = method.modelled?;
        let handlers = self.lowered.contract.handlers.get(handlers)?;
        handlers.consumers.get(at)
    }

    /// The statement that adds a handler to the registry.
    fn registered(&self, of: &Ident, method: &Method<Consume>) -> Option<TokenStream> {
        let message = method.message.as_ref()?.described();
        let add = match self.consume_of(method)?.takes {
            Takes::Message(_) => quote!(consume::<#message, _, _>),
            Takes::DeadLetter => quote!(dead_letter),
            _ => quote!(raw),
        };
        let (root, ident) = (self.root, &method.sig.ident);
        let name = label(ident);
        let delivery = method.takes_delivery.then(|| quote!(, &delivery));
        Some(quote_spanned! {anchor(method)=>
            let registry = {
                let handlers = ::core::clone::Clone::clone(&handlers);
                registry.#add(#name, move |message, delivery| {
                    let handlers = ::core::clone::Clone::clone(&handlers);
                    async move {
                        let _ = &delivery;
                        let handled = #of::#ident(&*handlers, message #delivery);
                        // With its type, so that another one is a mistake of this method.
                        let result: #root::HandlerResult = handled.await;
                        result
                    }
                })
            };
        })
    }
}
