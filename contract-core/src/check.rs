//! The rules that every contract keeps: one function each, from a contract to findings.

mod argument;
mod binding;
mod consumer;
mod dead_letter;
mod entangled;
mod exchange;
mod loss;
mod name;
mod publisher;
mod queue;
mod reference;
mod retry;
mod words;

use crate::finding::Finding;
use crate::model::Contract;
use crate::route::Router;
use crate::topology::Topology;

/// What the rules look at.
struct Subject<'c> {
    contract: &'c Contract,
    topology: &'c Topology,
    router: Router<'c>,
}

/// Everything that is wrong with a contract, in the contract's order.
///
/// ```
/// use contract_core::{Contract, check, model::Queue, QueueName};
/// use contract_core::model::{Consume, Handlers, MessageRef, Takes};
///
/// let mut contract = Contract::new("orders");
/// contract.queues.push(Queue::new(QueueName::literal("orders")));
/// let takes = Takes::Message(MessageRef::new("order.created", 1));
/// let consume = Consume::new("process", QueueName::literal("orders"), takes);
/// contract.handlers.push(Handlers::new("OrderHandlers", vec![consume]));
///
/// let findings = check::check(&contract);
/// let rules: Vec<&str> = findings.iter().map(|finding| finding.rule.id()).collect();
/// assert_eq!(rules, ["poison-loss", "unknown-entity"]); // no dead letter; no such message
/// ```
#[must_use]
pub fn check(contract: &Contract) -> Vec<Finding> {
    let (topology, underivable) = Topology::of(contract);
    let subject = Subject {
        contract,
        topology: &topology,
        router: Router::new(&topology),
    };
    let mut findings = Vec::new();
    let found = &mut findings;

    reference::check_unknown_entities(&subject, found);
    name::check_duplicate_entities(&subject, found);
    name::check_reserved_names(&subject, found);
    name::check_derived_names(&subject, &underivable, found);
    binding::check_binding_keys(&subject, found);
    retry::check_retry_range(&subject, found);
    retry::check_delivery_limits(&subject, found);
    queue::check_quorum_options(&subject, found);
    queue::check_classic_options(&subject, found);
    argument::check_raw_arguments(&subject, found);
    consumer::check_publish_internal(&subject, found);
    consumer::check_consumer_options(&subject, found);
    consumer::check_duplicate_consumers(&subject, found);
    consumer::check_queue_split(&subject, found);
    publisher::check_publishers(&subject, found);
    publisher::check_messages_taken(&subject, found);
    publisher::check_expirations(&subject, found);
    exchange::check_alternates(&subject, found);
    exchange::check_passages(&subject, found);
    loss::check_poison(&subject, found);
    loss::check_expiry(&subject, found);
    loss::check_overflow(&subject, found);
    loss::check_deletion(&subject, found);
    loss::check_restart(&subject, found);
    dead_letter::check_dead_letters(&subject, found);
    dead_letter::check_internal(&subject, found);
    dead_letter::check_cycles(&subject, found);
    dead_letter::check_hops(&subject, found);

    findings.sort_by_key(|finding| (finding.at, finding.rule));
    // Each question that could not be decided said so for itself.
    findings.dedup();
    findings
}

#[cfg(test)]
mod tests;
