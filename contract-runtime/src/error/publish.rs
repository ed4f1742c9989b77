//! Why a publish did not succeed, and what that says about the message.

use std::time::Duration;

use uuid::Uuid;

use crate::schema::{SchemaError, SchemaIssue};

/// What is known about a message whose publish failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PublishOutcome {
    /// It never left this process.
    NotSent,
    /// The broker has not taken it.
    Refused,
    /// Nobody can say: some queue may have it. Publish again with the same event id, so that
    /// consumers can tell the copies.
    Unknown,
}

/// Why a publish did not succeed.
///
/// [`outcome`](Self::outcome) says whether the broker can have the message;
/// [`is_retryable`](Self::is_retryable) whether publishing it again, with the same event id, could
/// help.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum PublishError {
    /// The payload violates the message's schema: no consumer could read it. Not sent.
    #[error("message `{message}` violates its schema: {}", shown(.issues))]
    Invalid {
        /// The message.
        message: String,
        /// Where, at most ten; values are masked.
        issues: Vec<SchemaIssue>,
    },
    /// The payload cannot be written as JSON. Not sent.
    #[error("message `{message}` cannot be written as JSON: {reason}")]
    NotJson {
        /// The message.
        message: String,
        /// serde's words.
        reason: String,
    },
    /// The message's schema cannot be used. Not sent.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// The contract does not hold this publish: the publisher was made for another. Not sent.
    #[error("the contract has no publish `{method}` in `{publisher}`")]
    NotInContract {
        /// The publisher's name.
        publisher: String,
        /// The method's name.
        method: String,
    },
    /// The body, or the headers with the properties, are larger than may be sent. Not sent.
    #[error("the {what} of message `{message}` needs {bytes} bytes; at most {limit} are sent")]
    TooLarge {
        /// The message.
        message: String,
        /// `body`, or `header frame`.
        what: &'static str,
        /// How large they are.
        bytes: usize,
        /// How large they may be.
        limit: usize,
    },
    /// A field cannot fill its place in the routing key, or the key, or another short text, has more
    /// than 255 bytes. Not sent.
    #[error("{reason}")]
    InvalidKey {
        /// What is wrong, and with what.
        reason: String,
    },
    /// A header cannot be added to a message. Not sent.
    #[error("header `{name}` cannot be set: {reason}")]
    InvalidHeader {
        /// The header's name.
        name: String,
        /// Why not.
        reason: &'static str,
    },
    /// There was no connection within the timeout. Not sent.
    #[error("no connection to RabbitMQ within {within:?}")]
    Unavailable {
        /// How long was waited.
        within: Duration,
    },
    /// The broker took no messages within the timeout: an alarm. Not sent.
    #[error("RabbitMQ takes no messages: {reason}")]
    Blocked {
        /// The broker's words.
        reason: String,
    },
    /// As many messages as may be are unconfirmed, and none was confirmed in time (or waiting was
    /// ruled out by [`no_wait`](crate::PublishOptions::no_wait)). Not sent.
    #[error("too many messages of this publisher are unconfirmed")]
    Overloaded,
    /// The publisher or its connection was closed by its owner. Not sent.
    #[error("the publisher or its connection is closed")]
    Closed,
    /// No queue is bound for this key. Refused.
    #[error(
        "no queue takes key `{routing_key}` of exchange `{exchange}`: event {event_id} was returned"
    )]
    Unroutable {
        /// The exchange.
        exchange: String,
        /// The routing key.
        routing_key: String,
        /// The event id.
        event_id: Uuid,
    },
    /// The broker took it and says no: a queue is full, or could not store it. Refused; unknown
    /// where the key reaches several queues, of which others may have it.
    #[error(
        "RabbitMQ rejected event {event_id} for exchange `{exchange}`: a queue is full or failed"
    )]
    Rejected {
        /// The exchange.
        exchange: String,
        /// The routing key.
        routing_key: String,
        /// The event id.
        event_id: Uuid,
        /// Whether another queue can have it.
        partly: bool,
    },
    /// The exchange does not exist (code 404). Refused; unknown where other messages to it were
    /// under way: the broker does not say with which of them it began. No other publisher notices.
    #[error("exchange `{exchange}` does not exist: event {event_id} was not routed")]
    ExchangeMissing {
        /// The exchange.
        exchange: String,
        /// The event id.
        event_id: Uuid,
        /// Whether it is certain that this message was not taken.
        certain: bool,
    },
    /// The broker closed the channel over it: the exchange may not be published to (403), or the
    /// message is not to its liking (406). Refused; unknown where other messages were under way:
    /// one of those may have been the cause. No other publisher notices.
    #[error("RabbitMQ refuses event {event_id} for exchange `{exchange}`: {text} [{code}]")]
    Refused {
        /// The exchange.
        exchange: String,
        /// The routing key.
        routing_key: String,
        /// The event id.
        event_id: Uuid,
        /// The AMQP reply code.
        code: u16,
        /// The broker's words.
        text: String,
        /// Whether it is certain that this message was not taken.
        certain: bool,
    },
    /// It was sent, and the broker did not answer: in time, or before the connection was lost.
    /// Unknown: publish again with the same event id.
    #[error("event {event_id} is unconfirmed: {reason}")]
    Unconfirmed {
        /// The event id.
        event_id: Uuid,
        /// What came in between.
        reason: String,
    },
}

