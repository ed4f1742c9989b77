//! The headers on the wire: their names, and how each is read and written.

use std::borrow::Cow;

/// The version of the message's schema: written above 1, absent means 1.
pub const SCHEMA_VERSION: &str = "x-schema-version";
/// Which retry this copy is for: 1 to 100; absent means that none was made.
pub const RETRY_COUNT: &str = "x-retry-count";
/// The queue for which the retry was counted: on another queue the count says nothing.
pub const RETRY_QUEUE: &str = "x-retry-queue";
/// How many runs a dead letter had.
pub const ATTEMPTS: &str = "x-attempts";
/// The text of the failure, cut to [`MAX_ERROR_BYTES`].
pub const LAST_ERROR: &str = "x-last-error";
/// The [kind](crate::settle::FailureKind) of the failure.
pub const ERROR_KIND: &str = "x-error-kind";
/// Where a body violates its schema: a JSON array of pointer, keyword and message.
pub const SCHEMA_ERRORS: &str = "x-schema-errors";
/// When the message failed first: Unix milliseconds.
pub const FIRST_FAILURE: &str = "x-first-failure-timestamp";
/// When the message failed last: Unix milliseconds.
pub const LAST_FAILURE: &str = "x-last-failure-timestamp";
/// The exchange that the message was first published to.
pub const ORIGINAL_EXCHANGE: &str = "x-original-exchange";
/// The routing key that the message was first published with.
pub const ORIGINAL_ROUTING_KEY: &str = "x-original-routing-key";
/// The expiration that a copy must not have.
pub const ORIGINAL_EXPIRATION: &str = "x-original-expiration";
/// The user that a copy must not claim to be.
pub const ORIGINAL_USER_ID: &str = "x-original-user-id";
/// The further recipients that a copy must not have.
pub const ORIGINAL_CC: &str = "x-original-cc";
/// The hidden recipients that a copy must not have.
pub const ORIGINAL_BCC: &str = "x-original-bcc";
/// The queue on which a dead letter failed.
pub const FAILED_QUEUE: &str = "x-failed-queue";
/// The handler that failed.
pub const CONSUMER: &str = "x-consumer";
/// How often a quorum queue handed the message out: the broker's own.
pub const DELIVERY_COUNT: &str = "x-delivery-count";

/// Every header of ours.
pub const ALL: &[&str] = &[
    SCHEMA_VERSION,
    RETRY_COUNT,
    RETRY_QUEUE,
    ATTEMPTS,
    LAST_ERROR,
    ERROR_KIND,
    SCHEMA_ERRORS,
    FIRST_FAILURE,
    LAST_FAILURE,
    ORIGINAL_EXCHANGE,
    ORIGINAL_ROUTING_KEY,
    ORIGINAL_EXPIRATION,
    ORIGINAL_USER_ID,
    ORIGINAL_CC,
    ORIGINAL_BCC,
    FAILED_QUEUE,
    CONSUMER,
];

/// The longest text of [`LAST_ERROR`], in bytes.
pub const MAX_ERROR_BYTES: usize = 1024;
/// The longest text of [`SCHEMA_ERRORS`], in bytes.
pub const MAX_SCHEMA_ERRORS_BYTES: usize = 4096;
/// The most entries of [`SCHEMA_ERRORS`].
pub const MAX_SCHEMA_ERRORS: usize = 10;

/// Headers that the broker owns and that say where a message has been: a copy starts a history of
/// its own. On 3.10 a copy that kept them could be taken for a dead-letter cycle and dropped.
#[must_use]
pub fn is_history(name: &str) -> bool {
    name == "x-death"
        || name.starts_with("x-first-death-")
        || name.starts_with("x-last-death-")
        || name == DELIVERY_COUNT
        || name == "x-acquired-count"
}

/// What a header holds, as far as the library has to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field<'a> {
    /// A whole number of any AMQP type.
    Int(i64),
    /// A text in UTF-8.
    Text(&'a str),
    /// Anything else.
    Other,
}

/// A header of ours that holds what we never write.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("header `{header}` is not {expected}")]
#[non_exhaustive]
pub struct Malformed {
    /// The header's name.
    pub header: &'static str,
    /// What it should hold.
    pub expected: &'static str,
}

fn count(header: &'static str, field: Option<Field<'_>>) -> Result<u32, Malformed> {
    match field {
        None => Ok(0),
        Some(Field::Int(count @ 0..=100)) => Ok(u32::try_from(count).unwrap_or(0)),
        Some(_) => Err(Malformed {
            header,
            expected: "a whole number from 0 to 100",
        }),
    }
}

