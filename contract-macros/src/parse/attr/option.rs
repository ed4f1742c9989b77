//! The options of an attribute: which there are, and reading one of them.

use std::fmt::Display;
use std::str::FromStr;

use contract_core::Millis;
use contract_core::model::Literal;
use contract_core::similar::nearest;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Ident, Lit, LitStr, Path};

use super::argument::Argument;
use crate::sink::Sink;
use crate::tree::Located;

/// An option that can be written somewhere.
pub struct Choice {
    pub word: &'static str,
    /// How it is written.
    pub usage: &'static str,
    /// Whether it may stand there more than once.
    pub repeats: bool,
}

/// An option that is written once, in this way.
pub const fn once(word: &'static str, usage: &'static str) -> Choice {
    Choice {
        word,
        usage,
        repeats: false,
    }
}

/// An option that may be repeated.
pub const fn repeated(word: &'static str, usage: &'static str) -> Choice {
    Choice {
        word,
        usage,
        repeats: true,
    }
}

/// An option that was written, and is one of those that can be.
pub struct Written {
    pub word: &'static str,
    usage: &'static str,
    argument: Argument,
}

/// Keeps the options that are known here, each once; reports the others. `place` is what they
/// belong to: `` `#[queue(..)]` ``.
pub fn known_options(
    place: &str,
    choices: &'static [Choice],
    arguments: Vec<Argument>,
    sink: &mut Sink,
) -> Vec<Written> {
    let mut written: Vec<Written> = Vec::new();
    for argument in arguments {
        let Some(word) = argument.word() else {
            let shown = shown(&argument);
            sink.error(
                argument,
                format!(
                    "{place} has no place for `{shown}` here [unknown-option]\n{}",
                    list(choices)
                ),
            );
            continue;
        };
        let Some(choice) = choices.iter().find(|choice| *word == choice.word) else {
            sink.error(word, unknown(place, word, choices));
            continue;
        };
        if !choice.repeats && written.iter().any(|earlier| earlier.word == choice.word) {
            let message =
                format!("`{word}` is written twice [repeated-option]\nhelp: keep one of the two");
            sink.error(word, message);
            continue;
        }
        written.push(Written {
            word: choice.word,
            usage: choice.usage,
            argument,
        });
    }
    written
}

fn unknown(place: &str, word: &Ident, choices: &[Choice]) -> String {
    let near = nearest(&word.to_string(), choices.iter().map(|choice| choice.word));
    let help = near.map_or_else(String::new, |near| {
        format!("\nhelp: did you mean `{near}`?")
    });
    format!(
        "`{word}` is not an option of {place} [unknown-option]\n{}{help}",
        list(choices)
    )
}

fn list(choices: &[Choice]) -> String {
    if choices.is_empty() {
        return "it has no options".to_owned();
    }
    let words: Vec<String> = choices
        .iter()
        .map(|choice| format!("`{}`", choice.word))
        .collect();
    format!("expected {}", words.join(", "))
}

/// Tokens as a person would write them.
pub fn shown(tokens: &impl ToTokens) -> String {
    let text = tokens.to_token_stream().to_string();
    text.replace(" :: ", "::")
        .replace(" (", "(")
        .replace(" ,", ",")
}

/// Reports an option that has another shape than it should.
fn misused<T>(at: impl ToTokens, usage: &str, sink: &mut Sink) -> Option<T> {
    sink.error(at, format!("expected `{usage}`"));
    None
}

/// Reads the value of an option. What cannot be read is reported, and is `None`.
impl Written {
    pub fn at(&self) -> TokenStream {
        self.argument.to_token_stream()
    }

    /// The word, without what follows it.
    pub fn word_at(&self) -> TokenStream {
        self.argument.word().to_token_stream()
    }

    /// What it is and where.
    pub fn place(&self) -> (&'static str, TokenStream) {
        (self.word, self.at())
    }

    /// What could be read of a list that is broken.
    pub fn half(&self) -> Option<&[Argument]> {
        match &self.argument {
            Argument::HalfList(_, arguments) => Some(arguments),
            _ => None,
        }
    }

    fn misused<T>(&self, sink: &mut Sink) -> Option<T> {
        if self.half().is_some() {
            return None;
        }
        misused(&self.argument, self.usage, sink)
    }

    /// A word alone.
    pub fn flag(&self, sink: &mut Sink) -> bool {
        let word = self.word;
        let is_alone = self.is_word();
        if !is_alone && self.half().is_none() {
            let message = format!("`{word}` takes nothing\nhelp: write `{word}` alone");
            sink.error(&self.argument, message);
        }
        is_alone
    }

    /// Whether it is a word alone.
    pub fn is_word(&self) -> bool {
        matches!(self.argument, Argument::Path(_))
    }

    /// Whether something in parentheses follows it.
    pub fn is_list(&self) -> bool {
        matches!(self.argument, Argument::List(..) | Argument::HalfList(..))
    }

    fn literal(&self, sink: &mut Sink) -> Option<&Lit> {
        match &self.argument {
            Argument::Value(_, _, lit) => Some(lit),
            _ => self.misused(sink),
        }
    }

