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
