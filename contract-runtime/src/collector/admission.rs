//! How much may be under way at a time.
//!
//! Messages stand in one queue in the order in which they were published, and the task that sends
//! them lets them in. Only who does not want to wait has to be told before that.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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

/// All that waits or is under way.
#[derive(Debug, Clone, Default)]
pub(super) struct Gate(Arc<Mutex<Load>>);

/// The place of one message. It lasts until the message is answered for or taken back, whatever
/// becomes of the caller.
#[derive(Debug)]
pub(super) struct Place {
    gate: Gate,
    bytes: usize,
}

impl Gate {
    /// Takes a place, however far back.
    pub(super) fn enter(&self, bytes: usize) -> Place {
        self.load().add(bytes);
        Place {
            gate: self.clone(),
            bytes,
        }
    }

    /// Takes a place if it is one that need not wait.
    pub(super) fn try_enter(&self, limit: &Admission, bytes: usize) -> Option<Place> {
        let mut load = self.load();
        if !load.has_room(limit, bytes) {
            return None;
        }
        load.add(bytes);
        drop(load);
        Some(Place {
            gate: self.clone(),
            bytes,
        })
    }

    fn load(&self) -> MutexGuard<'_, Load> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.gate.load().remove(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(messages: usize, bytes: usize) -> Admission {
        Admission {
            messages,
            bytes,
            ..Admission::default()
        }
    }

    #[test]
    fn messages_and_bytes_are_both_limits() {
        let gate = Gate::default();
        let limit = limit(2, 100);
        let one = gate.try_enter(&limit, 60).expect("room");
        assert!(gate.try_enter(&limit, 41).is_none());
        let two = gate.try_enter(&limit, 40).expect("room");
        drop(one);
        assert!(gate.try_enter(&limit, 61).is_none());
        let one = gate.try_enter(&limit, 0).expect("room");
        assert!(gate.try_enter(&limit, 0).is_none());
        drop((one, two));
        assert!(gate.try_enter(&limit, 100).is_some());
    }

    #[test]
    fn who_waits_takes_room_too() {
        let gate = Gate::default();
        let limit = limit(2, 100);
        let _waiting = [gate.enter(1), gate.enter(1), gate.enter(1)];
        assert!(gate.try_enter(&limit, 1).is_none());
    }

    #[test]
    fn what_is_larger_than_all_goes_alone() {
        let gate = Gate::default();
        for limit in [limit(10, 100), limit(0, 0)] {
            let alone = gate.try_enter(&limit, 5000).expect("room");
            assert!(gate.try_enter(&limit, 1).is_none());
            drop(alone);
        }
    }
}
