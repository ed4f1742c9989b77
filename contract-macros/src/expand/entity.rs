//! Exchanges and queues.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ItemStruct;

use super::derives::entity_derives;
use super::{Output, docs};
use crate::tree::{Exchange, Mark, Queue};

impl Output<'_> {
    pub(super) fn exchange(&self, exchange: &Exchange) -> TokenStream {
        let root = self.root;
        let lowered = &self.lowered.contract.exchanges[exchange.index];
        let docs = docs::doc(&exchange.item.attrs, docs::exchange(lowered));
        let of = quote!(#root::Exchange);
        self.entity(
            &exchange.item,
            &exchange.mark,
            &of,
            lowered.name.as_str(),
            &docs,
        )
    }

    pub(super) fn queue(&self, queue: &Queue) -> TokenStream {
        let root = self.root;
        let lowered = &self.lowered.contract.queues[queue.index];
        let docs = docs::doc(&queue.item.attrs, docs::queue(lowered));
        let of = quote!(#root::Queue);
        self.entity(&queue.item, &queue.mark, &of, lowered.name.as_str(), &docs)
    }

    fn entity(
        &self,
        item: &ItemStruct,
        mark: &Mark,
        of: &TokenStream,
        name: &str,
        docs: &TokenStream,
    ) -> TokenStream {
        let ItemStruct {
            attrs,
            vis,
            struct_token,
            ident,
            fields,
            semi_token,
            ..
        } = item;
        let derives = entity_derives(item);
        let mark = self.mark(mark);
        quote! {
            #(#attrs)*
            #docs
            #derives
            #[allow(dead_code)]
            #vis #struct_token #ident #fields #semi_token

            #[automatically_derived]
            impl #of for #ident {
                const NAME: &'static ::core::primitive::str = #name;
            }
            #mark
        }
    }
}
