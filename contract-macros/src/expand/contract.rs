//! The contract itself: its model, built once.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Output, docs, model};
use crate::parse::label;
use crate::tree::{Item, Method, Module, Trait};

impl Output<'_> {
    pub(super) fn contract(&self, module: &Module) -> TokenStream {
        let root = self.root;
        let name = label(&module.ident);
        let docs = docs::doc(
            &[],
            [format!(
                "The contract `{name}` as data: what it declares, publishes and consumes."
            )],
        );
        let entities = module.items.iter().map(|item| self.entity_statement(item));
        quote! {
            #docs
            #[allow(dead_code)]
            pub fn contract() -> &'static #root::Contract {
                __definition().contract()
            }

            #[doc(hidden)]
            #[allow(dead_code)]
            fn __definition() -> &'static ::std::sync::Arc<#root::__private::Definition> {
                static DEFINITION: ::std::sync::LazyLock<::std::sync::Arc<#root::__private::Definition>> =
                    ::std::sync::LazyLock::new(|| {
                        use #root::__private as __private;
                        #[allow(unused_mut)]
                        let mut contract = __private::model::Contract::new(#name);
                        #(#entities)*
                        ::std::sync::Arc::new(__private::Definition::new(contract))
                    });
                &DEFINITION
            }
        }
    }

    /// The statement that adds an item to the model, if it is in it.
    fn entity_statement(&self, item: &Item) -> TokenStream {
        let contract = &self.lowered.contract;
        match item {
            Item::Exchange(it) => {
                let exchange = model::build_exchange(&contract.exchanges[it.index]);
                quote!(contract.exchanges.push(#exchange);)
            }
            Item::Queue(it) => {
                let queue = model::build_queue(&contract.queues[it.index]);
                quote!(contract.queues.push(#queue);)
            }
            Item::Message(it) => {
                let (descriptor, name) = (it.descriptor(), label(it.item.ident()));
                quote! {
                    contract.messages.push(__private::message::<#descriptor>(#name));
                }
            }
            Item::Publisher(it) => {
                group_statement(it, &quote!(publishers), &quote!(Publisher), |at| {
                    Some(model::build_publish(
                        contract.publishers.get(at.0)?.publishes.get(at.1)?,
                    ))
                })
            }
            Item::Handlers(it) => group_statement(it, &quote!(handlers), &quote!(Handlers), |at| {
                Some(model::build_consume(
                    contract.handlers.get(at.0)?.consumers.get(at.1)?,
                ))
            }),
            Item::Payload(_) | Item::Other(_) => TokenStream::new(),
        }
    }
}

/// The statement that adds a trait with its operations.
fn group_statement<A>(
    group: &Trait<A>,
    field: &TokenStream,
    ty: &TokenStream,
    operation: impl Fn((usize, usize)) -> Option<TokenStream>,
) -> TokenStream {
    let name = label(&group.ident);
    let pushes = group.methods().filter_map(|method: &Method<A>| {
        let operation = operation(method.modelled?)?;
        Some(quote!(operations.push(#operation);))
    });
    quote! {
        contract.#field.push({
            #[allow(unused_mut)]
            let mut operations = ::std::vec::Vec::new();
            #(#pushes)*
            __private::model::#ty::new(#name, operations)
        });
    }
}