/// How many retries came before this delivery of `queue`, by our own count.
///
/// The count is good only for the queue that it was made for: a spent one does not follow a message
/// into a dead-letter queue, nor back out of it.
pub fn read_retry_count(
    retry_count: Option<Field<'_>>,
    retry_queue: Option<Field<'_>>,
    queue: &str,
) -> Result<u32, Malformed> {
    let count = count(RETRY_COUNT, retry_count)?;
    match retry_queue {
        None => Ok(0),
        Some(Field::Text(made_for)) => Ok(if made_for == queue { count } else { 0 }),
        Some(_) => Err(Malformed {
            header: RETRY_QUEUE,
            expected: "the name of a queue",
        }),
    }
}

/// How many retries came before this delivery, by the broker's count of a quorum queue.
///
/// The count is good only where the broker has handed the message out before: on a first delivery
/// the header, if there is one, was put there by a publisher. What is no count is none.
#[must_use]
pub fn read_delivery_count(delivery_count: Option<Field<'_>>, redelivered: bool) -> u32 {
    match delivery_count {
        Some(Field::Int(count)) if redelivered => u32::try_from(count.max(0)).unwrap_or(u32::MAX),
        _ => 0,
    }
}

/// The version of the message's schema, if the sender said one.
pub fn read_schema_version(field: Option<Field<'_>>) -> Result<Option<u32>, Malformed> {
    match field {
        None => Ok(None),
        Some(Field::Int(version @ 1..=0x7fff_ffff)) => Ok(u32::try_from(version).ok()),
        Some(_) => Err(Malformed {
            header: SCHEMA_VERSION,
            expected: "a whole number from 1 to 2147483647",
        }),
    }
}

/// Cuts a text at a character so that it has at most `most` bytes, and marks the cut.
#[must_use]
pub fn cut(text: &str, most: usize) -> Cow<'_, str> {
    const MARK: &str = " [cut]";
    if text.len() <= most {
        return Cow::Borrowed(text);
    }
    let mut keep = most.saturating_sub(MARK.len());
    while !text.is_char_boundary(keep) {
        keep -= 1;
    }
    let mut cut = text[..keep].to_owned();
    cut.push_str(MARK);
    Cow::Owned(cut)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_count_belongs_to_its_queue() {
        let read =
            |count, queue| read_retry_count(Some(Field::Int(count)), Some(Field::Text(queue)), "q");
        assert_eq!(read(3, "q"), Ok(3));
        assert_eq!(read(3, "other"), Ok(0));
        assert_eq!(read_retry_count(Some(Field::Int(3)), None, "q"), Ok(0));
        assert_eq!(read_retry_count(None, None, "q"), Ok(0));
    }

    #[test]
    fn a_malformed_count_is_never_guessed_at() {
        for count in [
            Field::Int(-1),
            Field::Int(101),
            Field::Int(i64::MAX),
            Field::Text("1"),
            Field::Other,
        ] {
            for queue in [None, Some(Field::Text("q")), Some(Field::Text("other"))] {
                assert_eq!(
                    read_retry_count(Some(count), queue, "q")
                        .unwrap_err()
                        .header,
                    RETRY_COUNT
                );
            }
        }
        assert_eq!(
            read_retry_count(None, Some(Field::Other), "q")
                .unwrap_err()
                .header,
            RETRY_QUEUE
        );
    }

    #[test]
    fn the_brokers_count_is_taken_only_where_it_made_one() {
        assert_eq!(read_delivery_count(Some(Field::Int(4)), true), 4);
        assert_eq!(read_delivery_count(Some(Field::Int(4)), false), 0);
        assert_eq!(read_delivery_count(Some(Field::Int(-4)), true), 0);
        assert_eq!(
            read_delivery_count(Some(Field::Int(i64::MAX)), true),
            u32::MAX
        );
        assert_eq!(read_delivery_count(Some(Field::Text("4")), true), 0);
        assert_eq!(read_delivery_count(None, true), 0);
    }

    #[test]
    fn versions_start_at_one() {
        assert_eq!(read_schema_version(None), Ok(None));
        assert_eq!(read_schema_version(Some(Field::Int(2))), Ok(Some(2)));
        assert!(read_schema_version(Some(Field::Int(0))).is_err());
        assert!(read_schema_version(Some(Field::Text("2"))).is_err());
    }

    proptest! {
        #[test]
        fn a_cut_text_fits_and_starts_alike(text in "\\PC{0,40}", most in 6usize..60) {
            let cut = cut(&text, most);
            prop_assert!(cut.len() <= most);
            match cut.strip_suffix(" [cut]") {
                Some(kept) if text.len() > most => prop_assert!(text.starts_with(kept)),
                _ => prop_assert_eq!(&*cut, text.as_str()),
            }
        }
    }
}
