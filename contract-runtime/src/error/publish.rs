//! Placeholder for the seams.

/// Error.
#[derive(Debug, thiserror::Error)]
#[error("placeholder")]
#[non_exhaustive]
pub struct PublishError {}
