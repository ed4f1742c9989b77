//! Any body is read or refused: bounded, without a panic.

#![no_main]

use std::sync::LazyLock;

use contract_runtime::contract_core::model::{Message, MessageRef};
use contract_runtime::dynamic::DynamicContract;
use contract_runtime::{BodyError, Contract};
use libfuzzer_sys::fuzz_target;

static CONTRACT: LazyLock<DynamicContract> = LazyLock::new(|| {
    let mut message = Message::new("fuzzed");
    message.schema = Some(serde_json::json!({
        "type": "object",
        "properties": {
            "id": { "type": "string", "format": "uuid" },
            "at": { "type": "string", "format": "date-time" },
            "items": { "type": "array", "items": { "$ref": "#" }, "maxItems": 3 },
            "n": { "type": "integer", "minimum": 1 },
        },
        "required": ["id"],
    }));
    let mut contract = Contract::new("fuzz");
    contract.messages.push(message);
    DynamicContract::new(contract).expect("the contract breaks no rule")
});

fuzz_target!(|body: &[u8]| {
    match CONTRACT.read_body(&MessageRef::new("fuzzed", 1), body) {
        Ok(value) => assert!(value["id"].is_string()),
        Err(BodyError::Invalid(issues)) => assert!((1..=10).contains(&issues.len())),
        Err(_) => {}
    }
});
