//! Faults that wait for their frame.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use super::frame::{Frame, Method};

/// Which way a frame goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// To the broker.
    Up,
    /// To the client.
    Down,
}

/// How much of a frame still goes on before the connection is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Portion {
    /// None of it: the other side never hears of it.
    None,
    /// The first half of its bytes.
    Half,
    /// All of it: only what follows is lost.
    All,
}

/// Which connections a cut ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// That of the frame.
    This,
    /// Every one.
    All,
}

/// What happens to the frame.
#[derive(Clone)]
pub enum Fault {
    /// Its connection ends.
    Cut(Portion, Scope),
    /// It and all that follows it the same way on the same connection waits until
    /// [`Trap::release`].
    Hold,
    /// So does it, for this long.
    Delay(Duration),
    /// From it on nothing goes either way on its connection, which stays up.
    BlackHole,
    /// Another frame goes on in its place.
    Replace(fn(&Frame) -> Frame),
}

impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cut(portion, scope) => write!(f, "Cut({portion:?}, {scope:?})"),
            Self::Hold => f.write_str("Hold"),
            Self::Delay(pause) => write!(f, "Delay({pause:?})"),
            Self::BlackHole => f.write_str("BlackHole"),
            Self::Replace(_) => f.write_str("Replace(..)"),
        }
    }
}

/// A fault that was set: it happens once.
#[derive(Debug)]
pub struct Trap {
    sprung: watch::Receiver<bool>,
    released: watch::Sender<bool>,
}

impl Trap {
    /// Waits until its frame has come.
    ///
    /// # Panics
    ///
    /// If it never does.
    pub async fn sprung(&mut self) {
        let sprung = self.sprung.wait_for(|sprung| *sprung);
        match tokio::time::timeout(crate::WITHIN, sprung).await {
            Ok(Ok(_)) => {}
            Ok(Err(_)) | Err(_) => panic!("the frame of the fault never came"),
        }
    }

    /// Whether its frame has come.
    #[must_use]
    pub fn is_sprung(&self) -> bool {
        *self.sprung.borrow()
    }

    /// Lets what it holds go on.
    pub fn release(&self) {
        self.released.send_replace(true);
    }
}

/// A trap as the proxy has it.
#[derive(Debug)]
struct Set {
    way: Way,
    method: Method,
    /// How many frames of its kind go by before its own.
    before: usize,
    fault: Fault,
    sprung: watch::Sender<bool>,
    released: watch::Receiver<bool>,
}

/// What a trap does that has sprung.
#[derive(Debug)]
pub(super) struct Sprung {
    pub(super) fault: Fault,
    /// True once what it holds may go on; without a sender nobody will say so.
    pub(super) released: watch::Receiver<bool>,
}

/// All that are set, over all connections.
#[derive(Debug, Clone, Default)]
pub(super) struct Traps(Arc<Mutex<Vec<Set>>>);

impl Traps {
    pub(super) fn set(&self, way: Way, method: Method, before: usize, fault: Fault) -> Trap {
        let (sprung, is_sprung) = watch::channel(false);
        let (release, released) = watch::channel(false);
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(Set {
                way,
                method,
                before,
                fault,
                sprung,
                released,
            });
        Trap {
            sprung: is_sprung,
            released: release,
        }
    }

    /// The first trap that this frame springs.
    pub(super) fn spring(&self, way: Way, frame: &Frame) -> Option<Sprung> {
        let method = frame.method()?;
        let mut traps = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut springs = None;
        for (at, trap) in traps.iter_mut().enumerate() {
            if (trap.way, trap.method) != (way, method) {
                continue;
            }
            match trap.before.checked_sub(1) {
                Some(before) => trap.before = before,
                None => springs = springs.or(Some(at)),
            }
        }
        let Set {
            fault,
            sprung,
            released,
            ..
        } = traps.remove(springs?);
        sprung.send_replace(true);
        Some(Sprung { fault, released })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trap_springs_once_at_its_frame() {
        let traps = Traps::default();
        let third = traps.set(Way::Up, Method::ACK, 2, Fault::BlackHole);
        let ack = Frame::of_method(1, Method::ACK, &[0; 9]);
        let nack = Frame::of_method(1, Method::NACK, &[0; 9]);
        let springs = |way, frame: &Frame| traps.spring(way, frame).is_some();
        assert!(!springs(Way::Up, &ack) && !springs(Way::Down, &ack) && !springs(Way::Up, &nack));
        assert!(!springs(Way::Up, &ack) && !third.is_sprung());
        assert!(springs(Way::Up, &ack) && third.is_sprung());
        assert!(!springs(Way::Up, &ack));
    }
}
