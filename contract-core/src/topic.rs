//! Topic patterns: does one match a key, and is every key of one matched by others?
//!
//! A key is a list of words separated by dots. The empty key has no words; `a..b` has three, the
//! middle one empty. `*` stands for exactly one word (which may be empty), `#` for any number.

use std::collections::{HashMap, VecDeque};

use crate::name::{MAX_NAME_BYTES, Pattern};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word<'a> {
    Literal(&'a str),
    One,
    /// One word, and not the empty one.
    Filled,
    Many,
}

/// The words of a key or of a binding key, wildcards not yet read.
fn words(text: &str) -> impl Iterator<Item = &str> {
    // RabbitMQ reads the empty key as no words at all, not as one empty word.
    let words = (!text.is_empty()).then(|| text.split('.'));
    words.into_iter().flatten()
}

/// A set of keys written as words: the automaton of one binding key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys<'a> {
    words: Vec<Word<'a>>,
    /// Whether no key is in the set, whatever the words.
    none: bool,
}

impl<'a> Keys<'a> {
    fn of(words: Vec<Word<'a>>) -> Self {
        Self { words, none: false }
    }

    /// Exactly this key: how a direct exchange reads a binding key, and what a publisher writes.
    #[must_use]
    pub fn exactly(key: &'a str) -> Self {
        Self::of(words(key).map(Word::Literal).collect())
    }

    /// The keys of a topic pattern.
    #[must_use]
    pub fn pattern(pattern: &'a str) -> Self {
        let word = |word| match word {
            "*" => Word::One,
            "#" => Word::Many,
            literal => Word::Literal(literal),
        };
        Self::of(words(pattern).map(word).collect())
    }

    /// Every key: how a fanout exchange reads any binding key.
    #[must_use]
    pub fn all() -> Self {
        Self::of(vec![Word::Many])
    }

    /// The keys of these words; none stands for every word but the empty one.
    #[must_use]
    pub fn template(words: impl Iterator<Item = Option<&'a str>>) -> Self {
        let mut words: Vec<Word<'_>> = words
            .map(|word| word.map_or(Word::Filled, Word::Literal))
            .collect();
        if words == [Word::Literal("")] {
            // The empty key has no words at all.
            words.clear();
        }
        Self::of(words)
    }

    /// No key at all.
    #[must_use]
    pub fn none() -> Self {
        Self {
            words: Vec::new(),
            none: true,
        }
    }

    /// Whether this key is one of them.
    #[must_use]
    pub fn contain(&self, key: &str) -> bool {
        let mut at = self.start();
        for word in words(key) {
            at = self.step(&at, Some(word));
        }
        self.accepts(&at)
    }

    fn start(&self) -> Positions {
        self.skip_many(Positions::default().with(0))
    }

    /// Where the automaton can be after one more word; `None` is a word that occurs in no pattern.
    fn step(&self, from: &Positions, word: Option<&str>) -> Positions {
        let mut to = Positions::default();
        for (at, expected) in self
            .words
            .iter()
            .enumerate()
            .filter(|(at, _)| from.has(*at))
        {
            match *expected {
                Word::Literal(literal) if word == Some(literal) => to = to.with(at + 1),
                Word::Literal(_) => {}
                Word::Filled if word == Some("") => {}
                Word::One | Word::Filled => to = to.with(at + 1),
                Word::Many => to = to.with(at),
            }
        }
        self.skip_many(to)
    }

    /// A `#` may stand for no word.
    fn skip_many(&self, mut at: Positions) -> Positions {
        for (position, word) in self.words.iter().enumerate() {
            if *word == Word::Many && at.has(position) {
                at = at.with(position + 1);
            }
        }
        at
    }

    fn accepts(&self, at: &Positions) -> bool {
        !self.none && at.has(self.words.len())
    }
}

/// A set of positions in a pattern: at most one more than it has words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Positions([u64; (MAX_NAME_BYTES + 2).div_ceil(64)]);

impl Positions {
    fn has(self, position: usize) -> bool {
        self.0[position / 64] & (1 << (position % 64)) != 0
    }

