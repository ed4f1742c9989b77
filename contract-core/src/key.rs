//! Routing keys with fields: `order.{region}.created`, filled at each publish.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::name::{MAX_NAME_BYTES, RoutingKey};
use crate::topic::Keys;

/// A routing key some of whose words are fields. A field is a whole word, so that what it is filled
/// with can never add one or take one away: where the message goes is known when the contract is
/// compiled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct KeyTemplate {
    words: Vec<Word>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Word {
    Text(String),
    Field(String),
}

/// Why a text is not a key with fields.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// A brace opens or closes within a word.
    #[error("a field is a whole word of the key, as in \"order.{{region}}.created\"")]
    PartOfWord,
    /// What stands in braces is no name.
    #[error("`{{{0}}}` names no field: write the name of an argument of the method")]
    NotAName(String),
    /// A field occurs twice.
    #[error("field `{{{0}}}` occurs twice")]
    Repeated(String),
    /// The texts alone are longer than a routing key can be.
    #[error("the key is longer than 255 bytes")]
    TooLong,
}

/// Why a field cannot be filled with a value: nothing is sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FillError {
    /// The value is empty.
    #[error("field `{field}` of the routing key is empty")]
    Empty {
        /// The field.
        field: String,
    },
    /// The value is more than one word, or would read as a wildcard.
    #[error("field `{field}` of the routing key is not one word: it contains {found:?}")]
    NotOneWord {
        /// The field.
        field: String,
        /// The character.
        found: char,
    },
    /// No value was given.
    #[error("field `{field}` of the routing key was given no value")]
    Missing {
        /// The field.
        field: String,
    },
    /// The filled key does not fit.
    #[error("the routing key has {bytes} bytes; RabbitMQ takes at most 255")]
    TooLong {
        /// How long it would be.
        bytes: usize,
    },
}

impl KeyTemplate {
    /// Reads `order.{region}.created`. A text without braces is a key without fields.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let mut words: Vec<Word> = Vec::new();
        for word in text.split('.') {
            let word = match word
                .strip_prefix('{')
                .and_then(|word| word.strip_suffix('}'))
            {
                None if word.contains(['{', '}']) => return Err(TemplateError::PartOfWord),
                None => Word::Text(word.to_owned()),
                Some(field) if field.contains(['{', '}']) => return Err(TemplateError::PartOfWord),
                Some(field) if !is_name(field) => {
                    return Err(TemplateError::NotAName(field.to_owned()));
                }
                Some(field) => Word::Field(field.to_owned()),
            };
            if matches!(word, Word::Field(_)) && words.contains(&word) {
                return Err(TemplateError::Repeated(text_of(&word).to_owned()));
            }
            words.push(word);
        }
        let template = Self { words };
        if template.shortest() > MAX_NAME_BYTES {
            Err(TemplateError::TooLong)
        } else {
            Ok(template)
        }
    }

    /// A key that a contract holds, for code made by the macro.
    ///
    /// # Panics
    ///
    /// Where [`KeyTemplate::parse`] would fail.
    #[must_use]
    pub fn literal(text: &str) -> Self {
        match Self::parse(text) {
            Ok(template) => template,
            Err(error) => panic!("{error}"),
        }
    }

    /// The names of the fields, in their order.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.words
            .iter()
            .filter(|word| matches!(word, Word::Field(_)))
            .map(text_of)
    }

    /// Fills the fields. Each value has to be one word: not empty, without a dot, a wildcard or white
    /// space.
    ///
    /// ```
    /// use contract_core::key::KeyTemplate;
    ///
    /// let key = KeyTemplate::parse("order.{region}.created").unwrap();
    /// assert_eq!(key.fill(&[("region", &"eu")]).unwrap(), "order.eu.created");
    /// assert!(key.fill(&[("region", &"eu.west")]).is_err());
    /// ```
    pub fn fill(&self, values: &[(&str, &dyn fmt::Display)]) -> Result<RoutingKey, FillError> {
        let mut filled = Vec::with_capacity(self.words.len());
        for word in &self.words {
            filled.push(match word {
                Word::Text(text) => text.clone(),
                Word::Field(field) => {
                    let value = values.iter().find(|(name, _)| name == field);
                    let (_, value) = value.ok_or_else(|| FillError::Missing {
                        field: field.clone(),
                    })?;
                    one_word(field, value.to_string())?
                }
            });
        }
        let key = filled.join(".");
        let bytes = key.len();
        RoutingKey::new(key).map_err(|_| FillError::TooLong { bytes })
    }

    /// The keys that it can come to.
    #[must_use]
    pub fn keys(&self) -> Keys<'_> {
        Keys::template(self.words.iter().map(|word| match word {
            Word::Text(text) => Some(text.as_str()),
            Word::Field(_) => None,
        }))
    }

    fn shortest(&self) -> usize {
        let words: usize = self
            .words
            .iter()
            .map(|word| match word {
                Word::Text(text) => text.len(),
                Word::Field(_) => 1,
            })
            .sum();
        words + self.words.len().saturating_sub(1)
    }
}

