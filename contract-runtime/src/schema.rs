//! Whether a JSON value is what a message's schema says.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use contract_core::header::MAX_SCHEMA_ERRORS;

/// A place where a body violates the schema of its message. Values of the body are masked: an issue
/// can be logged, and stands in the dead-letter queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SchemaIssue {
    /// Where in the body, as a JSON pointer; the root is the empty one.
    pub pointer: String,
    /// The keyword of the schema that is violated: `minimum`, `required`, ..; `decode` where the
    /// schema holds but the type cannot be read.
    pub keyword: String,
    /// What is wrong, values masked.
    pub message: String,
}

impl fmt::Display for SchemaIssue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pointer = if self.pointer.is_empty() {
            "the body"
        } else {
            &self.pointer
        };
        write!(f, "{pointer}: {}", self.message)
    }
}

/// The schema of a message cannot be used.
#[derive(Debug, Clone, thiserror::Error)]
#[error("the schema of message `{message}` cannot be used: {reason}")]
#[non_exhaustive]
pub struct SchemaError {
    /// The message.
    pub message: String,
    /// Why.
    pub reason: String,
}

/// A schema, compiled once.
#[derive(Debug)]
pub(crate) struct Schema(jsonschema::Validator);

/// References to elsewhere are never followed: a contract is whole in itself, and a validator that
/// opens sockets can be made to.
struct NoReferences;

impl jsonschema::Retrieve for NoReferences {
    fn retrieve(
        &self,
        uri: &jsonschema::Uri<String>,
    ) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        Err(
            format!("it refers to `{uri}`, and references to other documents are not followed")
                .into(),
        )
    }
}

impl Schema {
    /// Compiles a schema. Formats (`uuid`, `date-time`, ..) are asserted, not just noted.
    pub(crate) fn compile(schema: &Value) -> Result<Self, String> {
        jsonschema::options()
            .should_validate_formats(true)
            .with_retriever(NoReferences)
            .build(schema)
            .map(Self)
            .map_err(|error| error.to_string())
    }

    /// The first issues of `value`, at most ten; none if it is valid.
    pub(crate) fn issues(&self, value: &Value) -> Vec<SchemaIssue> {
        // Naming the issues costs far more than finding that there is none.
        if self.0.is_valid(value) {
            return Vec::new();
        }
        let issue = |error: jsonschema::ValidationError<'_>| SchemaIssue {
            pointer: error.instance_path().to_string(),
            keyword: error.kind().keyword().to_owned(),
            message: error.masked().to_string(),
        };
        self.0
            .iter_errors(value)
            .take(MAX_SCHEMA_ERRORS)
            .map(issue)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn issues_name_the_place_and_mask_the_value() {
        let schema = Schema::compile(&json!({
            "type": "object",
            "properties": { "ssn": { "type": "string", "maxLength": 3 }, "n": { "minimum": 1 } },
            "required": ["id"],
        }))
        .unwrap();
        let issues = schema.issues(&json!({ "ssn": "secret", "n": 0 }));
        let shown: Vec<String> = issues.iter().map(ToString::to_string).collect();
        assert!(
            shown.iter().all(|issue| !issue.contains("secret")),
            "{shown:?}"
        );
        assert!(
            issues
                .iter()
                .any(|issue| issue.pointer == "/ssn" && issue.keyword == "maxLength")
        );
        assert!(
            issues
                .iter()
                .any(|issue| issue.pointer == "/n" && issue.keyword == "minimum")
        );
        assert!(
            issues
                .iter()
                .any(|issue| issue.pointer.is_empty() && issue.keyword == "required")
        );
        assert_eq!(schema.issues(&json!({ "id": 1, "n": 1 })), []);
    }

    #[test]
    fn formats_are_asserted() {
        let schema = Schema::compile(&json!({ "type": "string", "format": "uuid" })).unwrap();
        assert_eq!(schema.issues(&json!("yesterday")).len(), 1);
    }

    #[test]
    fn other_documents_are_not_fetched() {
        let error =
            Schema::compile(&json!({ "$ref": "https://example.com/schema.json" })).unwrap_err();
        assert!(error.contains("not followed"), "{error}");
    }
}