impl PublishError {
    /// Whether the broker can have the message.
    #[must_use]
    pub fn outcome(&self) -> PublishOutcome {
        match self {
            Self::Invalid { .. }
            | Self::NotJson { .. }
            | Self::Schema(_)
            | Self::NotInContract { .. }
            | Self::TooLarge { .. }
            | Self::InvalidKey { .. }
            | Self::InvalidHeader { .. }
            | Self::Unavailable { .. }
            | Self::Blocked { .. }
            | Self::Overloaded
            | Self::Closed => PublishOutcome::NotSent,
            Self::Unroutable { .. }
            | Self::Rejected { partly: false, .. }
            | Self::ExchangeMissing { certain: true, .. }
            | Self::Refused { certain: true, .. } => PublishOutcome::Refused,
            Self::Rejected { .. }
            | Self::ExchangeMissing { .. }
            | Self::Refused { .. }
            | Self::Unconfirmed { .. } => PublishOutcome::Unknown,
        }
    }

    /// Whether the same message, published again later with the same event id, could succeed
    /// without anybody changing the contract, the topology or the program.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        matches!(
            self,
            Self::Unavailable { .. }
                | Self::Blocked { .. }
                | Self::Overloaded
                | Self::Rejected { .. }
                | Self::Unconfirmed { .. }
                | Self::Refused { certain: false, .. }
        )
    }

    /// The event id of a message that was sent: publishing it again with this id lets consumers tell
    /// the copies. What was not sent needs none.
    #[must_use]
    pub fn event_id(&self) -> Option<Uuid> {
        match self {
            Self::Unroutable { event_id, .. }
            | Self::Rejected { event_id, .. }
            | Self::ExchangeMissing { event_id, .. }
            | Self::Refused { event_id, .. }
            | Self::Unconfirmed { event_id, .. } => Some(*event_id),
            _ => None,
        }
    }
}

fn shown(issues: &[SchemaIssue]) -> String {
    let issues: Vec<String> = issues.iter().map(ToString::to_string).collect();
    issues.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_certain_only_where_it_can_be() {
        let rejected = |partly| PublishError::Rejected {
            exchange: "x".into(),
            routing_key: "k".into(),
            event_id: Uuid::nil(),
            partly,
        };
        assert_eq!(rejected(false).outcome(), PublishOutcome::Refused);
        assert_eq!(rejected(true).outcome(), PublishOutcome::Unknown);
        let unconfirmed = PublishError::Unconfirmed {
            event_id: Uuid::nil(),
            reason: "the connection was lost".into(),
        };
        assert_eq!(unconfirmed.outcome(), PublishOutcome::Unknown);
        assert!(unconfirmed.is_retryable());
        assert_eq!(PublishError::Overloaded.outcome(), PublishOutcome::NotSent);
    }
}
