//! How findings speak of routes.

use super::Subject;
use crate::model::BindingKey;
use crate::route::Routes;

/// The key to bind with, for a key that reaches no queue: any word where any word does.
pub(super) fn binding_key(key: &str) -> String {
    let words: Vec<&str> = key
        .split('.')
        .map(|word| if word == "_" { "*" } else { word })
        .collect();
    words.join(".")
}

/// What the author calls the exchange at which a message stopped.
pub(super) fn label_of<'s>(subject: &'s Subject<'_>, routes: &Routes) -> &'s str {
    let stopped = routes
        .stopped
        .first()
        .map(|at| &subject.topology.exchanges[*at].entity);
    stopped.map_or("", |exchange| &exchange.label)
}

/// A line for each exchange at which a message stopped: what it would have taken.
pub(super) fn stops(subject: &Subject<'_>, routes: &Routes) -> Vec<String> {
    let stop = |at: &usize| {
        let exchange = &subject.topology.exchanges[*at].entity;
        let keys: Vec<String> = subject
            .router
            .bindings_from(*at)
            .map(|binding| match &binding.key {
                BindingKey::Pattern(pattern) => format!("\"{pattern}\""),
                BindingKey::None => "\"\"".to_owned(),
                BindingKey::Headers(_) => "by headers".to_owned(),
            })
            .collect();
        let (name, kind) = (&exchange.name, exchange.kind.as_str());
        if keys.is_empty() {
            format!("exchange `{name}` ({kind}) has no bindings")
        } else {
            format!(
                "exchange `{name}` ({kind}) has bindings: {}",
                keys.join(", ")
            )
        }
    };
    routes.stopped.iter().map(stop).collect()
}
