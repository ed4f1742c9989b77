//! What traits say: publishes and consumers.

use contract_core::finding::{Entity, Part};
use contract_core::model::{self, PublishKey, Takes};
use contract_core::name::RoutingKey;
use syn::{Path, Type};

use super::Lowering;
use crate::names::{Kind, Meaning};
use crate::parse::label;
use crate::symbol;
use crate::tree::{Consume, Key, Method, Publish, Trait};

impl Lowering<'_> {
    pub(super) fn publisher(&mut self, publisher: &mut Trait<Publish>) {
        let index = self.lowered.contract.publishers.len();
        let mut lowered = Vec::new();
        for method in publisher.methods_mut() {
            self.describe(method);
            let Some(publish) = self.publish(method) else {
                continue;
            };
            let at = lowered.len();
            lowered.push(publish);
            method.modelled = Some((index, at));
            let entity = Entity::Publish(index, at);
            self.words(entity, &method.attr.words);
            self.place(entity, Part::Exchange, &method.attr.exchange);
            if let Key::Written(key) = &method.attr.key {
                self.place(entity, Part::Key, &key.at);
            }
            self.locate(entity, method);
        }
        let lowered = model::Publisher::new(label(&publisher.ident), lowered);
        self.lowered.contract.publishers.push(lowered);
    }

    pub(super) fn handlers(&mut self, handlers: &mut Trait<Consume>) {
        let index = self.lowered.contract.handlers.len();
        let mut consumers = Vec::new();
        for method in handlers.methods_mut() {
            self.describe(method);
            let Some(consume) = self.consume(method) else {
                continue;
            };
            let at = consumers.len();
            consumers.push(consume);
            method.modelled = Some((index, at));
            let entity = Entity::Consume(index, at);
            self.words(entity, &method.attr.words);
            self.place(entity, Part::Queue, &method.attr.queue);
            self.locate(entity, method);
        }
        let lowered = model::Handlers::new(label(&handlers.ident), consumers);
        self.lowered.contract.handlers.push(lowered);
    }

    /// Says by which type the runtime knows the message.
    fn describe<A>(&self, method: &mut Method<A>) {
        let descriptor = message_path(method).and_then(|path| self.names.alias(path).cloned());
        if let Some(message) = &mut method.message {
            message.descriptor = descriptor;
        }
    }

    fn locate<A>(&mut self, entity: Entity, method: &Method<A>) {
        self.place(entity, Part::Whole, &method.sig.ident);
        if let Some(message) = &method.message {
            self.place(entity, Part::Message, &message.ty);
        }
    }

    fn publish(&mut self, method: &Method<Publish>) -> Option<model::Publish> {
        let attr = &method.attr;
        // Both, before anything is given up: each may be a mistake of its own.
        let exchange = attr
            .exchange
            .as_ref()
            .and_then(|path| self.exchange_name(path));
        let message = message_path(method).and_then(|path| self.message_ref(path));
        if method.broken {
            return None;
        }
        let (exchange, message) = (exchange?, message?);
        let key = match &attr.key {
            Key::Written(key) => key.value.clone(),
            Key::OfMessage => PublishKey::Fixed(RoutingKey::new(message.name.clone()).ok()?),
            Key::Broken => return None,
        };
        let name = label(&method.sig.ident);
        let mut publish = model::Publish::new(name, exchange, key, message);
        publish.headers.clone_from(&attr.headers);
        publish.expiration = attr.expiration;
        publish.external = attr.external;
        publish.lossy_unroutable = attr.lossy_unroutable;
        Some(publish)
    }

    fn consume(&mut self, method: &Method<Consume>) -> Option<model::Consume> {
        let attr = &method.attr;
        let queue = attr.queue.as_ref().and_then(|path| self.queue_name(path));
        let takes = message_path(method).and_then(|path| self.takes(path));
        if method.broken {
            return None;
        }
        let mut consume = model::Consume::new(label(&method.sig.ident), queue?, takes?);
        consume.concurrency = attr.concurrency;
        consume.prefetch = attr.prefetch;
        consume.timeout = attr.timeout;
        consume.priority = attr.priority;
        consume.exclusive = attr.exclusive;
        Some(consume)
    }

    /// A message of the contract, or one of the two types that take whatever comes.
    fn takes(&mut self, path: &Path) -> Option<Takes> {
        if self.names.meaning(path, Kind::Message) == Meaning::Foreign {
            let last = path.segments.last()?;
            if last.ident == symbol::RAW_MESSAGE {
                return Some(Takes::Raw);
            }
            if last.ident == symbol::DEAD_LETTER_TYPE {
                return Some(Takes::DeadLetter);
            }
        }
        self.message_ref(path).map(Takes::Message)
    }
}

fn message_path<A>(method: &Method<A>) -> Option<&Path> {
    match &method.message.as_ref()?.ty {
        Type::Path(ty) => Some(&ty.path),
        _ => None,
    }
}
