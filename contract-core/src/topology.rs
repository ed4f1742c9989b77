//! What a contract comes to on the broker: its exchanges and queues, and those derived from them.

use crate::finding::{Entity, Part, Site};
use crate::model::{
    Binding, BindingKey, Contract, DeadLetter, Exchange, ExchangeKind, Queue, QueueKind,
};
use crate::name::{ExchangeName, NameError, Pattern, QueueName};

/// Exchanges and queues, the contract's own first, in its order; then the derived ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Topology {
    /// The exchanges.
    pub exchanges: Vec<Placed<Exchange>>,
    /// The queues.
    pub queues: Vec<Placed<Queue>>,
}

/// Something on the broker and the place in the contract that it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed<T> {
    /// The exchange or the queue.
    pub entity: T,
    /// Where the contract says so.
    pub at: Site,
}

/// A name that the contract's own names give rise to does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DerivedNameError {
    /// The dead letter that it is derived for.
    pub at: Site,
    /// The queue.
    pub queue: QueueName,
    /// Why it does not fit.
    pub error: NameError,
}

impl Topology {
    /// The topology of a contract, and the derived names that do not fit: their entities are left
    /// out.
    #[must_use]
    pub fn of(contract: &Contract) -> (Self, Vec<DerivedNameError>) {
        let mut topology = Self {
            exchanges: place(&contract.exchanges, Entity::Exchange),
            queues: place(&contract.queues, Entity::Queue),
        };
        let mut errors = Vec::new();
        for (index, queue) in contract.queues.iter().enumerate() {
            if queue.dead_letter != Some(DeadLetter::Derived) {
                continue;
            }
            let at = Entity::Queue(index).at(Part::DeadLetter);
            match derived_dead_letter(queue) {
                Ok((exchange, dead_letters)) => {
                    topology.exchanges.push(Placed {
                        entity: exchange,
                        at,
                    });
                    topology.queues.push(Placed {
                        entity: dead_letters,
                        at,
                    });
                }
                Err(error) => errors.push(DerivedNameError {
                    at,
                    queue: queue.name.clone(),
                    error,
                }),
            }
        }
        (topology, errors)
    }

    /// The position of the exchange of this name.
    #[must_use]
    pub fn exchange(&self, name: &ExchangeName) -> Option<usize> {
        self.exchanges
            .iter()
            .position(|exchange| exchange.entity.name == *name)
    }
}

fn place<T: Clone>(entities: &[T], entity: impl Fn(usize) -> Entity) -> Vec<Placed<T>> {
    let place = |(index, placed): (usize, &T)| Placed {
        entity: placed.clone(),
        at: entity(index).at(Part::Whole),
    };
    entities.iter().enumerate().map(place).collect()
}

/// The exchange and the queue of `dead_letter` alone.
fn derived_dead_letter(queue: &Queue) -> Result<(Exchange, Queue), NameError> {
    let exchange = Exchange::new(
        queue.name.derived_dead_letter_exchange()?,
        ExchangeKind::Direct,
    );
    let mut dead_letters = Queue::new(queue.name.derived_dead_letter_queue()?);
    // Whatever the queue itself is: what failed is kept as safely as the broker can.
    dead_letters.kind = QueueKind::Quorum;
    let key = Pattern::from(queue.name.derived_dead_letter_key());
    dead_letters.bindings.push(Binding::new(
        exchange.name.clone(),
        BindingKey::Pattern(key),
    ));
    Ok((exchange, dead_letters))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dead_letter::dead_letter_target;

    #[test]
    fn a_derived_dead_letter_is_an_exchange_a_queue_and_their_binding() {
        let mut contract = Contract::new("c");
        let mut queue = Queue::new(QueueName::literal("orders"));
        queue.kind = QueueKind::Classic;
        queue.dead_letter = Some(DeadLetter::Derived);
        contract.queues.push(queue);
        let (topology, errors) = Topology::of(&contract);
        assert!(errors.is_empty());
        assert_eq!(topology.exchanges[0].entity.name, "orders.dlx");
        let dead_letters = &topology.queues[1].entity;
        assert_eq!(dead_letters.name, "orders.dlq");
        assert_eq!(dead_letters.kind, QueueKind::Quorum);
        assert_eq!(topology.queues[1].at, Entity::Queue(0).at(Part::DeadLetter));
        let target = dead_letter_target(&contract.queues[0]).unwrap();
        assert_eq!(target.exchange, "orders.dlx");
        assert_eq!(
            dead_letters.bindings[0].key,
            BindingKey::Pattern(Pattern::from(target.key.expect("a key")))
        );
    }

    #[test]
    fn a_derived_name_that_does_not_fit_is_said() {
        let mut contract = Contract::new("c");
        let mut queue = Queue::new(QueueName::new("q".repeat(252)).unwrap());
        queue.dead_letter = Some(DeadLetter::Derived);
        contract.queues.push(queue);
        let (topology, errors) = Topology::of(&contract);
        assert_eq!(topology.queues.len(), 1);
        assert_eq!(errors[0].error, NameError::TooLong { bytes: 256 });
    }
}
