//! Whether exchanges keep what passes through them.

use std::collections::BTreeSet;

use super::Subject;
use super::entangled::decided;
use super::words::{binding_key, label_of, stops};
use crate::dead_letter::dead_letter_target;
use crate::finding::{Entity, Finding, Part, Rule};
use crate::model::Exchange;
use crate::name::ExchangeName;
use crate::route::Unroutable;

/// `alternate-unroutable`: what an exchange passes to its alternate reaches a queue.
pub(super) fn check_alternates(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    for (index, exchange) in subject.contract.exchanges.iter().enumerate() {
        let (Some(alternate), false) = (&exchange.alternate, exchange.external) else {
            continue;
        };
        let site = Entity::Exchange(index).at(Part::Alternate);
        let who = format!(
            "messages that exchange `{}` passes to its alternate",
            exchange.name
        );
        let unroutable = subject.router.unroutable_by_alternate(&exchange.name);
        let Some(Some(Unroutable { key, routes })) =
            decided(subject, site, &who, unroutable, found)
        else {
            continue;
        };
        let label = label_of(subject, &routes);
        found.push(
            Finding::new(
                Rule::AlternateUnroutable,
                site,
                format!(
                    "what exchange `{}` passes to its alternate `{alternate}` reaches no queue",
                    exchange.name
                ),
                format!(
                    "bind a queue to `{label}` that takes key \"{}\", or make it a fanout exchange",
                    binding_key(&key)
                ),
            )
            .with_facts([format!("such as a message with key \"{key}\"")])
            .with_facts(stops(subject, &routes)),
        );
    }
}

/// `restart-loss`, `deletion-loss`: an exchange that nobody publishes to directly is there as long as
/// what leads to it: nobody would be told.
pub(super) fn check_passages(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    let passages = passages(subject);
    for (index, exchange) in subject.contract.exchanges.iter().enumerate() {
        let Some(passage) = passages.iter().find(|passage| passage.0 == exchange.name) else {
            continue;
        };
        if exchange.external {
            continue;
        }
        let (name, what) = (&exchange.name, passage.1);
        if !exchange.durable {
            found.push(Finding::new(
                Rule::RestartLoss,
                Entity::Exchange(index).at(Part::Option("transient")),
                format!(
                    "exchange `{name}` is gone when the broker restarts, and {what} are dropped"
                ),
                "leave `transient` out",
            ));
        }
        if exchange.auto_delete {
            found.push(Finding::new(
                Rule::DeletionLoss,
                Entity::Exchange(index).at(Part::Option("auto_delete")),
                format!(
                    "exchange `{name}` is deleted with its last binding, and {what} are dropped"
                ),
                "leave `auto_delete` out",
            ));
        }
    }
}

/// The exchanges that messages come to from the broker itself, with what they are then.
fn passages(subject: &Subject<'_>) -> BTreeSet<(ExchangeName, &'static str)> {
    let contract = subject.contract;
    let dead_letters = contract.queues.iter().filter_map(dead_letter_target);
    let dead_letters = dead_letters.map(|target| (target.exchange, "dead letters"));
    let alternates = contract
        .exchanges
        .iter()
        .filter_map(|exchange| exchange.alternate.clone());
    let alternates = alternates.map(|alternate| (alternate, "messages that nothing else takes"));
    let is_bound = |exchange: &&Exchange| !exchange.bindings.is_empty();
    let bound = contract.exchanges.iter().filter(is_bound);
    let bound = bound.map(|exchange| {
        (
            exchange.name.clone(),
            "messages from the exchange before it",
        )
    });
    dead_letters.chain(alternates).chain(bound).collect()
}
