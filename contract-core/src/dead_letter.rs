//! Where a queue's dead letters go, and with which keys.

use crate::model::{BindingKey, Consume, DeadLetter, DeadLetterOwner, Queue, Retry, Takes};
use crate::name::{ExchangeName, RoutingKey};
use crate::route::{Headers, Router};
use crate::topic::Keys;
use crate::topology::Topology;

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

/// Where the dead letters of `queue` go, if it has any; none also where the derived name does not
/// fit.
#[must_use]
pub fn dead_letter_target(queue: &Queue) -> Option<DeadLetterTarget> {
    match queue.dead_letter.as_ref()? {
        DeadLetter::Derived => Some(DeadLetterTarget {
            exchange: queue.name.derived_dead_letter_exchange().ok()?,
            key: Some(queue.name.derived_dead_letter_key()),
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

/// Where the key of a dead letter comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyOrigin {
    /// The contract sets it.
    Set,
    /// The message keeps its own.
    Kept,
    /// It came back from a retry, through the default exchange: with the queue's name.
    QueueName,
}

/// The keys that the dead letters of `queue` can carry to `target`: the one that is set, else those
/// that the queue is bound with and, after a retry, the queue's name.
#[must_use]
pub fn dead_letter_keys<'q>(
    queue: &'q Queue,
    target: &'q DeadLetterTarget,
) -> Vec<(Keys<'q>, KeyOrigin)> {
    if let Some(key) = &target.key {
        return vec![(Keys::exactly(key.as_str()), KeyOrigin::Set)];
    }
    let mut keys: Vec<(Keys<'_>, KeyOrigin)> = queue
        .bindings
        .iter()
        .map(|binding| match &binding.key {
            BindingKey::Pattern(pattern) => (Keys::pattern(pattern.as_str()), KeyOrigin::Kept),
            BindingKey::None | BindingKey::Headers(_) => (Keys::all(), KeyOrigin::Kept),
        })
        .collect();
    if queue.retry != Retry::None {
        keys.push((Keys::exactly(queue.name.as_str()), KeyOrigin::QueueName));
    }
    keys
}

/// Whether dead letters of some queue can reach the queue at this position of the topology.
#[must_use]
pub fn reached_by_dead_letters(topology: &Topology, queue: usize) -> bool {
    let router = Router::new(topology);
    topology.queues.iter().any(|source| {
        let Some(target) = dead_letter_target(&source.entity) else {
            return false;
        };
        let keys = dead_letter_keys(&source.entity, &target);
        keys.iter().any(|(keys, _)| {
            router
                    .can_reach(&target.exchange, keys, Headers::Unknown, queue)
                    // A copy that we count ourselves is right in either case.
                    .unwrap_or(true)
        })
    })
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
    use crate::model::{Binding, Contract, Exchange, ExchangeKind};
    use crate::name::{Pattern, QueueName};

    #[test]
    fn dead_letters_reach_what_is_bound_to_their_exchange() {
        let mut contract = Contract::new("c");
        let dead = ExchangeName::literal("dead");
        contract.exchanges = vec![Exchange::new(dead.clone(), ExchangeKind::Topic)];
        let bound = |name, key| {
            let mut queue = Queue::new(QueueName::literal(name));
            queue.bindings = vec![Binding::new(
                dead.clone(),
                BindingKey::Pattern(Pattern::literal(key)),
            )];
            queue
        };
        let mut source = Queue::new(QueueName::literal("source"));
        source.dead_letter = Some(DeadLetter::To {
            exchange: dead.clone(),
            key: Some(RoutingKey::literal("a.b")),
            owner: DeadLetterOwner::Contract,
        });
        contract.queues = vec![source, bound("letters", "a.*"), bound("other", "b.#")];
        let (topology, _) = Topology::of(&contract);
        let reached = [0, 1, 2].map(|queue| reached_by_dead_letters(&topology, queue));
        assert_eq!(reached, [false, true, false]);
    }
}
