//! What a connection tells of itself: its two links seen as one.

use tokio::sync::watch;

use crate::link::{Link, LinkState};

/// What a connection is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConnectionState {
    /// At least one of its links is on its way to the broker. Publishes wait, consumers come back.
    Connecting,
    /// Both links are there.
    Open,
    /// The broker takes nothing that is published, by an alarm: memory, or disk. Publishes wait;
    /// consumers go on.
    Blocked(
        /// The broker's words.
        String,
    ),
    /// Closed for good by [`Connection::close`](crate::Connection::close).
    Closed,
}

impl ConnectionState {
    fn of(publishing: &LinkState, consuming: &LinkState) -> Self {
        match (publishing, consuming) {
            (LinkState::Closed, _) | (_, LinkState::Closed) => Self::Closed,
            (LinkState::Connecting, _) | (_, LinkState::Connecting) => Self::Connecting,
            (LinkState::Blocked(_, reason), _) | (_, LinkState::Blocked(_, reason)) => {
                Self::Blocked(reason.clone())
            }
            (LinkState::Open(_), LinkState::Open(_)) => Self::Open,
        }
    }
}

/// Follows the two links for as long as anybody listens.
pub(super) fn follow(publishing: &Link, consuming: &Link) -> watch::Receiver<ConnectionState> {
    let mut states = (publishing.state(), consuming.state());
    let now = ConnectionState::of(&states.0.borrow(), &states.1.borrow());
    let (sender, receiver) = watch::channel(now);
    publishing.runtime().spawn(async move {
        loop {
            let supervised = tokio::select! {
                changed = states.0.changed() => changed,
                changed = states.1.changed() => changed,
                () = sender.closed() => return,
            };
            let now = ConnectionState::of(&states.0.borrow(), &states.1.borrow());
            let closed = supervised.is_err() || now == ConnectionState::Closed;
            sender.send_if_modified(|state| {
                let now = if closed { ConnectionState::Closed } else { now };
                let changed = *state != now;
                *state = now;
                changed
            });
            if closed {
                return;
            }
        }
    });
    receiver
}
