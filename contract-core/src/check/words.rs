//! How findings speak of routes.

use super::Subject;
use crate::model::{BindingKey, Exchange, ExchangeKind, Literal};
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
    stopped(subject, routes).map_or("", |exchange| &exchange.label)
}

/// Whether the exchange at which a message stopped looks at headers, and not at the key.
pub(super) fn is_by_headers(subject: &Subject<'_>, routes: &Routes) -> bool {
    stopped(subject, routes).is_some_and(|exchange| exchange.kind == ExchangeKind::Headers)
}

fn stopped<'s>(subject: &'s Subject<'_>, routes: &Routes) -> Option<&'s Exchange> {
    let at = routes.stopped.first()?;
    Some(&subject.topology.exchanges[*at].entity)
}

/// Headers as a person reads them: `header region = "eu"`.
pub(super) fn headers(headers: &[(String, Literal)]) -> String {
    let shown: Vec<String> = headers
        .iter()
        .map(|(name, value)| match value {
            Literal::Bool(value) => format!("{name} = {value}"),
            Literal::Int(value) => format!("{name} = {value}"),
            Literal::Text(value) => format!("{name} = \"{value}\""),
        })
        .collect();
    match shown.as_slice() {
        [] => "no headers".to_owned(),
        [one] => format!("header {one}"),
        several => format!("headers {}", several.join(", ")),
    }
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
                BindingKey::Headers(wanted) => {
                    let all = if wanted.all { "all" } else { "any" };
                    format!("{all} of {}", headers(&wanted.headers))
                }
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
