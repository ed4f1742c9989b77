//! A key that is said to lie outside of a union does, and matching agrees with it.

#![no_main]

use contract_core::{Pattern, topic};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (Vec<u8>, Vec<Vec<u8>>)| {
    let word = |byte: &u8| ["a", "b", "*", "#", ""][usize::from(*byte) % 5];
    let text = |bytes: &Vec<u8>| bytes.iter().take(6).map(word).collect::<Vec<_>>().join(".");
    let (keys, patterns) = (text(&input.0), input.1.iter().take(4).map(text).collect::<Vec<_>>());
    let of = |pattern| (topic::Keys::pattern(pattern), topic::Effect::ForIt);
    let union: Vec<_> = patterns.iter().map(|pattern| of(pattern)).collect();
    let outside = topic::counterexample(&topic::Keys::pattern(&keys), &union, |matched| matched.contains(&true));
    if let Some(key) = outside.expect("few states") {
        let matches = |pattern: &str| topic::matches(&Pattern::new(pattern).expect("short"), &key);
        assert!(matches(&keys), "{key:?} is no key of {keys:?}");
        assert!(!patterns.iter().any(|pattern| matches(pattern)), "{key:?} is one of {patterns:?}");
    }
});
