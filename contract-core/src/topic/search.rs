//! The search for a key that is not routed: all patterns side by side, the larger states only.
//!
//! A state says where each pattern can be after some words. There can be exponentially many, so three
//! things keep the search small: patterns that are the same are one; a state from which no key can
//! fail any more is left; and so is one from which only such keys can fail as fail from a state that
//! has been seen. What is left of the worst case is cut off after [`BUDGET`] states.

use std::collections::HashMap;

use super::{Keys, Positions, Word};

/// The states that are looked at before the search gives up: a second or two where the compiler was
/// not told to optimise its macros. Ordinary contracts need some ten.
const BUDGET: usize = 1_000;

/// What a match of one pattern does to what is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It can only make it hold.
    ForIt,
    /// It can only make it fail.
    Against,
    /// The one or the other, as the other patterns match.
    Either,
}

impl Effect {
    fn and(self, other: Self) -> Self {
        if self == other { self } else { Self::Either }
    }
}

/// The patterns are too entangled for an answer within bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Undecided;

/// A shortest key of `keys` for which `holds` is false, given which of `patterns` match it.
///
/// This is how 'is every key that can get here also bound there' is decided, exactly, for any number
/// of hops: the automata of all patterns run side by side, and `holds` is the routing itself. A `_`
/// in the answer stands for a word that occurs in no pattern. The [`Effect`] of each pattern says
/// how `holds` depends on it; a wrong one makes the answer wrong.
///
/// The states are those that some key reaches, so a key without wildcards costs one walk.
///
/// # Errors
///
/// [`Undecided`] if a thousand states do not settle it, as with many patterns that each have words
/// behind a `#` and then several `*`.
pub fn counterexample(
    keys: &Keys<'_>,
    patterns: &[(Keys<'_>, Effect)],
    holds: impl Fn(&[bool]) -> bool,
) -> Result<Option<String>, Undecided> {
    Search::new(keys, patterns).run(BUDGET, holds)
}

/// Where each pattern can be after some words.
#[derive(Debug)]
struct State<'k> {
    key: Positions,
    patterns: Vec<Positions>,
    so_far: SoFar,
    /// The state before it, by its place among those reached, and the word that led on from there.
    from: Option<(usize, Option<&'k str>)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SoFar {
    Nothing,
    /// A single empty word: no key is spelled so, for the empty key has no words.
    EmptyWord,
    Words,
}

struct Search<'k> {
    keys: Keys<'k>,
    /// Each pattern once.
    patterns: Vec<(Keys<'k>, Effect)>,
    /// For each pattern that was given, which of these it is.
    given: Vec<usize>,
    /// The words that patterns tell apart, and one for all others.
    alphabet: Vec<Option<&'k str>>,
    /// In the order of their shortest keys.
    reached: Vec<State<'k>>,
}

impl<'k> Search<'k> {
    fn new(keys: &Keys<'k>, given: &[(Keys<'k>, Effect)]) -> Self {
        let mut search = Self {
            keys: keys.normal(),
            patterns: Vec::new(),
            given: Vec::new(),
            alphabet: vec![None],
            reached: Vec::new(),
        };
        let mut index_of: HashMap<Keys<'k>, usize> = HashMap::new();
        for (pattern, effect) in given {
            let pattern = pattern.normal();
            let next = search.patterns.len();
            let index = *index_of.entry(pattern.clone()).or_insert(next);
            match search.patterns.get_mut(index) {
                Some((_, known)) => *known = known.and(*effect),
                None => search.patterns.push((pattern, *effect)),
            }
            search.given.push(index);
        }
        let patterns = search.patterns.iter().map(|(pattern, _)| pattern);
        for word in std::iter::once(&search.keys)
            .chain(patterns)
            .flat_map(|keys| &keys.words)
        {
            if let Word::Literal(literal) = *word
                && !search.alphabet.contains(&Some(literal))
            {
                search.alphabet.push(Some(literal));
            }
        }
        search
    }

    fn run(
        &mut self,
        budget: usize,
        holds: impl Fn(&[bool]) -> bool,
    ) -> Result<Option<String>, Undecided> {
        self.reach(self.start(), &holds);
        let mut at = 0;
        while at < self.reached.len() {
            if at == budget {
                return Err(Undecided);
            }
            if self.fails(&self.reached[at], &holds) {
                return Ok(Some(self.spell(at)));
            }
            for word in 0..self.alphabet.len() {
                let next = self.step(at, self.alphabet[word]);
                self.reach(next, &holds);
            }
            at += 1;
        }
        Ok(None)
    }

    fn start(&self) -> State<'k> {
        State {
            key: self.keys.start(),
            patterns: self.patterns.iter().map(|(keys, _)| keys.start()).collect(),
            so_far: SoFar::Nothing,
            from: None,
        }
    }

    fn step(&self, at: usize, word: Option<&'k str>) -> State<'k> {
        let before = &self.reached[at];
        let patterns = self.patterns.iter().zip(&before.patterns);
        State {
            key: self.keys.step(&before.key, word),
            patterns: patterns
                .map(|((keys, _), at)| keys.step(at, word))
                .collect(),
            so_far: match (before.so_far, word) {
                (SoFar::Nothing, Some("")) => SoFar::EmptyWord,
                _ => SoFar::Words,
            },
            from: Some((at, word)),
        }
    }

    /// Keeps a state if a key can fail from it that fails from none before it.
    fn reach(&mut self, state: State<'k>, holds: &impl Fn(&[bool]) -> bool) {
        let is_of_no_use = self.keys.accepts_nothing(&state.key)
            || self.reached.iter().any(|known| self.covers(known, &state))
            || self.is_settled(&state, holds);
        if !is_of_no_use {
            self.reached.push(state);
        }
    }

    /// Whether every key that fails from the one state fails from the other: that has at least its
    /// keys, and each pattern is at least as far from making them hold.
    fn covers(&self, covering: &State<'_>, covered: &State<'_>) -> bool {
        let places = covering.patterns.iter().zip(&covered.patterns);
        (covering.so_far == covered.so_far || covering.so_far == SoFar::Words)
            && covered.key.is_subset_of(covering.key)
            && self
                .patterns
                .iter()
                .zip(places)
                .all(|((_, effect), (covering, covered))| match effect {
                    Effect::ForIt => covering.is_subset_of(*covered),
                    Effect::Against => covered.is_subset_of(*covering),
                    Effect::Either => covering == covered,
                })
    }

    /// Whether it holds for every key from this state on: it does so even if all patterns that are
    /// still open come to the worst.
    fn is_settled(&self, state: &State<'_>, holds: &impl Fn(&[bool]) -> bool) -> bool {
        let outcome = |((keys, effect), at): (&(Keys<'k>, Effect), &Positions)| {
            if keys.accepts_whatever_follows(at) {
                Some(true)
            } else if keys.accepts_nothing(at) {
                Some(false)
            } else {
                match effect {
                    Effect::ForIt => Some(false),
                    Effect::Against => Some(true),
                    Effect::Either => None,
                }
            }
        };
        let worst: Option<Vec<bool>> = self
            .patterns
            .iter()
            .zip(&state.patterns)
            .map(outcome)
            .collect();
        worst.is_some_and(|worst| holds(&self.as_given(&worst)))
    }

    /// Whether the key that led here is one for which it does not hold.
    fn fails(&self, state: &State<'_>, holds: &impl Fn(&[bool]) -> bool) -> bool {
        if !self.keys.accepts(&state.key) || state.so_far == SoFar::EmptyWord {
            return false;
        }
        let places = self.patterns.iter().zip(&state.patterns);
        let matched: Vec<bool> = places.map(|((keys, _), at)| keys.accepts(at)).collect();
        !holds(&self.as_given(&matched))
    }

    fn as_given(&self, matched: &[bool]) -> Vec<bool> {
        self.given.iter().map(|index| matched[*index]).collect()
    }

    fn spell(&self, mut at: usize) -> String {
        let mut words = Vec::new();
        while let Some((before, word)) = self.reached[at].from {
            words.push(word.unwrap_or("_"));
            at = before;
        }
        words.reverse();
        words.join(".")
    }
}

#[cfg(test)]
mod tests;
