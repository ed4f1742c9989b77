//! As whom to enter the broker, where the URL does not say it for good.

use std::error::Error;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::time::timeout;

use crate::error::ConnectError;

/// A user and a password; for OAuth 2.0, any user and the token. Returned by the hook of
/// [`ConnectionBuilder::credentials`](crate::ConnectionBuilder::credentials).
///
/// Its `Debug` shows the user and never the password.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    user: String,
    password: String,
}

impl Credentials {
    /// Not percent-encoded.
    #[must_use]
    pub fn new(user: impl Into<String>, password: impl Into<String>) -> Self {
        Self {
            user: user.into(),
            password: password.into(),
        }
    }

    pub(super) fn user(&self) -> &str {
        &self.user
    }

    pub(super) fn password(&self) -> &str {
        &self.password
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials")
            .field("user", &self.user)
            .finish_non_exhaustive()
    }
}

type Answer = Result<Credentials, Box<dyn Error + Send + Sync>>;

/// Whom to ask for credentials before each try to connect.
#[derive(Clone)]
pub(crate) struct Hook(Arc<dyn Fn() -> BoxFuture<'static, Answer> + Send + Sync>);

impl Hook {
    pub(crate) fn new<F, R, E>(ask: F) -> Self
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Future<Output = Result<Credentials, E>> + Send + 'static,
        E: Into<Box<dyn Error + Send + Sync>>,
    {
        Self(Arc::new(move || {
            let answer = ask();
            Box::pin(async move { answer.await.map_err(Into::into) })
        }))
    }

    /// Asks. A hook that panics or never answers costs one try, not the connection.
    pub(super) async fn ask(&self, most: Duration) -> Result<Credentials, ConnectError> {
        let failed = |reason: String| Err(ConnectError::NoCredentials { reason });
        let answer = AssertUnwindSafe(async { (self.0)().await }).catch_unwind();
        match timeout(most, answer).await {
            Ok(Ok(Ok(credentials))) => Ok(credentials),
            Ok(Ok(Err(error))) => failed(error.to_string()),
            Ok(Err(_)) => failed("it panicked".to_owned()),
            Err(_) => failed(format!("no answer within {most:?}")),
        }
    }
}

impl fmt::Debug for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hook")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    async fn reason(hook: Hook, most: Duration) -> String {
        let error = hook.ask(most).await.unwrap_err();
        assert!(error.is_retryable(), "another try may find them");
        error.to_string()
    }

    #[test]
    fn a_debug_holds_no_password() {
        let shown = format!("{:?}", Credentials::new("u", "sesame"));
        assert!(
            shown.contains("\"u\"") && !shown.contains("sesame"),
            "{shown}"
        );
    }

    #[tokio::test]
    async fn a_hook_is_asked_and_each_way_to_fail_has_its_reason() {
        let answers = Hook::new(async || Ok::<_, &str>(Credentials::new("u", "p")));
        assert_eq!(answers.ask(LONG).await, Ok(Credentials::new("u", "p")));
        let fails = Hook::new(async || Err("the vault is sealed"));
        assert!(reason(fails, LONG).await.contains("the vault is sealed"));
        let panics = Hook::new(async || -> Result<Credentials, &str> { panic!("a bug") });
        assert!(reason(panics, LONG).await.contains("panicked"));
        let hangs = Hook::new(std::future::pending::<Result<Credentials, &str>>);
        let most = Duration::from_millis(10);
        assert!(reason(hangs, most).await.contains("no answer within 10ms"));
    }
}
