//! What is said where routing cannot be told from the patterns.

use super::Subject;
use crate::finding::{Finding, Rule, Site};
use crate::route::Undecided;

/// Keeps what was decided; `entangled-patterns` where nothing was.
pub(super) fn decided<T>(
    subject: &Subject<'_>,
    at: Site,
    who: &str,
    question: Result<T, Undecided>,
    found: &mut Vec<Finding>,
) -> Option<T> {
    question
        .map_err(|undecided| found.push(finding(subject, at, who, &undecided)))
        .ok()
}

/// `entangled-patterns`: what the bindings on a message's way take can be told.
fn finding(subject: &Subject<'_>, at: Site, who: &str, undecided: &Undecided) -> Finding {
    let exchanges = undecided.bindings.iter().map(|(exchange, patterns)| {
        let patterns: Vec<String> = patterns
            .iter()
            .map(|pattern| format!("\"{pattern}\""))
            .collect();
        format!(
            "exchange `{}` has bindings with words behind a `#`: {}",
            subject.topology.exchanges[*exchange].entity.name,
            patterns.join(", ")
        )
    });
    Finding::new(
        Rule::EntangledPatterns,
        at,
        format!(
            "which queues {who} reach cannot be told: the patterns on the way are too entangled"
        ),
        "write these patterns with `#` as their last word, or with fewer `*` behind it",
    )
    .with_facts(exchanges)
}
