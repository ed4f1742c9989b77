//! Whether a binding's key is one that its exchange reads.

use super::Subject;
use crate::finding::{Entity, Finding, Part, Rule};
use crate::model::{Binding, BindingKey, Exchange, ExchangeKind};

/// `binding-key-missing`, `binding-key-ignored`, `wildcard-on-direct`: a binding has the key that
/// its exchange routes by, and no other.
pub(super) fn check_binding_keys(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    let contract = subject.contract;
    let exchanges = contract.exchanges.iter().enumerate();
    let exchanges = exchanges.map(|(index, exchange)| {
        (
            Entity::Exchange(index),
            exchange.name.as_str(),
            &exchange.bindings,
        )
    });
    let queues = contract.queues.iter().enumerate();
    let queues =
        queues.map(|(index, queue)| (Entity::Queue(index), queue.name.as_str(), &queue.bindings));
    for (entity, name, bindings) in exchanges.chain(queues) {
        for (index, binding) in bindings.iter().enumerate() {
            if let Some(source) = contract.exchange(&binding.exchange) {
                found.extend(check_binding_key(entity, name, index, binding, source));
            }
        }
    }
}

fn check_binding_key(
    entity: Entity,
    bound: &str,
    index: usize,
    binding: &Binding,
    source: &Exchange,
) -> Option<Finding> {
    let name = &source.name;
    let label = &source.label;
    let kind = source.kind.as_str();
    let key = entity.at(Part::BindingKey(index));
    let exchange = entity.at(Part::Binding(index));
    Some(match (&source.kind, &binding.key) {
        (ExchangeKind::Direct | ExchangeKind::Topic, BindingKey::None) => Finding::new(
            Rule::BindingKeyMissing,
            exchange,
            format!("`{bound}` is bound to exchange `{name}` ({kind}) without a key"),
            format!("write the key: `bind({label}, \"key\")`"),
        ),
        (ExchangeKind::Headers, BindingKey::None) => Finding::new(
            Rule::BindingKeyMissing,
            exchange,
            format!(
                "`{bound}` is bound to exchange `{name}` (headers) without the headers to look for"
            ),
            format!("write them: `bind({label}, all(header(\"name\", \"value\")))`"),
        ),
        (ExchangeKind::Fanout | ExchangeKind::Headers, BindingKey::Pattern(pattern)) => {
            Finding::new(
                Rule::BindingKeyIgnored,
                key,
                format!("exchange `{name}` ({kind}) ignores the binding key `{pattern}`"),
                match source.kind {
                    ExchangeKind::Fanout => {
                        format!(
                            "leave the key out: `bind({label})`, or make `{label}` a topic exchange"
                        )
                    }
                    _ => format!(
                        "name the headers: `bind({label}, all(header(\"name\", \"value\")))`"
                    ),
                },
            )
        }
        (
            ExchangeKind::Direct | ExchangeKind::Topic | ExchangeKind::Fanout,
            BindingKey::Headers(_),
        ) => Finding::new(
            Rule::BindingKeyIgnored,
            key,
            format!("exchange `{name}` ({kind}) does not look at headers"),
            format!(
                "bind by a key: `bind({label}, \"key\")`, or make `{label}` a headers exchange"
            ),
        ),
        (ExchangeKind::Direct, BindingKey::Pattern(pattern))
            if pattern
                .as_str()
                .split('.')
                .any(|word| word == "*" || word == "#") =>
        {
            Finding::new(
                Rule::WildcardOnDirect,
                key,
                format!(
                    "exchange `{name}` (direct) takes `{pattern}` literally, it knows no wildcards"
                ),
                format!("write the exact key, or make `{label}` a topic exchange"),
            )
        }
        _ => return None,
    })
}
