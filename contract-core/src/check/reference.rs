//! Whether everything that is named exists.

use super::Subject;
use crate::finding::{Entity, Finding, Part, Rule, Site};
use crate::model::{Binding, Consume, DeadLetter, MessageRef, Publish, Takes};
use crate::name::{ExchangeName, QueueName};
use crate::similar::nearest;

/// `unknown-entity`: something is named that the contract does not have.
pub(super) fn check_unknown_entities(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    let mut check = Check { subject, found };
    for (index, exchange) in subject.contract.exchanges.iter().enumerate() {
        let entity = Entity::Exchange(index);
        check.bindings(entity, &exchange.bindings);
        if let Some(alternate) = &exchange.alternate {
            check.exchange(entity.at(Part::Alternate), alternate);
        }
    }
    for (index, queue) in subject.contract.queues.iter().enumerate() {
        let entity = Entity::Queue(index);
        check.bindings(entity, &queue.bindings);
        if let Some(DeadLetter::To { exchange, .. }) = &queue.dead_letter {
            check.exchange(entity.at(Part::DeadLetter), exchange);
        }
    }
    for (index, publisher) in subject.contract.publishers.iter().enumerate() {
        for (at, publish) in publisher.publishes.iter().enumerate() {
            check.publish(Entity::Publish(index, at), publish);
        }
    }
    for (index, handlers) in subject.contract.handlers.iter().enumerate() {
        for (at, consumer) in handlers.consumers.iter().enumerate() {
            check.consumer(Entity::Consume(index, at), consumer);
        }
    }
}

struct Check<'s, 'c> {
    subject: &'s Subject<'c>,
    found: &'s mut Vec<Finding>,
}

impl Check<'_, '_> {
    fn bindings(&mut self, entity: Entity, bindings: &[Binding]) {
        for (index, binding) in bindings.iter().enumerate() {
            self.exchange(entity.at(Part::Binding(index)), &binding.exchange);
        }
    }

    fn publish(&mut self, entity: Entity, publish: &Publish) {
        self.exchange(entity.at(Part::Exchange), &publish.exchange);
        self.message(entity.at(Part::Message), &publish.message);
    }

    fn consumer(&mut self, entity: Entity, consumer: &Consume) {
        self.queue(entity.at(Part::Queue), &consumer.queue);
        if let Takes::Message(message) = &consumer.takes {
            self.message(entity.at(Part::Message), message);
        }
    }

    fn exchange(&mut self, at: Site, name: &ExchangeName) {
        if self.subject.contract.exchange(name).is_none() {
            let known = self
                .subject
                .contract
                .exchanges
                .iter()
                .map(|exchange| exchange.name.as_str());
            self.unknown(at, "exchange", name.as_str(), known.collect());
        }
    }

    fn queue(&mut self, at: Site, name: &QueueName) {
        if self.subject.contract.queue(name).is_none() {
            let known = self
                .subject
                .contract
                .queues
                .iter()
                .map(|queue| queue.name.as_str());
            self.unknown(at, "queue", name.as_str(), known.collect());
        }
    }

    fn message(&mut self, at: Site, wanted: &MessageRef) {
        let messages = &self.subject.contract.messages;
        if !messages
            .iter()
            .any(|message| message.reference() == *wanted)
        {
            let known: Vec<String> = messages
                .iter()
                .map(|message| message.reference().to_string())
                .collect();
            let known = known.iter().map(String::as_str).collect();
            self.unknown(at, "message", &wanted.to_string(), known);
        }
    }

    fn unknown(&mut self, at: Site, kind: &str, name: &str, known: Vec<&str>) {
        let help = match nearest(name, known) {
            Some(near) => format!("the contract has {kind} `{near}`"),
            None => format!(
                "add {kind} `{name}` to the contract, marked external if it is declared elsewhere"
            ),
        };
        let message = format!("{kind} `{name}` is not in the contract");
        self.found
            .push(Finding::new(Rule::UnknownEntity, at, message, help));
    }
}
