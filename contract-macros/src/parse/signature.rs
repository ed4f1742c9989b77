//! The signatures of methods: what is published, what is taken.

use contract_core::key::KeyTemplate;
use contract_core::model::PublishKey;
use syn::punctuated::Punctuated;
use syn::{
    FnArg, Ident, Pat, PatType, Receiver, ReceiverKind, ReturnType, Safety, Signature, Token, Type,
};

use super::item::label;
use crate::generated;
use crate::sink::Sink;
use crate::tree::{Argument, Consume, Field, Key, Publish};

/// What a signature says.
#[derive(Default)]
pub struct Signed {
    pub message: Option<Argument>,
    pub fields: Vec<Field>,
    pub takes_delivery: bool,
}

/// `async fn order_created(&self, event: &OrderCreated, region: &str) -> PublishResult;`
pub fn read_publish(sig: &Signature, publish: &Publish, sink: &mut Sink) -> Signed {
    check_shape(sig, "PublishResult", sink);
    if generated::PUBLISHER_FUNCTIONS
        .iter()
        .any(|own| sig.ident == own)
    {
        let message = format!(
            "the publisher has a function `{}` of its own\nhelp: name the method after what it publishes",
            sig.ident
        );
        sink.error(&sig.ident, message);
    }
    let arguments = typed(&sig.inputs);
    let Some((argument, rest)) = arguments.split_first() else {
        let message = "a publish takes the message\nhelp: write `(&self, event: &Message)`";
        sink.error(&sig.ident, message);
        return Signed::default();
    };
    let fields = read_fields(sig, rest, &publish.key, sink);
    let message = match ungroup(&argument.ty) {
        Type::Reference(reference) if reference.mutability.is_none() => {
            read_message(argument, &reference.elem, sink)
        }
        Type::Reference(reference) => {
            sink.error(
                reference,
                "a publish only reads the message\nhelp: write `&`, without `mut`",
            );
            None
        }
        other => {
            let shown = super::shown(other);
            sink.error(
                other,
                format!("a publish borrows the message\nhelp: write `&{shown}`"),
            );
            None
        }
    };
    Signed {
        message,
        fields,
        takes_delivery: false,
    }
}

/// The arguments behind the message: one for each field of the key, in any order.
fn read_fields(sig: &Signature, arguments: &[&PatType], key: &Key, sink: &mut Sink) -> Vec<Field> {
    let written = match key {
        Key::Broken => return Vec::new(),
        Key::OfMessage => None,
        Key::Written(key) => Some(key),
    };
    let template = match written.map(|key| &key.value) {
        Some(PublishKey::Template(template)) => Some(template),
        _ => None,
    };
    let wanted: Vec<&str> = template.iter().flat_map(|it| it.fields()).collect();
    let mut fields: Vec<Field> = Vec::new();
    for argument in arguments {
        let Some(name) = argument_name(argument, sink) else {
            continue;
        };
        if wanted.contains(&label(&name).as_str()) {
            let colon = argument.colon_token;
            fields.push(Field { name, colon });
        } else {
            let message = no_field(&name, template);
            sink.error(argument, message);
        }
    }
    let is_filled = |field: &&str| fields.iter().any(|it| label(&it.name) == **field);
    for field in wanted.iter().filter(|field| !is_filled(field)) {
        let message = format!(
            "field `{{{field}}}` of the key has no argument\n\
             help: add `{field}: &str`, or what else can be shown, to the arguments of `{}`",
            sig.ident
        );
        sink.error(written.map(|key| &key.at), message);
    }
    fields
}

/// What an argument is that fills nothing.
fn no_field(name: &Ident, template: Option<&KeyTemplate>) -> String {
    let field = label(name);
    match template {
        Some(key) => format!(
            "argument `{name}` is no field of the key \"{key}\"\n\
             help: write `{{{field}}}` as a word of the key, or leave the argument out"
        ),
        None => format!(
            "argument `{name}` has no place: a publish takes the message, and what fills the fields of its key\n\
             help: write `{{{field}}}` as a word of the key, or make it a field of the message"
        ),
    }
}

