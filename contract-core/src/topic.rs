//! Topic patterns: does one match a key, and is every key of one matched by others?
//!
//! A key is a list of words separated by dots. The empty key has no words; `a..b` has three, the
//! middle one empty. `*` stands for exactly one word (which may be empty), `#` for any number.

mod search;

pub use search::{Effect, Undecided, counterexample};

use crate::name::{MAX_NAME_BYTES, Pattern};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Word<'a> {
    Literal(&'a str),
    One,
    /// One word, and not the empty one.
    Filled,
    Many,
}

/// The words of a key or of a binding key, wildcards not yet read.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    // RabbitMQ reads the empty key as no words at all, not as one empty word.
    let words = (!text.is_empty()).then(|| text.split('.'));
    words.into_iter().flatten()
}

/// A set of keys written as words: the automaton of one binding key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Keys<'a> {
    words: Vec<Word<'a>>,
    /// Whether no key is in the set, whatever the words.
    none: bool,
}

impl<'a> Keys<'a> {
    fn of(words: Vec<Word<'a>>) -> Self {
        Self { words, none: false }
    }

    /// The same keys in one spelling: of wildcards in a row each `*` stands before a single `#`, for
    /// `#.*`, `*.#` and `#.*.#` are the same.
    fn normal(&self) -> Self {
        let mut words = Vec::with_capacity(self.words.len());
        let mut many = false;
        for word in &self.words {
            if *word == Word::Many {
                many = true;
                continue;
            }
            if many && *word != Word::One {
                words.push(Word::Many);
                many = false;
            }
            words.push(*word);
        }
        if many {
            words.push(Word::Many);
        }
        Self {
            words,
            none: self.none,
        }
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

    /// Whether words stand behind a `#`: where it ends is then a matter of all that follows.
    #[must_use]
    pub fn go_on_after_many(&self) -> bool {
        let words = self.normal().words;
        let many = words.iter().position(|word| *word == Word::Many);
        many.is_some_and(|at| at + 1 < words.len())
    }

    fn start(&self) -> Positions {
        self.close(Positions::default().with(0))
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
        self.close(to)
    }

    /// A `#` may stand for no word; and what a position before a `#` still takes, the `#` takes too,
    /// so that all of them count as reached with it. Two sets of positions that stand before the same
    /// `#` are then one.
    fn close(&self, mut at: Positions) -> Positions {
        let mut last = None;
        for (position, word) in self.words.iter().enumerate() {
            if *word == Word::Many && at.has(position) {
                at = at.with(position + 1);
                last = Some(position);
            }
        }
        (0..last.unwrap_or(0)).fold(at, Positions::with)
    }

    fn accepts(&self, at: &Positions) -> bool {
        !self.none && at.has(self.words.len())
    }

    /// Whether every key that starts in the way that led here is one of them.
    fn accepts_whatever_follows(&self, at: &Positions) -> bool {
        self.accepts(at) && self.words.last() == Some(&Word::Many) && at.has(self.words.len() - 1)
    }

    /// Whether no key that starts in the way that led here is one of them.
    fn accepts_nothing(&self, at: &Positions) -> bool {
        self.none || at.is_empty()
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

    fn is_subset_of(self, other: Self) -> bool {
        self.0
            .iter()
            .zip(other.0)
            .all(|(these, those)| these & !those == 0)
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

#[cfg(test)]
pub(crate) mod tests;