    /// `word = 5`, a whole number that fits and is not below `least`.
    pub fn integer<N>(&self, least: N, sink: &mut Sink) -> Option<N>
    where
        N: FromStr + PartialOrd + Display + Copy,
        N::Err: Display,
    {
        let Lit::Int(lit) = self.literal(sink)? else {
            return self.misused(sink);
        };
        match lit.base10_parse::<N>() {
            Ok(number) if number >= least => Some(number),
            Ok(_) => {
                sink.error(lit, format!("`{}` is at least {least}", self.word));
                None
            }
            Err(error) => {
                sink.error(lit, format!("`{}` cannot be {lit}: {error}", self.word));
                None
            }
        }
    }

    /// `word = 1.5`; a whole number does as well.
    pub fn float(&self, sink: &mut Sink) -> Option<f64> {
        let parsed = match self.literal(sink)? {
            Lit::Float(lit) => lit.base10_parse(),
            Lit::Int(lit) => lit.base10_parse(),
            _ => return self.misused(sink),
        };
        match parsed {
            Ok(number) => Some(number),
            Err(error) => {
                sink.push(error);
                None
            }
        }
    }

    /// `word = "10m"`
    pub fn duration(&self, sink: &mut Sink) -> Option<Millis> {
        match self.literal(sink)? {
            Lit::Str(lit) => duration(lit, sink),
            lit => misused(lit, self.usage, sink),
        }
    }

    /// `word(..)`: its arguments.
    pub fn list(self, sink: &mut Sink) -> Option<Vec<Argument>> {
        match self.argument {
            Argument::List(_, _, arguments) => Some(arguments),
            _ => self.misused(sink),
        }
    }

    /// `word(Path)`
    pub fn path(self, sink: &mut Sink) -> Option<Path> {
        match self.only(sink)? {
            Argument::Path(path) => Some(path),
            other => misused(other, self.usage, sink),
        }
    }

    /// `word("text")`
    pub fn text(self, sink: &mut Sink) -> Option<LitStr> {
        match self.only(sink)? {
            Argument::Literal(Lit::Str(lit)) => Some(lit),
            other => misused(other, self.usage, sink),
        }
    }

    fn only(&self, sink: &mut Sink) -> Option<Argument> {
        match &self.argument {
            Argument::List(_, _, arguments) if arguments.len() == 1 => arguments.first().cloned(),
            _ => self.misused(sink),
        }
    }

    /// `word("key", literal)`
    pub fn pair(self, sink: &mut Sink) -> Option<(String, Literal)> {
        let Argument::List(_, _, arguments) = &self.argument else {
            return self.misused(sink);
        };
        match arguments.as_slice() {
            [Argument::Literal(Lit::Str(key)), Argument::Literal(value)] => {
                Some((key.value(), literal(value, self.usage, sink)?))
            }
            _ => self.misused(sink),
        }
    }
}

/// A literal that the broker has a type for.
pub fn literal(lit: &Lit, usage: &str, sink: &mut Sink) -> Option<Literal> {
    match lit {
        Lit::Bool(lit) => Some(Literal::Bool(lit.value)),
        Lit::Str(lit) => Some(Literal::Text(lit.value())),
        Lit::Int(lit) => match lit.base10_parse() {
            Ok(number) => Some(Literal::Int(number)),
            Err(error) => {
                sink.push(error);
                None
            }
        },
        other => misused(other, usage, sink),
    }
}

/// A duration as the contract writes it.
pub fn duration(lit: &LitStr, sink: &mut Sink) -> Option<Millis> {
    checked(lit, Millis::parse(&lit.value()), sink)
}

/// A text as a name or a key.
pub fn name<N, E: Display>(
    lit: &LitStr,
    parse: impl FnOnce(String) -> Result<N, E>,
    sink: &mut Sink,
) -> Option<Located<N>> {
    let value = checked(lit, parse(lit.value()), sink)?;
    Some(Located {
        value,
        at: lit.to_token_stream(),
    })
}

fn checked<T, E: Display>(lit: &LitStr, parsed: Result<T, E>, sink: &mut Sink) -> Option<T> {
    match parsed {
        Ok(value) => Some(value),
        Err(error) => {
            sink.error(lit, error);
            None
        }
    }
}

/// Takes the first argument, which is the name of what the attribute stands on.
pub fn take_name<N, E: Display>(
    attr: &syn::Attribute,
    usage: &str,
    arguments: &mut Vec<Argument>,
    parse: impl FnOnce(String) -> Result<N, E>,
    sink: &mut Sink,
) -> Option<Located<N>> {
    if let Some(Argument::Literal(Lit::Str(lit))) = arguments.first() {
        let lit = lit.clone();
        arguments.remove(0);
        return name(&lit, parse, sink);
    }
    let message = format!("the name comes first: `{usage}`");
    report_first(attr, arguments, &message, sink);
    None
}

/// Reports that an attribute does not begin with what it should.
pub fn report_first(attr: &syn::Attribute, arguments: &[Argument], message: &str, sink: &mut Sink) {
    match (&attr.meta, arguments.first()) {
        (_, Some(first)) => sink.error(first, message),
        // Reported: it is no list.
        (syn::Meta::NameValue(_), None) => {}
        (_, None) => sink.error(attr, message),
    }
}

/// Reports two words of which `owner` can have only one.
pub fn conflict(owner: &str, first: &str, second: &str, at: impl ToTokens, sink: &mut Sink) {
    let message = format!(
        "{owner} is `{first}` or `{second}`, not both [conflicting-options]\nhelp: keep one of the two"
    );
    sink.error(at, message);
}
