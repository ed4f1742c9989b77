//! The types that travel.

use contract_core::model;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A message of a contract: a struct or an enum marked `#[message(..)]` inside a module marked
/// [`#[contract]`](macro@crate::contract), which implements this.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a message of a contract",
    label = "expected a type marked `#[message(\"..\")]`"
)]
pub trait Message: 'static {
    /// What travels: the type itself, unless it stands for one of another crate
    /// (`#[message("..")] type Letter = other::Letter;`).
    type Payload: Payload + Send + Sync + 'static;
    /// Its name: the `type` property on the wire.
    const NAME: &'static str;
    /// Its version: the header `x-schema-version` where it is above 1.
    const VERSION: u32;
}

/// A type that can be the body of a message, or a part of it: it travels as JSON, and a schema says
/// what that JSON is.
///
/// `#[message(..)]` and `#[payload]` derive what it takes; a type of another crate has to bring it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot travel in a message",
    label = "has to implement `Serialize`, `Deserialize` and `JsonSchema`",
    note = "`serde` and `schemars` derive them; `#[message(..)]` does so unless it says `derive(none)`"
)]
pub trait Payload: Sized {
    #[doc(hidden)]
    fn to_json(&self) -> serde_json::Result<Vec<u8>>;
    #[doc(hidden)]
    fn from_json(value: Value) -> serde_json::Result<Self>;
    #[doc(hidden)]
    fn json_schema(generator: SchemaGenerator) -> Value;
}

// One error for what is missing, not one for each trait: hence no supertraits either, which rustc
// would ask for one by one.
#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned + JsonSchema> Payload for T {
    fn to_json(&self) -> serde_json::Result<Vec<u8>> {
        serde_json::to_vec(self)
    }

    fn from_json(value: Value) -> serde_json::Result<Self> {
        serde_json::from_value(value)
    }

    fn json_schema(generator: SchemaGenerator) -> Value {
        generator.into_root_schema_for::<Self>().to_value()
    }
}

/// The message `M` as the model holds it, with its schema. `label` is the type's name.
///
/// The schema is that of what is *deserialised*, on both sides: a publisher must not send what no
/// consumer can read.
#[must_use]
pub fn describe<M: Message>(label: &str) -> model::Message {
    let generator = SchemaSettings::draft2020_12()
        .for_deserialize()
        .into_generator();
    let mut message = model::Message::new(M::NAME);
    message.version = M::VERSION;
    label.clone_into(&mut message.label);
    message.schema = Some(M::Payload::json_schema(generator));
    message
}
