//! The contract as it is written: what `parse` makes of the tokens.
//!
//! Options that name nothing else are already what the model holds; what refers to other items is
//! still a path. Whatever could not be understood is left at its default and its owner marked
//! `broken`, so that the stages after have something to work with and nothing to complain about.

use contract_core::model;
use contract_core::model::PublishKey;
use contract_core::name::{Pattern, RoutingKey};
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident};
use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, Path, Signature, Token, Type, TypeParamBound, Visibility, token};

/// An inline module marked `#[contract]`.
pub struct Module {
    pub attrs: Vec<Attribute>,
    pub inner_attrs: Vec<Attribute>,
    pub vis: Visibility,
    pub unsafety: Option<Token![unsafe]>,
    pub mod_token: Token![mod],
    pub ident: Ident,
    pub brace_token: token::Brace,
    pub items: Vec<Item>,
}

/// An item of the module.
#[allow(clippy::large_enum_variant)] // A contract has few, and each lives once.
pub enum Item {
    Exchange(Exchange),
    Queue(Queue),
    Message(Message),
    Payload(Payload),
    Publisher(Trait<Publish>),
    Handlers(Trait<Consume>),
    /// Not ours, or past understanding: goes out as it came in.
    Other(Other),
}

impl Item {
    /// Marks what has a mistake in its attribute; traits and their methods are marked one by one.
    pub fn break_data(&mut self) {
        match self {
            Self::Exchange(item) => item.broken = true,
            Self::Queue(item) => item.broken = true,
            Self::Message(item) => item.broken = true,
            Self::Payload(_) | Self::Publisher(_) | Self::Handlers(_) | Self::Other(_) => {}
        }
    }
}

/// An item that is passed through.
pub struct Other {
    pub tokens: TokenStream,
    /// What it is called, where that can be told, and in which namespaces it stands.
    pub name: Option<Ident>,
    pub is_function: bool,
    /// One of our attributes stood on it: what it was meant to be is not known.
    pub broken: bool,
}

/// The helper attribute of an item: the word as the user wrote it.
pub type Mark = Ident;

/// `#[exchange(..)] struct Orders;`
pub struct Exchange {
    pub mark: Mark,
    pub item: syn::ItemStruct,
    pub settings: model::Exchange,
    pub name_at: TokenStream,
    pub words: Words,
    pub alternate: Option<Path>,
    pub bindings: Vec<Bind>,
    pub broken: bool,
    /// Its place among the exchanges of the model: lowering says so.
    pub index: usize,
}

/// `#[queue(..)] struct OrderProcessing;`
pub struct Queue {
    pub mark: Mark,
    pub item: syn::ItemStruct,
    pub settings: model::Queue,
    pub name_at: TokenStream,
    pub bindings: Vec<Bind>,
    pub dead_letter: Option<DeadLetter>,
    pub words: Words,
    /// The options of its retry policy.
    pub retry_words: Words,
    pub broken: bool,
    /// Its place among the queues of the model: lowering says so.
    pub index: usize,
}

/// `bind(Exchange, ..)`
pub struct Bind {
    pub exchange: Path,
    pub key: BindKey,
}

/// What follows the exchange of a binding.
pub enum BindKey {
    None,
    Pattern(Located<Pattern>),
    Message(Path),
    Headers(Located<model::HeaderMatch>),
}

/// `dead_letter`, `dead_letter(..)`
pub enum DeadLetter {
    Derived {
        at: TokenStream,
    },
    To {
        exchange: Path,
        key: Option<Located<RoutingKey>>,
        owner: model::DeadLetterOwner,
    },
}

/// `#[message(..)] struct OrderCreated { .. }`
pub struct Message {
    pub mark: Mark,
    pub item: Data,
    pub settings: model::Message,
    pub name_at: TokenStream,
    pub derive: bool,
    pub broken: bool,
    /// Its place among the messages of the model: lowering says so.
    pub index: usize,
}

/// `#[payload] struct Address { .. }`
pub struct Payload {
    pub mark: Mark,
    pub item: Data,
}

impl Message {
    /// The type that implements the runtime's `Message`. What an alias stands for cannot: it may be
    /// of another crate, as the trait is.
    pub fn descriptor(&self) -> Ident {
        let ident = self.item.ident();
        match &self.item {
            Data::Alias(_) => format_ident!("__{}Message", ident),
            Data::Struct(_) | Data::Enum(_) => ident.clone(),
        }
    }
}

/// The item under a `#[message]` or a `#[payload]`.
#[derive(Clone)]
pub enum Data {
    Struct(syn::ItemStruct),
    Enum(syn::ItemEnum),
    /// Of messages only.
    Alias(syn::ItemType),
}

impl Data {
    pub fn ident(&self) -> &Ident {
        match self {
            Self::Struct(item) => &item.ident,
            Self::Enum(item) => &item.ident,
            Self::Alias(item) => &item.ident,
        }
    }

