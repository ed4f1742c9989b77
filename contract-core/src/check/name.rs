//! Whether names can be had and are had once.

use std::collections::HashMap;

use super::Subject;
use crate::finding::{Entity, Finding, Part, Rule, Site};
use crate::name::is_reserved;
use crate::retry::RetryPlan;
use crate::topology::DerivedNameError;

/// `duplicate-entity`: two exchanges, two queues, or two messages of one version share a name.
pub(super) fn check_duplicate_entities(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    let contract = subject.contract;
    let exchanges = contract
        .exchanges
        .iter()
        .map(|exchange| (exchange.name.to_string(), &exchange.label));
    check_duplicates("exchange", exchanges, Entity::Exchange, found);
    let queues = contract
        .queues
        .iter()
        .map(|queue| (queue.name.to_string(), &queue.label));
    check_duplicates("queue", queues, Entity::Queue, found);
    let messages = contract
        .messages
        .iter()
        .map(|message| (message.reference().to_string(), &message.label));
    check_duplicates("message", messages, Entity::Message, found);
}

fn check_duplicates<'c>(
    kind: &str,
    named: impl Iterator<Item = (String, &'c String)>,
    entity: fn(usize) -> Entity,
    found: &mut Vec<Finding>,
) {
    let mut first: HashMap<String, &String> = HashMap::new();
    for (index, (name, label)) in named.enumerate() {
        if let Some(other) = first.get(&name) {
            let version = if kind == "message" {
                " or another version"
            } else {
                ""
            };
            found.push(Finding::new(
                Rule::DuplicateEntity,
                entity(index).at(Part::Name),
                format!("`{label}` and `{other}` are both {kind} `{name}`"),
                format!("give `{label}` another name{version}, or use `{other}` in its place"),
            ));
        } else {
            first.insert(name, label);
        }
    }
}

/// `reserved-name`: a name with the prefix that the broker keeps for itself.
pub(super) fn check_reserved_names(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    let mut check = |kind: &str, name: &str, entity: Entity| {
        if is_reserved(name) {
            found.push(Finding::new(
                Rule::ReservedName,
                entity.at(Part::Name),
                format!("{kind} `{name}` cannot be declared: names that start with `amq.` are RabbitMQ's own"),
                format!("choose another name, or mark the {kind} `external` if it is one of RabbitMQ's"),
            ));
        }
    };
    for (index, exchange) in subject
        .contract
        .exchanges
        .iter()
        .enumerate()
        .filter(|(_, it)| !it.external)
    {
        check("exchange", exchange.name.as_str(), Entity::Exchange(index));
    }
    for (index, queue) in subject
        .contract
        .queues
        .iter()
        .enumerate()
        .filter(|(_, it)| !it.external)
    {
        check("queue", queue.name.as_str(), Entity::Queue(index));
    }
}

/// `derived-name`: a name that a queue's own name gives rise to is too long or taken.
pub(super) fn check_derived_names(
    subject: &Subject<'_>,
    underivable: &[DerivedNameError],
    found: &mut Vec<Finding>,
) {
    for derived in underivable {
        found.push(Finding::new(
            Rule::DerivedName,
            derived.at,
            format!(
                "the dead letter derived from queue `{}` cannot be named: {}",
                derived.queue, derived.error
            ),
            "shorten the queue's name, or name the exchange: `dead_letter(Exchange, \"key\")`",
        ));
    }
    let contract = subject.contract;
    for exchange in &subject.topology.exchanges[contract.exchanges.len()..] {
        let name = &exchange.entity.name;
        if let Some(other) = contract.exchange(name) {
            let what = format!("exchange `{name}`");
            found.push(taken(subject, exchange.at, &what, &other.label));
        }
    }
    for queue in &subject.topology.queues[contract.queues.len()..] {
        let name = &queue.entity.name;
        if let Some(other) = contract.queue(name) {
            let what = format!("queue `{name}`");
            found.push(taken(subject, queue.at, &what, &other.label));
        }
    }
    for (index, queue) in contract.queues.iter().enumerate() {
        let Ok(plan) = RetryPlan::new(&queue.name, &queue.retry) else {
            continue;
        };
        for bucket in plan.buckets() {
            if let Some(other) = contract.queue(&bucket.name) {
                let at = Entity::Queue(index).at(Part::Retry);
                let what = format!("retry bucket `{}`", bucket.name);
                found.push(taken(subject, at, &what, &other.label));
            }
        }
    }
}

/// What is derived from a queue at `at` has the name of what `other` declares.
fn taken(subject: &Subject<'_>, at: Site, what: &str, other: &str) -> Finding {
    let queue = match at.entity {
        Entity::Queue(index) => &subject.contract.queues[index].label,
        _ => "",
    };
    let remedy = match at.part {
        Part::DeadLetter => ", or write the dead letter out: `dead_letter(Exchange, \"key\")`",
        _ => "",
    };
    Finding::new(
        Rule::DerivedName,
        at,
        format!("{what} is derived from `{queue}`, and `{other}` has that name already"),
        format!("give `{other}` another name{remedy}"),
    )
}
