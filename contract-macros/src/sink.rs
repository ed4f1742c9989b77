//! Where mistakes are collected, so that all of them are reported at once.

use std::fmt::Display;

use proc_macro2::Span;
use quote::ToTokens;

/// The mistakes of one contract. It has to be [finished](Sink::finish): a stage that drops it would
/// accept a broken contract in silence.
pub struct Sink {
    errors: Vec<syn::Error>,
    finished: bool,
}

impl Sink {
    pub fn new() -> Self {
        Self {
            errors: Vec::new(),
            finished: false,
        }
    }

    /// Reports a mistake at the tokens that make it.
    pub fn error(&mut self, at: impl ToTokens, message: impl Display) {
        self.push(syn::Error::new_spanned(at, message));
    }

    /// Reports a mistake.
    pub fn push(&mut self, error: syn::Error) {
        self.errors.push(error);
    }

    /// How many mistakes there are so far: who saw it grow has met one.
    pub fn count(&self) -> usize {
        self.errors.len()
    }

    /// All mistakes, in source order.
    pub fn finish(mut self) -> Vec<syn::Error> {
        self.finished = true;
        let mut errors: Vec<syn::Error> = std::mem::take(&mut self.errors)
            .into_iter()
            .flatten()
            .collect();
        errors.sort_by_cached_key(|error| position(error.span()));
        errors
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        // Nobody gets here but by a mistake of ours; while a test unwinds it must not hide the cause.
        assert!(
            self.finished || std::thread::panicking(),
            "the errors of a contract were never reported"
        );
    }
}

/// Line and column; outside the compiler there are none, and mistakes stay in the order of the
/// stages.
fn position(span: Span) -> (usize, usize) {
    if proc_macro::is_available() {
        let span = span.unwrap();
        (span.line(), span.column())
    } else {
        (0, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "never reported")]
    fn forgotten_errors_are_a_bug() {
        let _sink = Sink::new();
    }

    #[test]
    fn combined_errors_come_apart() {
        let mut sink = Sink::new();
        let mut error = syn::Error::new(Span::call_site(), "one");
        error.combine(syn::Error::new(Span::call_site(), "two"));
        sink.push(error);
        let said: Vec<String> = sink.finish().iter().map(ToString::to_string).collect();
        assert_eq!(said, ["one", "two"]);
    }
}
