//! The types that travel.

use contract_core::model;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A message of a contract: a struct or an enum marked `#[message(..)]` inside a module marked
/// [`#[contract]`](macro@crate::contract), which implements this.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a message of a contract",
    label = "expected a type marked `#[message(\"..\")]`"
)]
pub trait Message: Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static {
    /// Its name: the `type` property on the wire.
    const NAME: &'static str;
    /// Its version: the header `x-schema-version` where it is above 1.
    const VERSION: u32;
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
    message.schema = Some(generator.into_root_schema_for::<M>().to_value());
    message
}