/// `async fn process_order(&self, order: OrderCreated, delivery: &Delivery) -> HandlerResult;`
pub fn read_consume(sig: &Signature, _: &Consume, sink: &mut Sink) -> Signed {
    check_shape(sig, "HandlerResult", sink);
    let arguments = typed(&sig.inputs);
    let (argument, delivery) = match arguments.as_slice() {
        [argument] => (argument, None),
        [argument, delivery] => (argument, Some(delivery)),
        _ => {
            let message = "a handler takes the message and, if it wants, the delivery\n\
                           help: write `(&self, message: Message, delivery: &Delivery)`";
            report_arguments(sig, &arguments, 2, message, sink);
            return Signed::default();
        }
    };
    if let Some(delivery) = delivery {
        match ungroup(&delivery.ty) {
            Type::Reference(reference) if reference.mutability.is_none() => {}
            other => sink.error(
                other,
                "a handler borrows the delivery\nhelp: write `&Delivery`",
            ),
        }
    }
    let message = match ungroup(&argument.ty) {
        Type::Reference(reference) => {
            let shown = super::shown(&reference.elem);
            sink.error(
                reference,
                format!("a handler takes the message by value\nhelp: write `{shown}`"),
            );
            None
        }
        other => read_message(argument, other, sink),
    };
    Signed {
        message,
        fields: Vec::new(),
        takes_delivery: delivery.is_some(),
    }
}

/// What every method of a contract has in common.
fn check_shape(sig: &Signature, result: &str, sink: &mut Sink) {
    if sig.asyncness.is_none() {
        sink.error(
            sig.fn_token,
            "a method of a contract is async\nhelp: write `async fn`",
        );
    }
    if let Some(token) = &sig.constness {
        sink.error(token, "a method of a contract is not const");
    }
    if !matches!(sig.safety, Safety::Default) {
        sink.error(
            &sig.safety,
            "a method of a contract is an ordinary, safe one",
        );
    }
    if let Some(abi) = &sig.abi {
        sink.error(abi, "a method of a contract has no ABI");
    }
    if let Some(variadic) = &sig.variadic {
        sink.error(
            variadic,
            "a method of a contract has a fixed number of arguments",
        );
    }
    let (generics, clause) = (&sig.generics, &sig.generics.where_clause);
    if !generics.params.is_empty() || clause.is_some() {
        let help = if generics.type_params().next().is_some() {
            "write a method for each message; what fills a field of the key can be `impl Display`"
        } else {
            "leave them out"
        };
        let message = format!(
            "a method of a contract has no generics: its message has one name and one schema\nhelp: {help}"
        );
        sink.error(quote::quote!(#generics #clause), message);
    }
    if matches!(sig.output, ReturnType::Default) {
        let message = format!(
            "method `{}` has no result\nhelp: write `-> {result}`",
            sig.ident
        );
        sink.error(&sig.ident, message);
    }
    match sig.inputs.first() {
        // A lifetime here is one of the generics.
        Some(FnArg::Receiver(Receiver {
            kind: ReceiverKind::Reference(_, lifetime, None),
            ..
        })) if lifetime.is_none() || !generics.params.is_empty() => {}
        Some(FnArg::Receiver(other)) => {
            sink.error(other, "a method of a contract takes `&self`");
        }
        _ => {
            let message = format!("method `{}` does not take `&self`", sig.ident);
            sink.error(&sig.ident, message);
        }
    }
}

/// The arguments behind the receiver.
fn typed(inputs: &Punctuated<FnArg, Token![,]>) -> Vec<&PatType> {
    inputs
        .iter()
        .filter_map(|argument| match argument {
            FnArg::Typed(typed) => Some(typed),
            FnArg::Receiver(_) => None,
        })
        .collect()
}

/// Reports a wrong number of arguments, at the first that is too many or else at the name.
fn report_arguments(
    sig: &Signature,
    arguments: &[&PatType],
    most: usize,
    message: &str,
    sink: &mut Sink,
) {
    match arguments.get(most) {
        Some(extra) => sink.error(extra, message),
        None => sink.error(&sig.ident, message),
    }
}

fn argument_name(argument: &PatType, sink: &mut Sink) -> Option<Ident> {
    match &*argument.pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => Some(pat.ident.clone()),
        other => {
            sink.error(other, "an argument of a contract's method has a name");
            None
        }
    }
}

fn read_message(argument: &PatType, ty: &Type, sink: &mut Sink) -> Option<Argument> {
    let name = argument_name(argument, sink)?;
    match ungroup(ty) {
        ty @ Type::Path(path) if path.qself.is_none() => Some(Argument {
            name,
            ty: ty.clone(),
            descriptor: None,
        }),
        other => {
            sink.error(other, "expected a message of the contract");
            None
        }
    }
}

/// A type from a user's `macro_rules!` can come in a group that nobody sees.
fn ungroup(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ungroup(&group.elem),
        Type::Paren(paren) => ungroup(&paren.elem),
        other => other,
    }
}
