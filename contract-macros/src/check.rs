//! The rules of the core, reported at the user's tokens.

use crate::lower::Lowered;
use crate::sink::Sink;

/// Reports every finding but those that follow from what has been reported already.
pub fn check(lowered: &Lowered, sink: &mut Sink) {
    for finding in contract_core::check::check(&lowered.contract) {
        let is_poisoned = lowered.poisoned.contains(&finding.at.entity);
        let is_premature = lowered.incomplete && finding.rule.needs_whole_topology();
        if !is_poisoned && !is_premature {
            sink.error(lowered.place(finding.at), finding);
        }
    }
}
