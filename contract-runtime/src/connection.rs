//! Placeholder for the seams; replaced by the connection itself.

use tokio::sync::watch;

use crate::error::ConnectError;

/// A connection.
#[derive(Debug, Clone)]
pub struct Connection {}

/// How to connect.
#[derive(Debug, Clone)]
pub struct ConnectionBuilder {}

/// State of a connection.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ConnectionState {
    /// Not yet, or not any more.
    Connecting,
}

impl Connection {
    /// Opens.
    #[allow(clippy::unused_async)]
    pub async fn open(_url: &str) -> Result<Self, ConnectError> {
        unimplemented!()
    }

    /// State.
    #[must_use]
    pub fn state(&self) -> watch::Receiver<ConnectionState> {
        unimplemented!()
    }
}
#[derive(Debug, Clone)]
pub(crate) struct Link {}
#[derive(Debug, Clone)]
pub(crate) struct Live {}
#[derive(Debug, thiserror::Error)]
#[error("closed")]
pub(crate) struct LinkClosed;
impl Link {
    pub(crate) async fn live(&self) -> Result<Live, LinkClosed> {
        unimplemented!()
    }
}
impl Live {
    pub(crate) fn connection(&self) -> &lapin::Connection {
        unimplemented!()
    }
}
impl Connection {
    pub(crate) fn consuming(&self) -> &Link {
        unimplemented!()
    }
    pub(crate) fn collector(&self) -> crate::publisher::Collector {
        unimplemented!()
    }
}
