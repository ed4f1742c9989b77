//! The format of a contract as JSON.

use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The format that this version writes, and the only one that it reads.
const FORMAT: u64 = 1;

/// Marks a contract's JSON with its format. Another format is refused, never guessed at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Format;

impl Serialize for Format {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(FORMAT)
    }
}

impl<'de> Deserialize<'de> for Format {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u64::deserialize(deserializer)? {
            FORMAT => Ok(Self),
            other => Err(D::Error::invalid_value(
                Unexpected::Unsigned(other),
                &"a contract of format 1",
            )),
        }
    }
}
