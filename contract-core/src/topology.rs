//! What a contract comes to on the broker: its exchanges and queues, and those derived from them.

use crate::finding::{Entity, Part, Site};
use crate::model::{
    Binding, BindingKey, Consume, Contract, DeadLetter, DeadLetterOwner, Exchange, ExchangeKind,
    Queue, QueueKind, Takes,
};
use crate::name::{ExchangeName, NameError, Pattern, QueueName, RoutingKey};

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

/// Where a queue's dead letters are published to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadLetterTarget {
    /// The exchange.
    pub exchange: ExchangeName,
    /// The routing key; without one a message keeps its own.
    pub key: Option<RoutingKey>,
    /// Who answers for what lies behind it.
    pub owner: DeadLetterOwner,
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
    let key = Pattern::from(derived_key(queue));
    dead_letters.bindings.push(Binding::new(
        exchange.name.clone(),
        BindingKey::Pattern(key),
    ));
    Ok((exchange, dead_letters))
}

fn derived_key(queue: &Queue) -> RoutingKey {
    RoutingKey::new(queue.name.as_str()).expect("a queue's name is short enough for a routing key")
}

/// Where the dead letters of `queue` go, if it has any; none also where the derived name does not
/// fit.
#[must_use]
pub fn dead_letter_target(queue: &Queue) -> Option<DeadLetterTarget> {
    match queue.dead_letter.as_ref()? {
        DeadLetter::Derived => Some(DeadLetterTarget {
            exchange: queue.name.derived_dead_letter_exchange().ok()?,
            key: Some(derived_key(queue)),
            owner: DeadLetterOwner::Contract,
        }),
        DeadLetter::To {
            exchange,
            key,
            owner,
        } => Some(DeadLetterTarget {
            exchange: exchange.clone(),
            key: key.clone(),
            owner: *owner,
        }),
    }
}

/// Whether a message of this queue that cannot be handled needs a way out: whether some consumer
/// may give one up, which a consumer of dead letters never does.
#[must_use]
pub fn gives_up_messages<'c>(mut consumers: impl Iterator<Item = &'c Consume>) -> bool {
    consumers.any(|consumer| consumer.takes != Takes::DeadLetter)
}

#[cfg(test)]
mod tests {
    use super::*;

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
