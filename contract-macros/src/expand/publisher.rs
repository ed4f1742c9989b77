//! Publishers: the trait, the type that publishes, and what else implements the trait.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Attribute;

use super::method::{anchor, diverging, receiver, signature};
use super::{Output, docs, inherited};
use crate::generated::{PUBLISHER_FUNCTIONS, publisher_type};
use crate::parse::label;
use crate::tree::{Field, Member, Method, Publish, Trait};

type PublishMethod = Method<Publish>;

impl Output<'_> {
    pub(super) fn publisher(&self, publisher: &Trait<Publish>) -> TokenStream {
        let own = self.publisher_trait(publisher);
        let mark = self.mark(&publisher.mark);
        if publisher.is_taken {
            return quote!(#own #mark);
        }
        let of_type = self.publisher_type(publisher);
        let implementations = (!publisher.broken).then(|| implementations(publisher));
        quote!(#own #of_type #implementations #mark)
    }

    fn publisher_trait(&self, publisher: &Trait<Publish>) -> TokenStream {
        let Trait {
            attrs,
            vis,
            trait_token,
            ident,
            generics,
            supertraits,
            ..
        } = publisher;
        let clause = &generics.where_clause;
        let docs = docs::doc(
            attrs,
            [format!(
                "What a service publishes. [`{}`] does it; a test can implement the trait itself.",
                publisher_type(ident)
            )],
        );
        let supertraits = supertraits.iter();
        let members = publisher.members.iter().map(|member| match member {
            Member::Other(tokens) => tokens.clone(),
            Member::Method(method) => {
                let (attrs, semi, docs) = (&method.attrs, &method.semi, self.publish_docs(method));
                let signature = signature(method);
                quote!(#(#attrs)* #docs #signature #semi)
            }
        });
        quote! {
            #(#attrs)*
            #docs
            #[allow(dead_code)]
            #vis #trait_token #ident #generics: ::core::marker::Send + ::core::marker::Sync #(+ #supertraits)* #clause {
                #(#members)*
            }
        }
    }

    fn publish_docs(&self, method: &PublishMethod) -> TokenStream {
        let publish = method.modelled.and_then(|(publisher, at)| {
            let publisher = self.lowered.contract.publishers.get(publisher)?;
            publisher.publishes.get(at)
        });
        docs::doc(
            &method.attrs,
            publish.map(docs::publish).unwrap_or_default(),
        )
    }

    fn publisher_type(&self, publisher: &Trait<Publish>) -> TokenStream {
        let root = self.root;
        let (vis, of) = (&publisher.vis, &publisher.ident);
        let ident = publisher_type(of);
        let name = label(of);
        let inherited = inherited(&publisher.attrs);
        let docs = docs::doc(
            &[],
            [format!(
                "Publishes what [`{of}`] says. Clones share one channel and its limits."
            )],
        );
        let is_free = |method: &&PublishMethod| {
            let ident = &method.sig.ident;
            !PUBLISHER_FUNCTIONS.iter().any(|own| ident == own)
        };
        let methods = publisher.methods().filter(is_free).map(|method| {
            let body = publish_body(method);
            let docs = self.publish_docs(method);
            let (attrs, sig) = (documented(&method.attrs), &method.sig);
            quote!(#(#attrs)* #docs #vis #sig #body)
        });
        quote! {
            #(#inherited)*
            #docs
            #[derive(::core::clone::Clone, ::core::fmt::Debug)]
            #[allow(dead_code)]
            #vis struct #ident {
                inner: #root::__private::Publisher,
            }

            #[allow(dead_code)]
            impl #ident {
                /// A publisher over this connection.
                #vis fn new(connection: &#root::Connection) -> Self {
                    Self { inner: #root::__private::Publisher::new(connection, __definition(), #name) }
                }

                /// The same publisher with these options for each of its publishes.
                #vis fn with(&self, options: #root::PublishOptions) -> Self {
                    Self { inner: self.inner.with(options) }
                }

                /// Declares where its messages go: the exchanges, alternates included, and the queues that no
                /// handlers of the contract consume, with their dead letters. A consumed queue is its
                /// consumers' to declare: until they have, a publish that only it would take is unroutable.
                /// What is there as the contract says stays as it is.
                #vis async fn declare(&self) -> ::core::result::Result<(), #root::DeclareError> {
                    self.inner.declare().await
                }

                /// Publishes many, and gives the result of each, in their order: `publishes` are calls of
                /// this publisher's methods. They are begun in their order, and as many are under way as
                /// the publisher's limits allow. One that fails stops no other.
                #vis async fn publish_all<__F>(
                    &self,
                    publishes: impl ::core::iter::IntoIterator<Item = __F>,
                ) -> ::std::vec::Vec<#root::PublishResult>
                where
                    __F: ::core::future::Future<Output = #root::PublishResult>,
                {
                    self.inner.publish_all(publishes).await
                }

                /// Takes no more publishes, of any clone, and waits for the answers to those that there
                /// are, at most the connection's close timeout.
                #vis async fn close(&self) {
                    self.inner.close().await
                }

                #(#methods)*
            }
        }
    }
}

