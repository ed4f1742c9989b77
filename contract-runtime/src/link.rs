//! One of a connection's two links to the broker: a TCP connection that is replaced when it is lost.

mod address;
mod backoff;
mod credentials;
mod cut;
mod dial;
mod greeting;
mod settings;
mod supervisor;
mod tap;
mod tls;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::time::{Instant, timeout};

pub(crate) use self::address::Address;
pub use self::credentials::Credentials;
pub(crate) use self::credentials::Hook;
use self::cut::Cut;
pub(crate) use self::dial::Dialer;
pub(crate) use self::settings::Settings;
pub(crate) use self::supervisor::Supervisor;
pub use self::tls::Tls;
use crate::collector::Gate;

/// A supervised link. Cheap to clone; when the last clone goes, the link closes.
#[derive(Clone)]
pub(crate) struct Link(Arc<Shared>);

struct Shared {
    state: watch::Receiver<LinkState>,
    /// By when to be closed; nothing while the link is wanted. Dropping it closes the link too.
    close: watch::Sender<Option<Instant>>,
    runtime: Handle,
    settings: Settings,
    /// All that is being published on it.
    gate: Gate,
}

/// What a link is doing.
#[derive(Debug, Clone)]
pub(crate) enum LinkState {
    /// On its way to the broker, for as long as that takes.
    Connecting,
    /// Connected.
    Open(Live),
    /// Connected, and the broker takes nothing that is published; it says why.
    Blocked(Live, String),
    /// Closed for good, by ourselves.
    Closed,
}

/// One TCP connection of a link.
#[derive(Clone)]
pub(crate) struct Live(Arc<LiveInner>);

struct LiveInner {
    generation: u64,
    connection: lapin::Connection,
    cut: Option<Cut>,
    channel_timeout: Duration,
}

/// The link has been closed for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the connection is closed")]
pub(crate) struct LinkClosed;

/// Why a channel could not be opened.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ChannelError {
    #[error("the broker did not open a channel within {0:?}")]
    Timeout(Duration),
    #[error(transparent)]
    Amqp(#[from] lapin::Error),
}

impl Link {
    fn new(
        state: watch::Receiver<LinkState>,
        close: watch::Sender<Option<Instant>>,
        runtime: Handle,
        settings: Settings,
    ) -> Self {
        Self(Arc::new(Shared {
            state,
            close,
            runtime,
            settings,
            gate: Gate::default(),
        }))
    }

    /// The TCP connection of now, waiting for one while there is none; a blocked one is one.
    pub(crate) async fn live(&self) -> Result<Live, LinkClosed> {
        let mut state = self.state();
        loop {
            match &*state.borrow_and_update() {
                LinkState::Open(live) | LinkState::Blocked(live, _) => return Ok(live.clone()),
                LinkState::Closed => return Err(LinkClosed),
                LinkState::Connecting => {}
            }
            // The supervisor is gone only with its runtime.
            state.changed().await.map_err(|_| LinkClosed)?;
        }
    }

    /// What the link is doing, and every change of it, for any number of listeners.
    pub(crate) fn state(&self) -> watch::Receiver<LinkState> {
        self.0.state.clone()
    }

    /// Whether the link still has the TCP connection of this generation.
    pub(crate) fn carries(&self, generation: u64) -> bool {
        match &*self.0.state.borrow() {
            LinkState::Open(live) | LinkState::Blocked(live, _) => live.generation() == generation,
            LinkState::Connecting | LinkState::Closed => false,
        }
    }

    /// The runtime that the link lives on: what belongs to the link is spawned there.
    pub(crate) fn runtime(&self) -> &Handle {
        &self.0.runtime
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// What everything enters that is published on the link.
    pub(crate) fn gate(&self) -> &Gate {
        &self.0.gate
    }

    /// Starts closing. Whoever asks first says by when.
    pub(crate) fn close_by(&self, deadline: Instant) {
        self.0.close.send_if_modified(|close| {
            let first = close.is_none();
            close.get_or_insert(deadline);
            first
        });
    }

    /// Waits until the link is closed.
    pub(crate) async fn closed(&self) {
        let mut state = self.state();
        // An error says that the supervisor is gone.
        let _ = state
            .wait_for(|state| matches!(state, LinkState::Closed))
            .await;
    }
}

impl Live {
    fn new(
        generation: u64,
        connection: lapin::Connection,
        cut: Option<Cut>,
        channel_timeout: Duration,
    ) -> Self {
        Self(Arc::new(LiveInner {
            generation,
            connection,
            cut,
            channel_timeout,
        }))
    }

    /// Which of the link's connections this is: 1, 2, .. Nothing of one generation means anything
    /// to another.
    pub(crate) fn generation(&self) -> u64 {
        self.0.generation
    }

    pub(crate) fn connection(&self) -> &lapin::Connection {
        &self.0.connection
    }

    /// Opens a channel, within the connection's timeout for one.
    pub(crate) async fn open_channel(&self) -> Result<lapin::Channel, ChannelError> {
        let most = self.0.channel_timeout;
        match timeout(most, self.0.connection.create_channel()).await {
            Ok(channel) => Ok(channel?),
            Err(_) => Err(ChannelError::Timeout(most)),
        }
    }

    fn cut(&self) {
        if let Some(cut) = &self.0.cut {
            cut.now();
        }
    }
}

impl fmt::Debug for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live")
            .field("generation", &self.0.generation)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Link")
            .field(&*self.0.state.borrow())
            .finish()
    }
}