fn text_of(word: &Word) -> &str {
    match word {
        Word::Text(text) | Word::Field(text) => text,
    }
}

/// An argument's name: what Rust takes for one, raw prefix aside.
fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters
        .next()
        .is_some_and(|first| first == '_' || first.is_alphabetic())
        && letters.all(|letter| letter == '_' || letter.is_alphanumeric())
}

fn one_word(field: &str, value: String) -> Result<String, FillError> {
    if value.is_empty() {
        return Err(FillError::Empty {
            field: field.to_owned(),
        });
    }
    let strange = |letter: char| {
        matches!(letter, '.' | '*' | '#') || letter.is_whitespace() || letter.is_control()
    };
    match value.chars().find(|letter| strange(*letter)) {
        Some(found) => Err(FillError::NotOneWord {
            field: field.to_owned(),
            found,
        }),
        None => Ok(value),
    }
}

impl fmt::Display for KeyTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, word) in self.words.iter().enumerate() {
            let dot = if index == 0 { "" } else { "." };
            match word {
                Word::Text(text) => write!(f, "{dot}{text}")?,
                Word::Field(field) => write!(f, "{dot}{{{field}}}")?,
            }
        }
        Ok(())
    }
}

impl TryFrom<String> for KeyTemplate {
    type Error = TemplateError;

    fn try_from(text: String) -> Result<Self, TemplateError> {
        Self::parse(&text)
    }
}

impl From<KeyTemplate> for String {
    fn from(template: KeyTemplate) -> Self {
        template.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_a_whole_word() {
        let template = KeyTemplate::parse("{tenant}.order.{region}").unwrap();
        assert_eq!(template.fields().collect::<Vec<_>>(), ["tenant", "region"]);
        assert_eq!(template.to_string(), "{tenant}.order.{region}");
        for text in ["order-{id}", "{a}{b}", "{", "a.}b", "{a.b}"] {
            assert_eq!(
                KeyTemplate::parse(text),
                Err(TemplateError::PartOfWord),
                "{text}"
            );
        }
        for (text, field) in [("{}", ""), ("{1}", "1"), ("{a b}", "a b"), ("{:?}", ":?")] {
            assert_eq!(
                KeyTemplate::parse(text),
                Err(TemplateError::NotAName(field.into()))
            );
        }
        assert_eq!(
            KeyTemplate::parse("{a}.{a}"),
            Err(TemplateError::Repeated("a".into()))
        );
        assert_eq!(
            KeyTemplate::parse(&"a".repeat(256)),
            Err(TemplateError::TooLong)
        );
    }

    #[test]
    fn a_value_is_one_word() {
        let template = KeyTemplate::parse("order.{id}").unwrap();
        assert_eq!(template.fill(&[("id", &7)]).unwrap(), "order.7");
        for (value, found) in [
            ("a.b", '.'),
            ("*", '*'),
            ("a#", '#'),
            ("a b", ' '),
            ("a\n", '\n'),
        ] {
            let error = FillError::NotOneWord {
                field: "id".into(),
                found,
            };
            assert_eq!(template.fill(&[("id", &value)]), Err(error));
        }
        assert_eq!(
            template.fill(&[("id", &"")]),
            Err(FillError::Empty { field: "id".into() })
        );
        assert_eq!(
            template.fill(&[]),
            Err(FillError::Missing { field: "id".into() })
        );
        assert_eq!(
            template.fill(&[("id", &"x".repeat(300))]),
            Err(FillError::TooLong { bytes: 306 })
        );
    }

    #[test]
    fn a_field_stands_for_every_word_but_the_empty_one() {
        let template = KeyTemplate::parse("order.{id}").unwrap();
        assert!(template.keys().contain("order.anything"));
        assert!(!template.keys().contain("order."));
        assert!(!template.keys().contain("order.a.b"));
    }
}
