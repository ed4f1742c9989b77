use proptest::prelude::*;

use super::*;
use crate::topic::tests::{matches_by_definition, short_keys, text, word_list};

/// The answer for a union of patterns, and how many states it took.
fn union(keys: &str, patterns: &[String]) -> (Result<Option<String>, Undecided>, usize) {
    let patterns: Vec<(Keys<'_>, Effect)> = patterns
        .iter()
        .map(|pattern| (Keys::pattern(pattern), Effect::ForIt))
        .collect();
    let mut search = Search::new(&Keys::pattern(keys), &patterns);
    let answer = search.run(BUDGET, |matched| matched.contains(&true));
    (answer, search.reached.len())
}

fn numbered(count: usize, pattern: &str) -> Vec<String> {
    (0..count)
        .map(|number| pattern.replace('N', &number.to_string()))
        .collect()
}

#[test]
fn many_patterns_with_many_wildcards_cost_few_states() {
    for (patterns, keys, answer, most) in [
        (numbered(18, "#.aN.#"), "#", Some(""), 1),
        (numbered(18, "#.aN.#.bN.#"), "*.#", Some("_"), 2),
        (numbered(18, "#.aN.*.*.#.bN.*.#"), "*.*.#", Some("_._"), 3),
        (numbered(40, "aN.*.#.bN.*"), "*.*.*.*", Some("_._._._"), 5),
        // All of them, and what takes every key in the end.
        (numbered(18, "#.aN.#.bN.#"), "a1.#.b1", None, 4),
        (
            [
                numbered(18, "#.aN.*.bN.#"),
                vec!["#.*.*".into(), "*".into(), String::new()],
            ]
            .concat(),
            "#",
            None,
            4,
        ),
    ] {
        let (found, states) = union(keys, &patterns);
        assert_eq!(found, Ok(answer.map(ToOwned::to_owned)), "{patterns:?}");
        assert!(states <= most, "{states} states for {keys} in {patterns:?}");
    }
}

#[test]
fn a_literal_key_costs_one_walk() {
    let (found, states) = union("a1.x.b1.y", &numbered(40, "#.aN.*.*.#.bN.#"));
    assert_eq!(found, Ok(Some("a1.x.b1.y".to_owned())));
    assert_eq!(states, 5);
}

#[test]
fn the_same_pattern_in_other_words_is_the_same() {
    let of = |pattern| (Keys::pattern(pattern), Effect::ForIt);
    let given = ["#.*", "*.#", "#.*.#", "*.*.#", "#.a.#.#", "#.#.a.#"].map(of);
    let search = Search::new(&Keys::pattern("#"), &given);
    assert_eq!(search.given, [0, 0, 0, 1, 2, 2]);
}

#[test]
fn one_pattern_that_helps_and_harms_does_either() {
    let pattern = Keys::pattern("a");
    let given = [Effect::ForIt, Effect::Against].map(|effect| (pattern.clone(), effect));
    let search = Search::new(&Keys::all(), &given);
    assert_eq!(search.patterns[0].1, Effect::Either);
}

#[test]
fn what_cannot_be_settled_in_time_is_said() {
    // Whether a word stands so many places before the end has to be known at every place.
    let tail = |number: usize| format!("#.a{number}{}", ".*".repeat(14));
    let mut patterns: Vec<String> = (0..6).map(tail).collect();
    patterns.push("#._".to_owned());
    let given: Vec<(Keys<'_>, Effect)> = patterns
        .iter()
        .map(|pattern| (Keys::pattern(pattern), Effect::Against))
        .collect();
    let all = |matched: &[bool]| !matched.iter().all(|matched| *matched);
    let mut search = Search::new(&Keys::all(), &given);
    assert_eq!(search.run(100, all), Err(Undecided));
    assert_eq!(counterexample(&Keys::all(), &given, all), Err(Undecided));
}

/// A sum of products of matches, each as it is or negated.
type Formula = Vec<Vec<(usize, bool)>>;

fn value(formula: &Formula, matched: &[bool]) -> bool {
    formula.iter().any(|product| {
        product
            .iter()
            .all(|(pattern, negated)| matched[pattern % matched.len()] != *negated)
    })
}

fn effect(formula: &Formula, patterns: usize, pattern: usize) -> Effect {
    let signs = formula
        .iter()
        .flatten()
        .filter(|(of, _)| of % patterns == pattern);
    let effects = signs.map(|(_, negated)| {
        if *negated {
            Effect::Against
        } else {
            Effect::ForIt
        }
    });
    // What occurs nowhere harms as little as it helps.
    effects.reduce(Effect::and).unwrap_or(Effect::ForIt)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100_000))]

    #[test]
    fn the_answer_is_right_whatever_is_asked_of_the_matches(
        keys in word_list(&["a", "", "*", "#"], 3),
        patterns in prop::collection::vec(word_list(&["a", "", "*", "#"], 3), 1..5),
        formula in prop::collection::vec(prop::collection::vec((0..4_usize, prop::bool::weighted(0.3)), 1..4), 0..4),
    ) {
        let matched = |key: &[&str]| -> Vec<bool> {
            patterns.iter().map(|pattern| matches_by_definition(pattern, key)).collect()
        };
        let fails = |key: &[&str]| matches_by_definition(&keys, key) && !value(&formula, &matched(key));
        let shortest = short_keys().iter().find(|key| fails(key)).map(Vec::len);
        let longest = short_keys().last().map_or(0, Vec::len);

        let texts: Vec<String> = patterns.iter().map(|pattern| text(pattern)).collect();
        let given: Vec<(Keys<'_>, Effect)> = texts
            .iter()
            .enumerate()
            .map(|(index, text)| (Keys::pattern(text), effect(&formula, patterns.len(), index)))
            .collect();
        let found = counterexample(&Keys::pattern(&text(&keys)), &given, |matched| value(&formula, matched));
        let found = found.expect("few states");
        let spelled = found.as_ref().map(|key| crate::topic::words(key).collect::<Vec<_>>());
        if let Some(key) = &spelled {
            prop_assert!(fails(key), "{:?} does not fail", key);
        }
        let length = spelled.map(|key| key.len()).filter(|length| *length <= longest);
        prop_assert_eq!(length, shortest, "{:?}", found);
    }
}
