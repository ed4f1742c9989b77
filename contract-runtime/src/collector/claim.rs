//! Who has a message: the caller, who can take it back, or the channel, which can not.

use std::sync::{Arc, Mutex, PoisonError};

/// A thing between two sides, of which one gets it. What the caller takes back was certainly not
/// sent; what it finds taken may have been.
#[derive(Debug)]
pub(super) struct Claim<T>(Arc<Mutex<State<T>>>);

#[derive(Debug)]
struct State<T> {
    thing: Option<T>,
    deserted: bool,
}

impl<T> Claim<T> {
    pub(super) fn new(thing: T) -> Self {
        Self(Arc::new(Mutex::new(State {
            thing: Some(thing),
            deserted: false,
        })))
    }

    /// Takes the thing, if the other side has not.
    pub(super) fn take(&self) -> Option<T> {
        self.lock().thing.take()
    }

    /// The same for a caller that goes away without an answer.
    pub(super) fn desert(&self) -> Option<T> {
        let mut state = self.lock();
        state.deserted = true;
        state.thing.take()
    }

    /// Whether the caller went away without an answer.
    pub(super) fn is_deserted(&self) -> bool {
        self.lock().deserted
    }

    /// Puts it back for either side: it turned out not to be sent.
    pub(super) fn put_back(&self, thing: T) {
        self.lock().thing = Some(thing);
    }

    /// Looks at the thing, if nobody has taken it.
    pub(super) fn look<R>(&self, at: impl FnOnce(&T) -> R) -> Option<R> {
        self.lock().thing.as_ref().map(at)
    }

    pub(super) fn is_taken(&self) -> bool {
        self.lock().thing.is_none()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Clone for Claim<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_side_gets_it() {
        let caller = Claim::new(1);
        let channel = caller.clone();
        assert_eq!(channel.take(), Some(1));
        assert_eq!(caller.take(), None);
        channel.put_back(2);
        assert!(!caller.is_taken());
        assert_eq!(caller.take(), Some(2));
        assert!(channel.is_taken() && !channel.is_deserted());
        assert_eq!(caller.desert(), None);
        assert!(channel.is_deserted());
    }
}
