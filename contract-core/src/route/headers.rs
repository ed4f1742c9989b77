//! Whether a headers exchange takes a message, as far as its headers are known.

use crate::model::{HeaderMatch, Literal};

/// What is known of the headers of a message.
#[derive(Debug, Clone, Copy)]
pub enum Headers<'a> {
    /// These, and none that a binding could look for beside them.
    Known(&'a [(String, Literal)]),
    /// Nothing.
    Unknown,
}

/// Whether a headers exchange takes a message over a binding. What is not known does not match.
pub(super) fn headers_match(wanted: &HeaderMatch, headers: Headers<'_>) -> bool {
    let has = |wanted: &(String, Literal)| match headers {
        Headers::Known(headers) => headers.contains(wanted),
        Headers::Unknown => false,
    };
    if wanted.all {
        wanted.headers.iter().all(has)
    } else {
        wanted.headers.iter().any(has)
    }
}
