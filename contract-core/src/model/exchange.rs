//! Exchanges and what is bound to them.

use serde::{Deserialize, Serialize};

use crate::name::{ExchangeName, Pattern};

/// An exchange: where messages are published to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Exchange {
    /// Its name on the broker.
    pub name: ExchangeName,
    /// What the contract's author calls it: the type's name. Messages to people use it.
    pub label: String,
    /// How it routes.
    pub kind: ExchangeKind,
    /// Whether it survives a restart of the broker. Default: true.
    pub durable: bool,
    /// Whether the broker deletes it when its last binding goes. Default: false.
    pub auto_delete: bool,
    /// Whether only other exchanges may publish to it. Default: false.
    pub internal: bool,
    /// Where messages go that no binding takes.
    pub alternate: Option<ExchangeName>,
    /// The exchanges that it takes messages from.
    pub bindings: Vec<Binding>,
    /// Raw arguments, as declared.
    pub arguments: Vec<Argument>,
    /// Declared by somebody else: checked at start, never declared; all its keys count as routable.
    pub external: bool,
}

impl Exchange {
    /// A durable exchange without bindings.
    #[must_use]
    pub fn new(name: ExchangeName, kind: ExchangeKind) -> Self {
        Self {
            label: name.to_string(),
            name,
            kind,
            durable: true,
            auto_delete: false,
            internal: false,
            alternate: None,
            bindings: Vec::new(),
            arguments: Vec::new(),
            external: false,
        }
    }
}

/// How an exchange chooses where a message goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ExchangeKind {
    /// By the routing key, equal to the binding key.
    Direct,
    /// By the routing key, matched against patterns.
    Topic,
    /// To every binding.
    Fanout,
    /// By the message's headers.
    Headers,
    /// By a plugin's rule, which the contract does not know: all its keys count as routable.
    Custom(String),
}

impl ExchangeKind {
    /// The type's name on the wire.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Direct => "direct",
            Self::Topic => "topic",
            Self::Fanout => "fanout",
            Self::Headers => "headers",
            Self::Custom(name) => name,
        }
    }
}

/// One way from an exchange to the queue or exchange that this stands in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Binding {
    /// The exchange that the messages come from.
    pub exchange: ExchangeName,
    /// Which of its messages.
    pub key: BindingKey,
}

impl Binding {
    /// Binds to `exchange` by `key`.
    #[must_use]
    pub fn new(exchange: ExchangeName, key: BindingKey) -> Self {
        Self { exchange, key }
    }
}

/// Which messages of an exchange a binding takes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum BindingKey {
    /// All that the exchange gives without a key: what a fanout exchange is bound with.
    None,
    /// Those whose routing key matches.
    Pattern(Pattern),
    /// Those whose headers match.
    Headers(HeaderMatch),
}

/// Which headers a headers exchange looks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct HeaderMatch {
    /// Whether all of them have to be there, or any one.
    pub all: bool,
    /// The headers, with the values that they must have.
    pub headers: Vec<(String, Literal)>,
}

impl HeaderMatch {
    /// Matches messages that carry all (or any one) of `headers`.
    #[must_use]
    pub fn new(all: bool, headers: Vec<(String, Literal)>) -> Self {
        Self { all, headers }
    }
}

/// A value that a contract can write down: of a header or of a raw argument.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Literal {
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A text.
    Text(String),
}

/// A raw `x-` argument of an exchange or a queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Argument {
    /// Its name on the wire.
    pub name: String,
    /// Its value.
    pub value: Literal,
    /// Whether the author vouches for a name that the library does not know.
    pub unchecked: bool,
}

impl Argument {
    /// An argument that the library checks against what the broker knows.
    #[must_use]
    pub fn new(name: impl Into<String>, value: Literal) -> Self {
        Self {
            name: name.into(),
            value,
            unchecked: false,
        }
    }
}
