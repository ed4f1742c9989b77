//! Every word of the language, once.

/// Attributes of items.
pub const EXCHANGE: &str = "exchange";
pub const QUEUE: &str = "queue";
pub const MESSAGE: &str = "message";
pub const PAYLOAD: &str = "payload";
pub const PUBLISHER: &str = "publisher";
pub const HANDLERS: &str = "handlers";
/// Attributes of methods.
pub const PUBLISH: &str = "publish";
pub const CONSUME: &str = "consume";

/// Everything that is ours inside a contract.
pub const HELPERS: &[&str] = &[
    EXCHANGE, QUEUE, MESSAGE, PAYLOAD, PUBLISHER, HANDLERS, PUBLISH, CONSUME,
];

/// `#[contract(..)]`.
pub const CRATE: &str = "crate";

/// What comes back of a `#[cfg]` that rustc was asked about. Nobody writes it.
pub const CFG_ANSWER: &str = "__cfg";

/// Kinds of exchanges.
pub const TOPIC: &str = "topic";
pub const DIRECT: &str = "direct";
pub const FANOUT: &str = "fanout";
pub const HEADERS: &str = "headers";
pub const CUSTOM: &str = "custom";

/// Options of exchanges, of queues, or of both.
pub const TRANSIENT: &str = "transient";
pub const AUTO_DELETE: &str = "auto_delete";
pub const INTERNAL: &str = "internal";
pub const ALTERNATE: &str = "alternate";
pub const BIND: &str = "bind";
pub const ARGUMENT: &str = "argument";
pub const UNCHECKED: &str = "unchecked";
pub const EXTERNAL: &str = "external";
pub const QUORUM: &str = "quorum";
pub const CLASSIC: &str = "classic";
pub const DEAD_LETTER: &str = "dead_letter";
pub const BY_POLICY: &str = "by_policy";
pub const RETRY: &str = "retry";
pub const MESSAGE_TTL: &str = "message_ttl";
pub const EXPIRES: &str = "expires";
pub const MAX_LENGTH: &str = "max_length";
pub const MAX_LENGTH_BYTES: &str = "max_length_bytes";
pub const OVERFLOW: &str = "overflow";
pub const REJECT_PUBLISH: &str = "reject_publish";
pub const DROP_HEAD: &str = "drop_head";
pub const DELIVERY_LIMIT: &str = "delivery_limit";
pub const BROKER: &str = "broker";
pub const SINGLE_ACTIVE_CONSUMER: &str = "single_active_consumer";
pub const MAX_PRIORITY: &str = "max_priority";
pub const EXCLUSIVE: &str = "exclusive";
pub const LOSSY: &str = "lossy";

/// Bindings by headers.
pub const ALL: &str = "all";
pub const ANY: &str = "any";
pub const HEADER: &str = "header";

/// Retries.
pub const NONE: &str = "none";
pub const IMMEDIATE_REQUEUE: &str = "immediate_requeue";
pub const TTL_BACKOFF: &str = "ttl_backoff";
pub const MAX_RETRIES: &str = "max_retries";
pub const INITIAL_DELAY: &str = "initial_delay";
pub const MAX_DELAY: &str = "max_delay";
pub const MULTIPLIER: &str = "multiplier";
pub const JITTER: &str = "jitter";
pub const BUCKET_MAX_LENGTH: &str = "bucket_max_length";
pub const DELAYS: &str = "delays";

/// Messages.
pub const VERSION: &str = "version";
pub const DERIVE: &str = "derive";

/// Publishes.
pub const EXPIRATION: &str = "expiration";
pub const UNROUTABLE: &str = "unroutable";

/// Consumers.
pub const CONCURRENCY: &str = "concurrency";
pub const PREFETCH: &str = "prefetch";
pub const TIMEOUT: &str = "timeout";
pub const PRIORITY: &str = "priority";

/// Types of handler arguments that are not messages of the contract.
pub const RAW_MESSAGE: &str = "RawMessage";
pub const DEAD_LETTER_TYPE: &str = "DeadLetter";
