//! What a check has to say: which rule, where in the contract, why, and what to write instead.

use std::fmt;

macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident = $id:literal, whole = $whole:literal;)*) => {
        /// A rule that every contract keeps. Its id stands behind each message about it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Rule {
            $($(#[$doc])* $name,)*
        }

        impl Rule {
            /// Every rule, in the order of the reference.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The id: `dead-letter-unroutable`.
            #[must_use]
            pub fn id(self) -> &'static str {
                match self { $(Self::$name => $id,)* }
            }

            /// Whether the rule speaks of the topology as a whole, so that it has nothing to say
            /// while a part of the contract could not be understood.
            #[must_use]
            pub fn needs_whole_topology(self) -> bool {
                match self { $(Self::$name => $whole,)* }
            }
        }
    };
}

rules! {
    /// Something is named that the contract does not have.
    UnknownEntity = "unknown-entity", whole = true;
    /// Two exchanges, queues or messages share a name.
    DuplicateEntity = "duplicate-entity", whole = false;
    /// A name is one that the broker keeps for itself.
    ReservedName = "reserved-name", whole = false;
    /// A name that is derived from another is too long, or taken.
    DerivedName = "derived-name", whole = false;
    /// A binding lacks the key that its exchange routes by.
    BindingKeyMissing = "binding-key-missing", whole = false;
    /// A binding has a key that its exchange ignores.
    BindingKeyIgnored = "binding-key-ignored", whole = false;
    /// A binding to a direct exchange has a wildcard, which is taken literally.
    WildcardOnDirect = "wildcard-on-direct", whole = false;
    /// A retry policy is out of range.
    RetryRange = "retry-range", whole = false;
    /// A queue's own delivery limit acts before its retries are spent.
    DeliveryLimitBelowRetries = "delivery-limit-below-retries", whole = false;
    /// A quorum queue has an option that only classic queues have.
    QuorumOption = "quorum-option", whole = false;
    /// A classic queue has an option that only quorum queues have.
    ClassicOption = "classic-option", whole = false;
    /// A raw argument is one that the library does not know, or has the wrong type.
    RawArgument = "raw-argument", whole = false;
    /// A publish to an exchange that takes nothing from publishers.
    PublishInternal = "publish-internal", whole = false;
    /// An option of a queue's consumer is out of range, stands twice, or does nothing.
    ConsumerOption = "consumer-option", whole = false;
    /// Two consumers of one queue take the same message.
    DuplicateConsumer = "duplicate-consumer", whole = false;
    /// Two groups of handlers take from one queue.
    QueueSplit = "queue-split", whole = false;
    /// Which queues messages reach cannot be told from the patterns on their way.
    EntangledPatterns = "entangled-patterns", whole = true;
    /// A publish reaches no queue.
    PublisherUnroutable = "publisher-unroutable", whole = true;
    /// A message reaches a queue where no consumer takes it.
    MessageNotTaken = "message-not-taken", whole = true;
    /// A message that cannot be handled has nowhere to go.
    PoisonLoss = "poison-loss", whole = false;
    /// A message whose time runs out has nowhere to go.
    ExpiryLoss = "expiry-loss", whole = true;
    /// The oldest message of a full queue has nowhere to go.
    OverflowLoss = "overflow-loss", whole = false;
    /// A queue, or an exchange on the way, is deleted with what it holds.
    DeletionLoss = "deletion-loss", whole = false;
    /// A queue, or an exchange on the way, is gone when the broker restarts.
    RestartLoss = "restart-loss", whole = false;
    /// The broker's own dead-letter hop does not wait for its target.
    HopLoss = "hop-loss", whole = false;
    /// What an exchange passes to its alternate reaches no queue.
    AlternateUnroutable = "alternate-unroutable", whole = true;
    /// Dead letters reach no queue.
    DeadLetterUnroutable = "dead-letter-unroutable", whole = true;
    /// A dead-letter exchange takes nothing from publishers.
    DeadLetterInternal = "dead-letter-internal", whole = false;
    /// A queue's dead letters come back to it.
    DeadLetterCycle = "dead-letter-cycle", whole = true;
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// A place in a contract, by position: which entity, and which part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// Which entity.
    pub entity: Entity,
    /// Which part of it.
    pub part: Part,
}

/// Something that a contract holds, by its position there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Entity {
    /// The contract itself.
    Contract,
    /// An exchange.
    Exchange(usize),
    /// A queue.
    Queue(usize),
    /// A message.
    Message(usize),
    /// A publish: of this publisher, this one of its publishes.
    Publish(usize, usize),
    /// A consumer: of these handlers, this one of its consumers.
    Consume(usize, usize),
}

impl Entity {
    /// A part of this entity.
    #[must_use]
    pub fn at(self, part: Part) -> Site {
        Site { entity: self, part }
    }
}

/// A part of an entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Part {
    /// The entity itself.
    Whole,
    /// Its name.
    Name,
    /// Its binding of this position: the exchange.
    Binding(usize),
    /// Its binding of this position: the key.
    BindingKey(usize),
    /// The exchange for what nothing takes.
    Alternate,
    /// Its dead letter.
    DeadLetter,
    /// Its retry policy.
    Retry,
    /// The option of this name of its retry policy: `max_retries`.
    RetryOption(&'static str),
    /// The option of this name, as the contract writes it.
    Option(&'static str),
    /// Its raw argument of this position.
    Argument(usize),
    /// The exchange that a publish names.
    Exchange,
    /// The key of a publish.
    Key,
    /// The queue that a consumer names.
    Queue,
    /// The message that a publish or a consumer names.
    Message,
}

/// One mistake in a contract.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The rule that is broken.
    pub rule: Rule,
    /// Where.
    pub at: Site,
    /// What is wrong, naming the culprit: lower case, no full stop.
    pub message: String,
    /// The facts that it follows from.
    pub facts: Vec<String>,
    /// What to write: the remedy before the opt-out.
    pub help: String,
}

impl Finding {
    /// A finding without further facts.
    #[must_use]
    pub fn new(rule: Rule, at: Site, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            rule,
            at,
            message: message.into(),
            facts: Vec::new(),
            help: help.into(),
        }
    }

    /// Adds what it follows from.
    #[must_use]
    pub fn with_facts(mut self, facts: impl IntoIterator<Item = String>) -> Self {
        self.facts.extend(facts);
        self
    }
}

/// The message with its rule, a line for each fact, and the help.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.message, self.rule)?;
        for fact in &self.facts {
            write!(f, "\n{fact}")?;
        }
        write!(f, "\nhelp: {}", self.help)
    }
}