/// The trait for the type itself, and for references and `Arc`s to whatever implements it.
fn implementations(publisher: &Trait<Publish>) -> TokenStream {
    let of = &publisher.ident;
    let ident = publisher_type(of);
    let implement = |generics: TokenStream, ty: TokenStream, owner: TokenStream, is_own: bool| {
        let methods = publisher.methods().map(|method| {
            // What cannot be forwarded stays as the user wrote it.
            let signature = if is_own || method.modelled.is_none() {
                let sig = &method.sig;
                quote!(#sig)
            } else {
                signature(method)
            };
            let body = forward(method, &owner, is_own);
            quote!(#signature #body)
        });
        quote! {
            #[automatically_derived]
            impl #generics #of for #ty {
                #(#methods)*
            }
        }
    };
    let own = implement(quote!(), quote!(#ident), quote!(Self), true);
    let generics = quote!(<__T: #of>);
    let through = quote!(<__T as #of>);
    let reference = implement(generics.clone(), quote!(&__T), through.clone(), false);
    let shared = implement(generics, quote!(::std::sync::Arc<__T>), through, false);
    quote!(#own #reference #shared)
}

/// Publishes, by the runtime. The fields of the key are read before the future is made: what can be
/// shown need not be what can be sent to another thread.
fn publish_body(method: &PublishMethod) -> TokenStream {
    let (Some(_), Some(message)) = (method.modelled, &method.message) else {
        return diverging(method);
    };
    let (this, argument) = (receiver(method), &message.name);
    let descriptor = message.described();
    let name = label(&method.sig.ident);
    let fields = method.fields.iter().map(|Field { name, colon }| {
        let field = label(name);
        quote_spanned!(colon.span=> (#field, &#name))
    });
    quote_spanned! {anchor(method)=>
        {
            let sent = #this.inner.publish_message::<#descriptor>(#name, &[#(#fields),*], #argument);
            sent.await
        }
    }
}

/// Calls the method of `owner`; a reference to it and an `Arc` of it are dereferenced by the call.
fn forward(method: &PublishMethod, owner: &TokenStream, is_own: bool) -> TokenStream {
    let (Some(_), Some(message)) = (method.modelled, &method.message) else {
        return diverging(method);
    };
    let (this, name, argument) = (receiver(method), &method.sig.ident, &message.name);
    let fields = method.fields.iter().map(|field| &field.name);
    let wait = is_own.then(|| quote!(.await));
    quote_spanned! {anchor(method)=>
        { #owner::#name(#this, #argument #(, #fields)*) #wait }
    }
}

/// What an inherent method has from the trait's: its documentation and `#[deprecated]`.
fn documented(attrs: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attrs.iter().filter(|attr| {
        ["doc", "deprecated"]
            .iter()
            .any(|kept| attr.path().is_ident(kept))
    })
}
