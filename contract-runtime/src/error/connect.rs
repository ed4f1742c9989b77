//! Why there is no connection.

/// Why [`Connection::open`](crate::Connection::open) gave up. No text of it holds a password.
///
/// Only the first start fails; a connection that was open once is repaired for as long as it is
/// wanted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The URL cannot be used. The URL itself is not shown: it may hold a password.
    #[error("the broker's URL cannot be used: {reason}")]
    Url {
        /// What is wrong with it, and what to write.
        reason: String,
    },
    /// The URL asks for TLS, and the crate was built without it. Nothing was sent.
    #[error("`amqps` to {address} needs TLS: enable the feature `rustls` of contract-runtime")]
    TlsDisabled {
        /// The broker's host and port.
        address: String,
    },
    /// TLS did not come about: one side does not trust the other, or the port speaks no TLS.
    #[error("no TLS with {address}: {reason}")]
    Tls {
        /// The broker's host and port.
        address: String,
        /// What is wrong: with the certificate of either side, or with the port.
        reason: String,
    },
    /// A certificate or a key given to [`Tls`](crate::Tls) cannot be used. Nothing was sent.
    #[error("{what} for TLS cannot be used: {reason}")]
    Certificate {
        /// Which: the authorities, or the client's own certificate and key.
        what: &'static str,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The broker does not know the user or the password (code 403).
    #[error("RabbitMQ at {address} refuses user `{user}`: no such user, or another password [403]")]
    Credentials {
        /// The broker's host and port.
        address: String,
        /// The user.
        user: String,
    },
    /// The hook that was to say as whom to enter the broker did not. Nothing was sent.
    #[error("the credentials hook gave no credentials: {reason}")]
    NoCredentials {
        /// The hook's error, or that it panicked or did not answer in time.
        reason: String,
    },
    /// The broker is none that the library knows: RabbitMQ from 3.10 on. It was not told who we
    /// are. [`any_broker`](crate::ConnectionBuilder::any_broker) enters it all the same.
    #[error(
        "at {address} is {product:?} {version:?}, and the library is made for RabbitMQ from 3.10 \
         on: `any_broker()` of the connection's builder enters it all the same"
    )]
    UnknownBroker {
        /// The broker's host and port.
        address: String,
        /// What it calls itself; empty where it does not say.
        product: String,
        /// Its version; empty where it does not say.
        version: String,
    },
    /// The virtual host does not exist, or the user may not enter it (code 530).
    #[error(
        "RabbitMQ at {address} does not let user `{user}` into virtual host `{vhost}`: {text} [530]"
    )]
    VirtualHost {
        /// The broker's host and port.
        address: String,
        /// The user.
        user: String,
        /// The virtual host.
        vhost: String,
        /// The broker's words.
        text: String,
    },
    /// The broker refuses the connection for another reason.
    #[error("RabbitMQ at {address} refuses the connection: {text} [{code}]")]
    Refused {
        /// The broker's host and port.
        address: String,
        /// The AMQP reply code.
        code: u16,
        /// The broker's words.
        text: String,
    },
    /// Nobody answered in AMQP at any of the URLs: each was tried once.
    #[error("no RabbitMQ answers at {}", shown(.attempts))]
    Unreachable {
        /// What came of each URL, in their order.
        attempts: Vec<FailedAttempt>,
    },
    /// The call was made outside a tokio runtime.
    #[error("a connection needs a tokio runtime to live on, and none is running here")]
    NoRuntime,
}

/// One URL at which nobody answered.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FailedAttempt {
    /// The host and port.
    pub address: String,
    /// What happened.
    pub reason: String,
}

impl FailedAttempt {
    pub(crate) fn new(address: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            address: address.into(),
            reason: reason.into(),
        }
    }
}

fn shown(attempts: &[FailedAttempt]) -> String {
    let shown = |attempt: &FailedAttempt| format!("{} ({})", attempt.address, attempt.reason);
    let shown: Vec<String> = attempts.iter().map(shown).collect();
    shown.join(", nor at ")
}

impl ConnectError {
    /// Whether another try could succeed without anybody changing a setting.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        match self {
            // 320: the broker shuts down, or an operator closed us out.
            Self::Refused { code, .. } => *code == 320,
            Self::Unreachable { .. } | Self::NoCredentials { .. } => true,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_listening_is_one_line_with_every_address() {
        let error = ConnectError::Unreachable {
            attempts: vec![
                FailedAttempt::new("one:5672", "connection refused"),
                FailedAttempt::new("two:5672", "no answer within 10s"),
            ],
        };
        assert_eq!(
            error.to_string(),
            "no RabbitMQ answers at one:5672 (connection refused), nor at two:5672 (no answer within 10s)"
        );
        assert!(error.is_retryable());
    }
}
