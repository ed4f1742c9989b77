//! Who is inside: the messages that wait or are under way, so that they can be counted, kept out,
//! and waited for at the end.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::admission::{Admission, Load};

/// The messages of one publisher, or of a whole link: what enters the gate of a publisher has
/// entered that of its link. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gate(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    emptied: Notify,
    above: Option<Gate>,
}

#[derive(Debug, Default)]
struct State {
    load: Load,
    closed: bool,
    dropped: u64,
    unheard: u64,
}

/// The place of one message. It lasts until the message is answered for or taken back, whatever
/// becomes of the caller.
#[derive(Debug)]
pub(super) struct Place {
    gate: Gate,
    bytes: usize,
}

/// Why a message was not let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shut {
    Closed,
    Full,
}

/// What is being published over a connection, by all its publishers and workers, and what became of
/// publishes that nobody waited for. Told by
/// [`Connection::publish_counts`](crate::Connection::publish_counts).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PublishCounts {
    /// Messages that wait for room, for a connection, or for the broker's answer, now.
    pub pending: usize,
    /// The bytes of their bodies.
    pub pending_bytes: usize,
    /// Publishes whose future was dropped before there was an answer, since the connection was
    /// opened. Those that had not been sent by then never are.
    pub dropped: u64,
    /// How many of these had been sent and then were refused, or not confirmed: a message that may
    /// be lost, and whose error nobody got. Each has been logged.
    pub unheard: u64,
}

impl Gate {
    /// A gate behind this one.
    pub(super) fn below(&self) -> Self {
        Self(Arc::new(Shared {
            above: Some(self.clone()),
            ..Shared::default()
        }))
    }

    /// Takes a place, however far back.
    pub(super) fn enter(&self, bytes: usize) -> Result<Place, Shut> {
        self.enter_within(None, bytes)
    }

    /// Takes a place if it is one that need not wait.
    pub(super) fn try_enter(&self, limit: &Admission, bytes: usize) -> Result<Place, Shut> {
        self.enter_within(Some(limit), bytes)
    }

    fn enter_within(&self, limit: Option<&Admission>, bytes: usize) -> Result<Place, Shut> {
        if let Some(above) = &self.0.above {
            above.add(None, bytes)?;
        }
        if let Err(shut) = self.add(limit, bytes) {
            if let Some(above) = &self.0.above {
                above.remove(bytes);
            }
            return Err(shut);
        }
        Ok(Place {
            gate: self.clone(),
            bytes,
        })
    }

    fn add(&self, limit: Option<&Admission>, bytes: usize) -> Result<(), Shut> {
        let mut state = self.state();
        if state.closed {
            return Err(Shut::Closed);
        }
        if limit.is_some_and(|limit| !state.load.has_room(limit, bytes)) {
            return Err(Shut::Full);
        }
        state.load.add(bytes);
        Ok(())
    }

    fn remove(&self, bytes: usize) {
        let mut state = self.state();
        state.load.remove(bytes);
        let is_empty = state.load.is_empty();
        drop(state);
        if is_empty {
            self.0.emptied.notify_waiters();
        }
    }

    /// Whether a message could enter without waiting, as far as its size does not matter.
    pub(super) fn has_room(&self, limit: &Admission) -> bool {
        self.state().load.has_room(limit, 0)
    }

    /// Lets nobody in from now on.
    pub(crate) fn close(&self) {
        self.state().closed = true;
    }

    /// Waits until nobody is inside.
    pub(crate) async fn emptied(&self) {
        loop {
            let mut emptied = std::pin::pin!(self.0.emptied.notified());
            // From here on nothing is missed.
            emptied.as_mut().enable();
            if self.state().load.is_empty() {
                return;
            }
            emptied.await;
        }
    }

    /// A caller went away before the answer came.
    pub(super) fn note_dropped(&self) {
        self.each(|state| state.dropped += 1);
    }

    /// A message was not taken, and nobody waited for the answer.
    pub(super) fn note_unheard(&self) {
        self.each(|state| state.unheard += 1);
    }

    fn each(&self, change: impl Fn(&mut State)) {
        change(&mut self.state());
        if let Some(above) = &self.0.above {
            above.each(change);
        }
    }

    pub(crate) fn counts(&self) -> PublishCounts {
        let state = self.state();
        let (pending, pending_bytes) = state.load.messages_and_bytes();
        PublishCounts {
            pending,
            pending_bytes,
            dropped: state.dropped,
            unheard: state.unheard,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.gate.remove(self.bytes);
        if let Some(above) = &self.gate.0.above {
            above.remove(self.bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

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
        assert_eq!(gate.try_enter(&limit, 41).unwrap_err(), Shut::Full);
        let two = gate.try_enter(&limit, 40).expect("room");
        drop(one);
        assert!(gate.try_enter(&limit, 61).is_err());
        let one = gate.try_enter(&limit, 0).expect("room");
        assert!(gate.try_enter(&limit, 0).is_err());
        drop((one, two));
        assert!(gate.try_enter(&limit, 100).is_ok());
    }

    #[test]
    fn who_waits_takes_room_too() {
        let gate = Gate::default();
        let limit = limit(2, 100);
        let _waiting = [gate.enter(1), gate.enter(1), gate.enter(1)];
        assert!(gate.try_enter(&limit, 1).is_err());
    }

    #[test]
    fn what_is_larger_than_all_goes_alone() {
        let gate = Gate::default();
        for limit in [limit(10, 100), limit(0, 0)] {
            let alone = gate.try_enter(&limit, 5000).expect("room");
            assert!(gate.try_enter(&limit, 1).is_err());
            drop(alone);
        }
    }

    #[test]
    fn the_gate_above_counts_all_and_closes_all() {
        let above = Gate::default();
        let (one, two) = (above.below(), above.below());
        let (first, second) = (one.enter(10).expect("open"), two.enter(20).expect("open"));
        two.note_dropped();
        two.note_unheard();
        let counts = above.counts();
        assert_eq!((counts.pending, counts.pending_bytes), (2, 30));
        assert_eq!((counts.dropped, counts.unheard), (1, 1));
        // One that is full takes nothing above either.
        assert!(two.try_enter(&limit(1, 100), 5).is_err());
        assert_eq!(above.counts().pending, 2);

        two.close();
        assert_eq!(two.enter(1).unwrap_err(), Shut::Closed);
        assert_eq!(above.counts().pending, 2);
        one.enter(1).expect("only the other is closed");
        above.close();
        assert_eq!(one.enter(1).unwrap_err(), Shut::Closed);
        drop((first, second));
        assert_eq!(above.counts().pending_bytes, 0);
    }

    #[test]
    fn the_end_is_waited_for() {
        let above = Gate::default();
        let gate = above.below();
        let place = gate.enter(1).expect("open");
        let mut emptied = std::pin::pin!(above.emptied());
        assert!(emptied.as_mut().now_or_never().is_none());
        drop(place);
        assert!(emptied.now_or_never().is_some());
        assert!(gate.emptied().now_or_never().is_some());
    }
}
