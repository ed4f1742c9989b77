//! A contract with what it takes to run it: its schemas, compiled once.

use std::collections::HashMap;
use std::sync::Arc;

use contract_core::Contract;
use contract_core::model::MessageRef;

use crate::schema::{Schema, SchemaError};

/// A contract and its compiled schemas. There is one for each `#[contract]` module.
#[derive(Debug)]
pub struct Definition {
    contract: Contract,
    schemas: HashMap<MessageRef, Result<Arc<Schema>, SchemaError>>,
}

impl Definition {
    /// Compiles the schemas of a contract. One that cannot be used is an error when its message is
    /// first published, or when the worker that takes it starts.
    #[must_use]
    pub fn new(contract: Contract) -> Self {
        let schemas = contract
            .messages
            .iter()
            .map(|message| {
                let schema = match &message.schema {
                    None => Err("the contract does not hold it".to_owned()),
                    Some(schema) => Schema::compile(schema).map(Arc::new),
                };
                let named = |reason| SchemaError {
                    message: message.reference().to_string(),
                    reason,
                };
                (message.reference(), schema.map_err(named))
            })
            .collect();
        Self { contract, schemas }
    }

    /// The contract.
    #[must_use]
    pub fn contract(&self) -> &Contract {
        &self.contract
    }

    /// The compiled schema of a message.
    pub(crate) fn schema(&self, message: &MessageRef) -> Result<Arc<Schema>, SchemaError> {
        self.schemas.get(message).cloned().unwrap_or_else(|| {
            Err(SchemaError {
                message: message.to_string(),
                reason: "the contract has no such message".into(),
            })
        })
    }
}
