//! Tokens to the contract as it is written.
//!
//! Nothing here gives up on the whole: a broken item, method or option is reported and costs only
//! itself, so that an editor keeps working on half-typed code and all mistakes come at once.

mod attr;
mod item;
mod module;
mod recover;
mod signature;
mod trait_item;

pub use self::attr::option::shown;
pub use self::attr::parse_contract;
pub use self::item::label;
pub use self::module::{Parsed, parse_module};

#[cfg(test)]
mod tests;
