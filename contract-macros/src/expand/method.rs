//! The signatures of a contract's methods, as the generated trait and its implementations have them.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{FnArg, ReturnType, Token};

use crate::tree::Method;

/// The method without its attributes, as the trait declares it: `async fn` becomes what promises
/// that the future can be sent to another thread. Where the user's signature is not what it should
/// be it stays as it was.
pub fn signature<A>(method: &Method<A>) -> TokenStream {
    let sig = &method.sig;
    if sig.asyncness.is_none() || !sig.generics.params.is_empty() || sig.variadic.is_some() {
        return quote!(#sig);
    }
    let (fn_token, ident, inputs) = (&sig.fn_token, &sig.ident, &sig.inputs);
    let (arrow, output) = match &sig.output {
        ReturnType::Type(arrow, ty) => (*arrow, quote!(#ty)),
        ReturnType::Default => (Token![->](sig.paren_token.span.close()), quote!(())),
    };
    // At the call site rustc could only point at `#[contract]`; on the name an editor would lead
    // there to all of these.
    let future = quote_spanned! {arrow.spans[0]=>
        impl ::core::future::Future<Output = #output> + ::core::marker::Send
    };
    quote!(#fn_token #ident(#inputs) #arrow #future)
}

/// Where the user's `self` is: a name from a macro of the user's is another one than ours.
pub fn receiver<A>(method: &Method<A>) -> TokenStream {
    if let Some(FnArg::Receiver(receiver)) = method.sig.inputs.first() {
        let this = &receiver.self_token;
        quote!(#this)
    } else {
        quote!(self)
    }
}

/// The place for what rustc may find wrong with the method's types.
pub fn anchor<A>(method: &Method<A>) -> Span {
    match &method.sig.output {
        ReturnType::Type(arrow, _) => arrow.spans[0],
        ReturnType::Default => method.semi.spans[0],
    }
}

/// The body of a method that could not be understood. It is never run: the contract does not
/// compile.
pub fn diverging<A>(method: &Method<A>) -> TokenStream {
    let arguments = method
        .sig
        .inputs
        .iter()
        .filter_map(|argument| match argument {
            FnArg::Typed(typed) => Some(&typed.pat),
            FnArg::Receiver(_) => None,
        });
    quote!({ #(let _ = &#arguments;)* ::core::panic!("the contract does not compile") })
}