    pub fn attrs(&self) -> &[Attribute] {
        match self {
            Self::Struct(item) => &item.attrs,
            Self::Enum(item) => &item.attrs,
            Self::Alias(item) => &item.attrs,
        }
    }

    pub fn attrs_mut(&mut self) -> &mut Vec<Attribute> {
        match self {
            Self::Struct(item) => &mut item.attrs,
            Self::Enum(item) => &mut item.attrs,
            Self::Alias(item) => &mut item.attrs,
        }
    }

    pub fn into_tokens(self) -> TokenStream {
        match self {
            Self::Struct(item) => item.into_token_stream(),
            Self::Enum(item) => item.into_token_stream(),
            Self::Alias(item) => item.into_token_stream(),
        }
    }

    pub fn generics(&self) -> &syn::Generics {
        match self {
            Self::Struct(item) => &item.generics,
            Self::Enum(item) => &item.generics,
            Self::Alias(item) => &item.generics,
        }
    }
}

/// A trait marked `#[publisher]` or `#[handlers]`.
#[allow(clippy::struct_field_names)] // `trait_token` is what syn calls it.
pub struct Trait<A> {
    pub mark: Mark,
    pub attrs: Vec<Attribute>,
    pub vis: Visibility,
    pub trait_token: Token![trait],
    pub ident: Ident,
    pub generics: syn::Generics,
    pub supertraits: Punctuated<TypeParamBound, Token![+]>,
    pub members: Vec<Member<A>>,
    /// What is wrong is in its head: nothing can be said of it as a trait.
    pub broken: bool,
    /// The name of what it would give rise to is taken.
    pub is_taken: bool,
}

impl<A> Trait<A> {
    /// The methods, with those that are broken.
    pub fn methods(&self) -> impl Iterator<Item = &Method<A>> {
        self.members.iter().filter_map(|member| match member {
            Member::Method(method) => Some(&**method),
            Member::Other(_) => None,
        })
    }

    pub fn methods_mut(&mut self) -> impl Iterator<Item = &mut Method<A>> {
        self.members.iter_mut().filter_map(|member| match member {
            Member::Method(method) => Some(&mut **method),
            Member::Other(_) => None,
        })
    }
}

/// Something inside a trait.
pub enum Member<A> {
    Method(Box<Method<A>>),
    /// Not ours: goes out as it came in.
    Other(TokenStream),
}

/// A method of a trait of ours.
pub struct Method<A> {
    pub attrs: Vec<Attribute>,
    pub sig: Signature,
    pub semi: Token![;],
    pub attr: A,
    /// The argument that is the message, where there is one.
    pub message: Option<Argument>,
    /// The arguments that fill the fields of a publish's key.
    pub fields: Vec<Field>,
    /// Whether a handler wants the delivery as well.
    pub takes_delivery: bool,
    pub broken: bool,
    /// Where the model has it: its trait among those of its kind, and its place there. Lowering
    /// says so; none where it could not.
    pub modelled: Option<(usize, usize)>,
}

/// An argument: its name and the type of the message, without the reference.
pub struct Argument {
    pub name: Ident,
    pub ty: Type,
    /// What describes the message, where that is not the type itself. Lowering says so.
    pub descriptor: Option<Ident>,
}

impl Argument {
    /// The type that implements the runtime's `Message`.
    pub fn described(&self) -> TokenStream {
        match &self.descriptor {
            Some(descriptor) => descriptor.to_token_stream(),
            None => self.ty.to_token_stream(),
        }
    }
}

/// An argument that fills the field of its name.
pub struct Field {
    pub name: Ident,
    pub colon: Token![:],
}

/// `#[publish(..)]`
#[derive(Default)]
pub struct Publish {
    pub exchange: Option<Path>,
    pub key: Key,
    pub words: Words,
    pub headers: Vec<(String, model::Literal)>,
    pub expiration: Option<contract_core::Millis>,
    pub external: bool,
    pub lossy_unroutable: bool,
}

/// The routing key of a publish.
#[derive(Default)]
pub enum Key {
    /// None is written: the message's name.
    #[default]
    OfMessage,
    Written(Located<PublishKey>),
    /// One is written that is none: nothing is known of its fields.
    Broken,
}

/// `#[consume(..)]`
#[derive(Default)]
pub struct Consume {
    pub queue: Option<Path>,
    pub words: Words,
    pub concurrency: Option<u16>,
    pub prefetch: Option<u16>,
    pub timeout: Option<contract_core::Millis>,
    pub priority: Option<i32>,
    pub exclusive: bool,
}

/// The options that were written: each word of ours with the tokens of the option.
pub type Words = Vec<(&'static str, TokenStream)>;

/// A value and where it stands.
pub struct Located<T> {
    pub value: T,
    pub at: TokenStream,
}
