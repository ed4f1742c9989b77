//! Waiting for a condition, never for a time.

use std::time::Duration;

use tokio::time::{Instant, sleep};

/// How long a condition may take to come true before a test fails: long, for a busy machine.
pub const WITHIN: Duration = Duration::from_secs(60);

/// Asks until the answer is some.
///
/// # Panics
///
/// With `what`, if it never is.
pub async fn eventually<T>(what: &str, mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let end = Instant::now() + WITHIN;
    loop {
        if let Some(answer) = ask().await {
            return answer;
        }
        assert!(Instant::now() < end, "not within {WITHIN:?}: {what}");
        sleep(Duration::from_millis(20)).await;
    }
}
