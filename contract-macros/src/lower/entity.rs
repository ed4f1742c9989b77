//! Exchanges, queues and messages.

use contract_core::finding::{Entity, Part};
use contract_core::model::{self, Binding, BindingKey};
use contract_core::name::Pattern;

use super::Lowering;
use crate::tree::{Bind, BindKey, DeadLetter, Exchange, Message, Queue};

impl Lowering<'_> {
    pub(super) fn exchange(&mut self, exchange: &Exchange) {
        let entity = Entity::Exchange(exchange.index);
        self.place(entity, Part::Whole, &exchange.item.ident);
        self.place(entity, Part::Name, &exchange.name_at);
        self.words(entity, &exchange.words);
        let bindings = self.bindings(entity, &exchange.bindings);
        let alternate = exchange.alternate.as_ref().and_then(|path| {
            self.place(entity, Part::Alternate, path);
            let name = self.exchange_name(path);
            if name.is_none() {
                self.poison(entity);
            }
            name
        });
        if exchange.broken {
            self.poison(entity);
        }
        let lowered = &mut self.lowered.contract.exchanges[exchange.index];
        lowered.bindings = bindings;
        lowered.alternate = alternate;
    }

    pub(super) fn queue(&mut self, queue: &Queue) {
        let entity = Entity::Queue(queue.index);
        self.place(entity, Part::Whole, &queue.item.ident);
        self.place(entity, Part::Name, &queue.name_at);
        self.words(entity, &queue.words);
        for (word, at) in &queue.retry_words {
            self.place(entity, Part::RetryOption(word), at);
        }
        let bindings = self.bindings(entity, &queue.bindings);
        let dead_letter = queue
            .dead_letter
            .as_ref()
            .and_then(|dead_letter| self.dead_letter(entity, dead_letter));
        if queue.broken {
            self.poison(entity);
        }
        let lowered = &mut self.lowered.contract.queues[queue.index];
        lowered.bindings = bindings;
        lowered.dead_letter = dead_letter;
    }

    pub(super) fn message(&mut self, message: &Message) {
        let entity = Entity::Message(message.index);
        self.place(entity, Part::Whole, message.item.ident());
        self.place(entity, Part::Name, &message.name_at);
        if message.broken {
            self.poison(entity);
        }
    }

    /// The bindings that can be understood; one that cannot poisons what is bound.
    fn bindings(&mut self, entity: Entity, binds: &[Bind]) -> Vec<Binding> {
        let mut bindings = Vec::new();
        for bind in binds {
            let exchange = self.exchange_name(&bind.exchange);
            let key = self.binding_key(&bind.key);
            let (Some(exchange), Some(key)) = (exchange, key) else {
                self.poison(entity);
                continue;
            };
            let at = bindings.len();
            self.place(entity, Part::Binding(at), &bind.exchange);
            match &bind.key {
                BindKey::None => {}
                BindKey::Pattern(key) => self.place(entity, Part::BindingKey(at), &key.at),
                BindKey::Message(path) => self.place(entity, Part::BindingKey(at), path),
                BindKey::Headers(key) => self.place(entity, Part::BindingKey(at), &key.at),
            }
            bindings.push(Binding::new(exchange, key));
        }
        bindings
    }

    fn binding_key(&mut self, key: &BindKey) -> Option<BindingKey> {
        Some(match key {
            BindKey::None => BindingKey::None,
            BindKey::Pattern(pattern) => BindingKey::Pattern(pattern.value.clone()),
            BindKey::Headers(headers) => BindingKey::Headers(headers.value.clone()),
            BindKey::Message(path) => {
                let message = self.message_ref(path)?;
                BindingKey::Pattern(Pattern::new(message.name).ok()?)
            }
        })
    }

    fn dead_letter(
        &mut self,
        entity: Entity,
        dead_letter: &DeadLetter,
    ) -> Option<model::DeadLetter> {
        let (path, key, owner) = match dead_letter {
            DeadLetter::Derived { at } => {
                self.place(entity, Part::DeadLetter, at);
                return Some(model::DeadLetter::Derived);
            }
            DeadLetter::To {
                exchange,
                key,
                owner,
            } => (exchange, key, owner),
        };
        // The key is what usually misses, the exchange where there is no key.
        match key {
            Some(key) => self.place(entity, Part::DeadLetter, &key.at),
            None => self.place(entity, Part::DeadLetter, path),
        }
        let Some(exchange) = self.exchange_name(path) else {
            self.poison(entity);
            return None;
        };
        Some(model::DeadLetter::To {
            exchange,
            key: key.as_ref().map(|key| key.value.clone()),
            owner: *owner,
        })
    }
}
