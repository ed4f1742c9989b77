use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;

fn matches_text(pattern: &str, key: &str) -> bool {
    matches(&Pattern::new(pattern).unwrap(), key)
}

#[test]
fn empty_words_are_words_and_the_empty_key_has_none() {
    assert!(matches_text("a.*.b", "a..b"));
    assert!(matches_text("*.*", "."));
    assert!(!matches_text("*", ""));
    assert!(matches_text("#", ""));
    assert!(matches_text("", ""));
    assert!(matches_text("a.*", "a."));
    assert!(matches_text("*.a", ".a"));
    assert!(!matches_text("*", "a.b"));
}

#[test]
fn many_stands_for_any_number_of_words() {
    for key in ["a", "a.b", "a.x.b", "a.x.y.b"] {
        assert_eq!(matches_text("a.#.b", key), key != "a", "{key}");
    }
    assert!(matches_text("#.*.#", "a"));
    assert!(!matches_text("#.*.#", ""));
}

#[test]
fn a_pattern_full_of_wildcards_costs_no_more() {
    let pattern = vec!["#"; 60].join(".") + ".end";
    let key = vec!["word"; 40].join(".");
    assert!(!matches_text(&pattern, &key));
    assert!(matches_text(&pattern, &(key + ".end")));
}

fn included(keys: &str, patterns: &[&str]) -> Option<String> {
    let patterns: Vec<(Keys<'_>, Effect)> = patterns
        .iter()
        .map(|pattern| (Keys::pattern(pattern), Effect::ForIt))
        .collect();
    counterexample(&Keys::pattern(keys), &patterns, |matched| {
        matched.contains(&true)
    })
    .expect("few states")
}

#[test]
fn inclusion_in_a_union() {
    assert_eq!(included("order.*", &["order.#"]), None);
    assert_eq!(included("#", &["#.a", ""]).as_deref(), Some("_"));
    assert_eq!(included("a.#", &["a", "a.*.#"]), None);
    assert_eq!(included("order.#", &["order.*"]).as_deref(), Some("order"));
    // A lone empty word is no key.
    assert_eq!(included("#.", &["*.#."]), None);
    assert_eq!(included("#.", &["#.a"]).as_deref(), Some("_."));
    assert_eq!(
        included("*.created", &["order.created", "invoice.created"]).as_deref(),
        Some("_.created")
    );
}

/// The definition, by recursion over words.
pub(crate) fn matches_by_definition(pattern: &[&str], key: &[&str]) -> bool {
    match (pattern.split_first(), key.split_first()) {
        (None, None) => true,
        (Some((&"#", rest)), _) => {
            matches_by_definition(rest, key)
                || (!key.is_empty() && matches_by_definition(pattern, &key[1..]))
        }
        (Some((&"*", rest)), Some((_, tail))) => matches_by_definition(rest, tail),
        (Some((word, rest)), Some((first, tail))) => {
            word == first && matches_by_definition(rest, tail)
        }
        _ => false,
    }
}

/// Every key of up to five words over a literal, the empty word and a word that is in no pattern,
/// the shorter first. Patterns of at most three words differ on one of them if they differ at all.
pub(crate) fn short_keys() -> &'static [Vec<&'static str>] {
    static KEYS: LazyLock<Vec<Vec<&str>>> = LazyLock::new(|| {
        let mut all: Vec<Vec<&str>> = vec![vec![]];
        let mut longest = all.clone();
        for _ in 0..5 {
            longest = longest
                .iter()
                .flat_map(|key| ["a", "", "_"].map(|word| [key.as_slice(), &[word]].concat()))
                .collect();
            all.extend(longest.iter().cloned());
        }
        all.retain(|key| key != &[""]);
        all
    });
    &KEYS
}

pub(crate) fn text(words: &[&'static str]) -> String {
    words.join(".")
}

pub(crate) fn word_list(
    words: &'static [&'static str],
    most: usize,
) -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(prop::sample::select(words), 0..=most)
        // A lone empty word spells the empty key, which is another list of words.
        .prop_filter("spells another list", |words| words != &[""])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100_000))]

    #[test]
    fn matching_is_its_definition(
        pattern in word_list(&["a", "b", "*", "#", ""], 6),
        key in word_list(&["a", "b", "c", ""], 7),
    ) {
        prop_assert_eq!(matches_text(&text(&pattern), &text(&key)), matches_by_definition(&pattern, &key));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100_000))]

    #[test]
    fn inclusion_is_its_definition(
        keys in word_list(&["a", "", "*", "#"], 3),
        patterns in prop::collection::vec(word_list(&["a", "", "*", "#"], 3), 0..4),
    ) {
        let outside = |key: &Vec<&str>| {
            matches_by_definition(&keys, key) && !patterns.iter().any(|pattern| matches_by_definition(pattern, key))
        };
        let shortest = short_keys().iter().find(|key| outside(key)).map(Vec::len);
        let texts: Vec<String> = patterns.iter().map(|pattern| text(pattern)).collect();
        let found = included(&text(&keys), &texts.iter().map(String::as_str).collect::<Vec<_>>());
        prop_assert_eq!(found.as_ref().map(|key| words(key).count()), shortest, "{:?}", found);
    }
}
