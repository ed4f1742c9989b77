//! A message as it came, for handlers that take whatever comes.

use crate::delivery::Delivery;
use crate::wire::read;

/// A message whose body nobody has looked at: no schema holds, no type is known. A queue's handler of
/// raw messages takes what no other handler of that queue takes.
#[derive(Debug, Clone)]
pub struct RawMessage(Delivery);

impl RawMessage {
    pub(crate) fn new(delivery: Delivery) -> Self {
        Self(delivery)
    }

    /// The body, byte for byte.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        self.0.body()
    }

    /// The message's name: the `type` property, if the sender set it.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        read::short(self.0.properties().kind())
    }

    /// What the sender says that the body is.
    #[must_use]
    pub fn content_type(&self) -> Option<&str> {
        read::short(self.0.properties().content_type())
    }

    /// How the sender says that the body is encoded.
    #[must_use]
    pub fn content_encoding(&self) -> Option<&str> {
        read::short(self.0.properties().content_encoding())
    }
}
