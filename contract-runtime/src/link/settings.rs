//! How a link behaves.

use std::time::Duration;

/// What a link is told about timeouts and pauses, for whatever uses it.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// The application's name, where it has one.
    pub(crate) name: Option<String>,
    pub(crate) channel_timeout: Duration,
    pub(crate) declare_timeout: Duration,
    pub(crate) close_timeout: Duration,
    pub(crate) first_pause: Duration,
    pub(crate) longest_pause: Duration,
}
