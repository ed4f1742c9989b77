//! How much may be under way at a time.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

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

/// Lets messages in, first come, first served.
#[derive(Debug)]
pub(super) struct Gate {
    messages: Arc<Semaphore>,
    bytes: Arc<Semaphore>,
    all_bytes: u32,
}

/// The right of one message to be under way. It lasts until the broker has answered, whatever
/// becomes of the caller.
#[derive(Debug)]
pub(super) struct Permit {
    _message: OwnedSemaphorePermit,
    _bytes: OwnedSemaphorePermit,
}

impl Gate {
    pub(super) fn new(admission: Admission) -> Self {
        let messages = admission.messages.clamp(1, Semaphore::MAX_PERMITS);
        let all_bytes = u32::try_from(admission.bytes.max(1)).unwrap_or(u32::MAX);
        Self {
            messages: Arc::new(Semaphore::new(messages)),
            bytes: Arc::new(Semaphore::new(all_bytes as usize)),
            all_bytes,
        }
    }

    /// Waits until there is room for a body of this many bytes; a larger one than all may be takes
    /// all.
    pub(super) async fn enter(&self, bytes: usize) -> Option<Permit> {
        // The semaphores are never closed.
        Some(Permit {
            _message: Arc::clone(&self.messages).acquire_owned().await.ok()?,
            _bytes: Arc::clone(&self.bytes)
                .acquire_many_owned(self.share(bytes))
                .await
                .ok()?,
        })
    }

    /// Enters if there is room now.
    pub(super) fn try_enter(&self, bytes: usize) -> Option<Permit> {
        Some(Permit {
            _message: Arc::clone(&self.messages).try_acquire_owned().ok()?,
            _bytes: Arc::clone(&self.bytes)
                .try_acquire_many_owned(self.share(bytes))
                .ok()?,
        })
    }

    fn share(&self, bytes: usize) -> u32 {
        u32::try_from(bytes).map_or(self.all_bytes, |bytes| bytes.min(self.all_bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(messages: usize, bytes: usize) -> Gate {
        Gate::new(Admission {
            messages,
            bytes,
            ..Admission::default()
        })
    }

    #[test]
    fn messages_and_bytes_are_both_limits() {
        let one = gate(1, 100);
        let held = one.try_enter(1).expect("room");
        assert!(one.try_enter(1).is_none());
        drop(held);
        let bytes = gate(10, 100);
        let held = bytes.try_enter(60).expect("room");
        assert!(bytes.try_enter(41).is_none());
        assert!(bytes.try_enter(40).is_some());
        drop(held);
        assert!(bytes.try_enter(100).is_some());
    }

    #[test]
    fn what_is_larger_than_all_goes_alone() {
        let gate = gate(10, 100);
        let held = gate.try_enter(5000).expect("room");
        assert!(gate.try_enter(1).is_none());
        drop(held);
        assert!(gate.try_enter(1).is_some());
    }

    #[test]
    fn no_limit_is_zero() {
        assert!(gate(0, 0).try_enter(0).is_some());
        assert!(gate(usize::MAX, usize::MAX).try_enter(usize::MAX).is_some());
    }
}
