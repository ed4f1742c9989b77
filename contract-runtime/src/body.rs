//! From bytes to a value that a message's schema finds valid: one reading of them, for schema and type.

use contract_core::content::{ContentError, accept_json};
use contract_core::header::MAX_SCHEMA_ERRORS;
use serde_json::Value;

use crate::schema::{Schema, SchemaIssue};

/// Why a body is not one of its message.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BodyError {
    /// The contract has no such message.
    #[error("the contract has no message `{0}`")]
    UnknownMessage(String),
    /// It does not claim to be JSON.
    #[error(transparent)]
    Content(#[from] ContentError),
    /// It starts with a byte order mark, which JSON does not have.
    #[error("the body is not JSON: it starts with a byte order mark")]
    ByteOrderMark,
    /// It is not JSON, or nested deeper than 127 levels.
    #[error("the body is not JSON: {0}")]
    NotJson(#[source] serde_json::Error),
    /// It violates the message's schema, in these places, at most ten of them; values are masked.
    #[error("the body violates its schema: {}", shown(.0))]
    Invalid(Vec<SchemaIssue>),
}

/// Reads a body as JSON and holds it against the schema.
pub(crate) fn read(
    content_type: Option<&str>,
    content_encoding: Option<&str>,
    body: &[u8],
    schema: &Schema,
) -> Result<Value, BodyError> {
    accept_json(content_type, content_encoding)?;
    if body.starts_with(b"\xef\xbb\xbf") {
        return Err(BodyError::ByteOrderMark);
    }
    let value = serde_json::from_slice(body).map_err(BodyError::NotJson)?;
    let issues = schema.issues(&value);
    if issues.is_empty() {
        Ok(value)
    } else {
        Err(BodyError::Invalid(issues))
    }
}

/// The schema allows what the type does not: an integer too wide, `1.0` for one, a decoder of its own.
impl From<serde_json::Error> for BodyError {
    fn from(error: serde_json::Error) -> Self {
        Self::Invalid(vec![SchemaIssue {
            pointer: String::new(),
            keyword: "decode".to_owned(),
            message: decoder_text(&error),
        }])
    }
}

/// serde's texts quote the value in the way `invalid value: integer `-1`, expected u32`: the part
/// before the comma may hold what nobody should read in a dead-letter queue.
fn decoder_text(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match (text.split_once(": "), text.rsplit_once(", expected ")) {
        (Some((what, _)), Some((_, expected))) if what.starts_with("invalid ") => {
            format!("{what}, expected {expected}")
        }
        _ => text,
    }
}

fn shown(issues: &[SchemaIssue]) -> String {
    let first = issues.first().map(ToString::to_string).unwrap_or_default();
    match issues.len() {
        0 | 1 => first,
        MAX_SCHEMA_ERRORS.. => format!("{first} (and {} or more)", issues.len() - 1),
        more => format!("{first} (and {} more)", more - 1),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn schema() -> Schema {
        Schema::compile(&json!({ "type": "object", "required": ["id"], "minProperties": 2 }))
            .unwrap()
    }

    fn refused(body: &[u8]) -> String {
        read(None, None, body, &schema()).unwrap_err().to_string()
    }

    #[test]
    fn what_is_not_json_says_where() {
        assert_eq!(
            refused(b""),
            "the body is not JSON: EOF while parsing a value at line 1 column 0"
        );
        assert_eq!(
            refused(b"{} {}"),
            "the body is not JSON: trailing characters at line 1 column 4"
        );
        assert_eq!(
            refused(b"\xef\xbb\xbf{}"),
            "the body is not JSON: it starts with a byte order mark"
        );
        assert!(refused("[".repeat(1_000_000).as_bytes()).contains("recursion limit exceeded"));
        assert!(refused(b"{\"id\":NaN}").starts_with("the body is not JSON: expected value"));
        assert!(refused(b"{\"id\":\"\\ud800\"}").starts_with("the body is not JSON: "));
        assert!(
            refused(b"{\"id\":1e400}").starts_with("the body is not JSON: number out of range")
        );
        assert!(refused(b"\xff").starts_with("the body is not JSON: "));
    }

    #[test]
    fn what_violates_the_schema_says_how_often() {
        assert!(
            refused(b"{}").ends_with("(and 1 more)"),
            "{}",
            refused(b"{}")
        );
    }

    #[test]
    fn of_a_key_that_occurs_twice_the_last_counts_for_schema_and_type() {
        let schema = Schema::compile(&json!({ "properties": { "n": { "maximum": 5 } } })).unwrap();
        assert_eq!(
            read(None, None, b"{\"n\":9,\"n\":1}", &schema).unwrap(),
            json!({ "n": 1 })
        );
        assert!(read(None, None, b"{\"n\":1,\"n\":9}", &schema).is_err());
    }

    #[test]
    fn large_integers_are_exact() {
        let schema = Schema::compile(&json!({})).unwrap();
        let value = read(
            None,
            None,
            b"[9007199254740993,18446744073709551615]",
            &schema,
        )
        .unwrap();
        assert_eq!(value[0].as_u64(), Some((1 << 53) + 1));
        assert_eq!(value[1].as_u64(), Some(u64::MAX));
    }

    #[test]
    fn a_decoders_text_keeps_no_value() {
        let error = serde_json::from_str::<u32>("-77").unwrap_err();
        assert!(error.to_string().contains("77"));
        let text = decoder_text(&error);
        assert!(text.starts_with("invalid value, expected u32"), "{text}");
    }
}