    fn with(mut self, position: usize) -> Self {
        self.0[position / 64] |= 1 << (position % 64);
        self
    }

    fn is_empty(self) -> bool {
        self == Self::default()
    }
}

/// Whether a topic exchange routes `key` over a binding with `pattern`.
///
/// ```
/// use contract_core::{Pattern, topic};
///
/// let pattern = Pattern::literal("order.#");
/// assert!(topic::matches(&pattern, "order"));
/// assert!(topic::matches(&pattern, "order.eu.created"));
/// assert!(!topic::matches(&pattern, "orders"));
/// ```
#[must_use]
pub fn matches(pattern: &Pattern, key: &str) -> bool {
    Keys::pattern(pattern.as_str()).contain(key)
}

/// A shortest key of `keys` for which `holds` is false, given which of `patterns` match it.
///
/// This is how 'is every key that can get here also bound there' is decided, exactly, for any number
/// of hops: the automata of all patterns run side by side, and `holds` is the routing itself. A `_`
/// in the answer stands for a word that occurs in no pattern.
///
/// The states are those that some key reaches, so a key without wildcards costs one walk.
pub fn counterexample(
    keys: &Keys<'_>,
    patterns: &[Keys<'_>],
    holds: impl Fn(&[bool]) -> bool,
) -> Option<String> {
    #[derive(Clone, PartialEq, Eq, Hash)]
    struct State {
        key: Positions,
        patterns: Vec<Positions>,
        so_far: SoFar,
    }

    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    enum SoFar {
        Nothing,
        /// A single empty word: no key is spelled so, for the empty key has no words.
        EmptyWord,
        Words,
    }

    let mut alphabet: Vec<Option<&str>> = vec![None];
    for word in keys
        .words
        .iter()
        .chain(patterns.iter().flat_map(|pattern| &pattern.words))
    {
        if let Word::Literal(literal) = *word
            && !alphabet.contains(&Some(literal))
        {
            alphabet.push(Some(literal));
        }
    }

    let start = State {
        key: keys.start(),
        patterns: patterns.iter().map(Keys::start).collect(),
        so_far: SoFar::Nothing,
    };
    // Each state with the state and the word that led to it, to spell the answer.
    let mut seen: HashMap<State, Option<(State, Option<&str>)>> =
        HashMap::from([(start.clone(), None)]);
    let mut open = VecDeque::from([start]);
    while let Some(state) = open.pop_front() {
        if keys.accepts(&state.key) && state.so_far != SoFar::EmptyWord {
            let matched: Vec<bool> = patterns
                .iter()
                .zip(&state.patterns)
                .map(|(pattern, at)| pattern.accepts(at))
                .collect();
            if !holds(&matched) {
                let mut spelled = Vec::new();
                let mut at = &state;
                while let Some(Some((before, word))) = seen.get(at) {
                    spelled.push(word.unwrap_or("_"));
                    at = before;
                }
                spelled.reverse();
                return Some(spelled.join("."));
            }
        }
        for &word in &alphabet {
            let key = keys.step(&state.key, word);
            if key.is_empty() {
                continue;
            }
            let next = State {
                key,
                patterns: patterns
                    .iter()
                    .zip(&state.patterns)
                    .map(|(pattern, at)| pattern.step(at, word))
                    .collect(),
                so_far: match (state.so_far, word) {
                    (SoFar::Nothing, Some("")) => SoFar::EmptyWord,
                    _ => SoFar::Words,
                },
            };
            if !seen.contains_key(&next) {
                seen.insert(next.clone(), Some((state.clone(), word)));
                open.push_back(next);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
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
        let patterns: Vec<Keys<'_>> = patterns
            .iter()
            .map(|pattern| Keys::pattern(pattern))
            .collect();
        counterexample(&Keys::pattern(keys), &patterns, |matched| {
            matched.contains(&true)
        })
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
    fn matches_by_definition(pattern: &[&str], key: &[&str]) -> bool {
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
    fn short_keys() -> &'static [Vec<&'static str>] {
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

    fn text(words: &[&'static str]) -> String {
        words.join(".")
    }

    fn word_list(
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
}
