//! Why a contract that was built at run time cannot be run.

use contract_core::finding::Finding;

use crate::schema::SchemaError;

/// Why a contract, or what was made for it, cannot be run. Nothing has touched the broker then.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ContractError {
    /// The contract breaks rules. A contract of the macro cannot: it would not compile.
    #[error("the contract `{contract}` breaks its rules:\n{}", shown(.findings))]
    Rules {
        /// The contract's name.
        contract: String,
        /// What is wrong with it.
        findings: Vec<Finding>,
    },
    /// A schema cannot be used.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// The contract has nothing of this kind and name.
    #[error("the contract `{contract}` has no {kind} `{name}`")]
    Unknown {
        /// The contract's name.
        contract: String,
        /// What was looked for.
        kind: &'static str,
        /// By which name.
        name: String,
    },
    /// A handler takes something else than its consumer.
    #[error("the consumer `{method}` takes {takes}: give it a handler that does")]
    OtherKind {
        /// The consumer.
        method: String,
        /// What it takes.
        takes: String,
    },
    /// A consumer was given no handler.
    #[error("the consumer `{method}` has no handler")]
    NoHandler {
        /// The consumer.
        method: String,
    },
}

fn shown(findings: &[Finding]) -> String {
    findings
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("\n")
}
