//! How much may be under way at a time.
//!
//! Messages stand in one queue in the order in which they were published, and the task that sends
//! them lets them in. Only who does not want to wait has to be told before that.

/// The limits of one publisher.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Admission {
    /// Unconfirmed messages. 256 is where more of them bring latency and no more rate.
    pub(crate) messages: usize,
    /// Bytes of unconfirmed bodies.
    pub(crate) bytes: usize,
    /// Bytes of one body.
    pub(crate) body: usize,
}

impl Default for Admission {
    fn default() -> Self {
        const MIB: usize = 1024 * 1024;
        Self {
            messages: 256,
            bytes: 64 * MIB,
            body: 16 * MIB,
        }
    }
}

/// Messages and the bytes of their bodies.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Load {
    messages: usize,
    bytes: usize,
}

impl Load {
    pub(super) fn add(&mut self, bytes: usize) {
        self.messages += 1;
        self.bytes += bytes;
    }

    pub(super) fn remove(&mut self, bytes: usize) {
        self.messages -= 1;
        self.bytes -= bytes;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.messages == 0
    }

    pub(super) fn messages_and_bytes(&self) -> (usize, usize) {
        (self.messages, self.bytes)
    }

    /// Whether a message with a body of this many bytes may be added. One always may, whatever the
    /// limits are: it goes alone.
    pub(super) fn has_room(&self, limit: &Admission, bytes: usize) -> bool {
        let fits = self.messages < limit.messages
            && self
                .bytes
                .checked_add(bytes)
                .is_some_and(|all| all <= limit.bytes);
        fits || self.messages == 0
    }
}
