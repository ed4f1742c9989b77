//! How a connection is set up.

use std::error::Error;
use std::time::Duration;

use tokio::runtime::Handle;

use super::Connection;
use crate::collector::Admission;
use crate::error::ConnectError;
use crate::link::{Address, Credentials, Dialer, Hook, Settings, Supervisor, Tls};

/// Sets up a connection; made by [`Connection::builder`].
///
/// ```no_run
/// # async fn connect() -> Result<(), contract_runtime::ConnectError> {
/// use std::time::Duration;
///
/// let connection = contract_runtime::Connection::builder("amqp://rabbit-1/orders")
///     .url("amqp://rabbit-2/orders")
///     .name("order-service")
///     .connect_timeout(Duration::from_secs(3))
///     .open()
///     .await?;
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
#[must_use = "a builder does nothing until it is opened"]
pub struct ConnectionBuilder {
    addresses: Result<Vec<Address>, String>,
    connect_timeout: Duration,
    heartbeat: Duration,
    tls: Tls,
    credentials: Option<Hook>,
    any_broker: bool,
    settings: Settings,
    admission: Admission,
}

impl ConnectionBuilder {
    pub(super) fn new(url: &str) -> Self {
        Self {
            addresses: Ok(Vec::new()),
            connect_timeout: Duration::from_secs(10),
            heartbeat: Duration::from_secs(20),
            tls: Tls::new(),
            credentials: None,
            any_broker: false,
            settings: Settings {
                name: None,
                channel_timeout: Duration::from_secs(10),
                declare_timeout: Duration::from_secs(30),
                close_timeout: Duration::from_secs(5),
                first_pause: Duration::from_millis(250),
                longest_pause: Duration::from_secs(30),
            },
            admission: Admission::default(),
        }
        .url(url)
    }

    /// Another broker of the same cluster, tried when those before it do not answer. Every round of
    /// tries begins with the first.
    pub fn url(mut self, url: &str) -> Self {
        if let Ok(addresses) = &mut self.addresses {
            match Address::parse(url) {
                Ok(address) => addresses.push(address),
                Err(reason) => self.addresses = Err(reason),
            }
        }
        self
    }

    /// What the application is called: the broker's tools show it, and every message carries it in
    /// `app_id` (where it has at most 255 bytes). Default: none.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.settings.name = Some(name.into());
        self
    }

    /// How long one try at one URL may take, TLS and AMQP handshake included. A URL's own
    /// `connection_timeout` goes before. Default: 10 s.
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// How often each side says that it lives, in whole seconds; a broker that is not heard of for
    /// twice as long is lost. The broker may ask for more often. A URL's own `heartbeat` goes
    /// before. Zero leaves it to the broker. Default: 20 s.
    pub fn heartbeat(mut self, heartbeat: Duration) -> Self {
        self.heartbeat = heartbeat;
        self
    }

    /// Whom to trust over `amqps`, and as whom to be trusted. Default: the authorities that the
    /// system trusts, and no certificate of our own.
    pub fn tls(mut self, tls: Tls) -> Self {
        self.tls = tls;
        self
    }

    /// As whom to enter the broker, asked anew before each try at each URL, by each of the two TCP
    /// connections: for passwords that are rotated, and tokens that expire. What a URL says of user
    /// and password does not count then. Default: the URLs say it.
    ///
    /// A hook that fails, panics, or does not answer within the [time of a
    /// try](Self::connect_timeout) makes this try [fail](ConnectError::NoCredentials): the first
    /// start with it, later the next try asks again. The text of its error is shown in errors and
    /// logs, so it must hold no secret.
    ///
    /// ```no_run
    /// # async fn connect() -> Result<(), contract_runtime::ConnectError> {
    /// use contract_runtime::{Connection, Credentials};
    ///
    /// let connection = Connection::builder("amqp://rabbit-1/orders")
    ///     .credentials(async || {
    ///         let password = std::fs::read_to_string("/run/secrets/rabbitmq")?;
    ///         Ok::<_, std::io::Error>(Credentials::new("order-service", password.trim()))
    ///     })
    ///     .open()
    ///     .await?;
    /// # Ok(()) }
    /// ```
    pub fn credentials<F, R, E>(mut self, hook: F) -> Self
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Future<Output = Result<Credentials, E>> + Send + 'static,
        E: Into<Box<dyn Error + Send + Sync>>,
    {
        self.credentials = Some(Hook::new(hook));
        self
    }

    /// Enters whatever speaks AMQP 0-9-1: a RabbitMQ before 3.10, another product, a proxy that
    /// does not say what is behind it. What the library promises has been shown on RabbitMQ from
    /// 3.10 on only. Default: such a broker is [refused](ConnectError::UnknownBroker) before it is
    /// told user and password.
    pub fn any_broker(mut self) -> Self {
        self.any_broker = true;
        self
    }

    /// How long [`Connection::declare`] may take. Default: 30 s.
    pub fn declare_timeout(mut self, timeout: Duration) -> Self {
        self.settings.declare_timeout = timeout;
        self
    }

    /// How long [`Connection::close`] may take. Default: 5 s.
    pub fn close_timeout(mut self, timeout: Duration) -> Self {
        self.settings.close_timeout = timeout;
        self
    }

    /// The pauses between tries once the connection is lost: the first, doubled each time up to the
    /// longest, each shortened at random by up to a half. Default: 250 ms to 30 s.
    pub fn reconnect_pauses(mut self, first: Duration, longest: Duration) -> Self {
        self.settings.first_pause = first;
        self.settings.longest_pause = longest;
        self
    }

    /// How many messages of one publisher may be unconfirmed at a time; at least 1. Default: 256.
    pub fn max_unconfirmed(mut self, messages: usize) -> Self {
        self.admission.messages = messages;
        self
    }

    /// How many bytes of bodies of one publisher may be unconfirmed at a time; a larger message
    /// goes alone. Default: 64 MiB.
    pub fn max_unconfirmed_bytes(mut self, bytes: usize) -> Self {
        self.admission.bytes = bytes;
        self
    }

    /// The largest body that is sent, in bytes. Default: 16 MiB, RabbitMQ 4's own limit.
    pub fn max_body_bytes(mut self, bytes: usize) -> Self {
        self.admission.body = bytes;
        self
    }

    /// Opens the connection.
    ///
    /// Each URL is tried once, in the order given. An error comes back at once for what time cannot
    /// mend (a URL, credentials, a virtual host), and after that one round where no broker answers:
    /// a program without a broker says so and ends. Once open, the connection is kept for as long
    /// as it is wanted: it reconnects for ever, also over changed credentials (slowly, and it says
    /// so).
    pub async fn open(self) -> Result<Connection, ConnectError> {
        let addresses = self
            .addresses
            .map_err(|reason| ConnectError::Url { reason })?;
        self.tls.check()?;
        let runtime = Handle::try_current().map_err(|_| ConnectError::NoRuntime)?;
        let called = self.settings.name.as_deref().unwrap_or("contract");
        let dialer = |role: &str| Dialer {
            addresses: addresses.clone().into(),
            connection_name: format!("{called} ({role})"),
            connect_timeout: self.connect_timeout,
            heartbeat: whole_seconds(self.heartbeat),
            tls: self.tls.clone(),
            credentials: self.credentials.clone(),
            any_broker: self.any_broker,
        };
        let (publishing, consuming) = (dialer("publishing"), dialer("consuming"));
        let first = publishing.dial().await?;
        let second = consuming.dial().await?;
        let supervise = |role, dialer, dialled| {
            Supervisor::start(role, dialer, self.settings.clone(), &runtime, dialled)
        };
        Ok(Connection::new(
            supervise("publishing", publishing, first),
            supervise("consuming", consuming, second),
            self.admission,
        ))
    }
}

/// None leaves the interval to the broker.
fn whole_seconds(heartbeat: Duration) -> Option<u16> {
    if heartbeat.is_zero() {
        return None;
    }
    Some(u16::try_from(heartbeat.as_secs().max(1)).unwrap_or(u16::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_debug_holds_no_password() {
        let builder = ConnectionBuilder::new("amqp://u:sesame@h").url("amqp://u:sesame@h2/v");
        assert!(!format!("{builder:?}").contains("sesame"));
        let broken = builder.url("amqp://u:sesame@h3/").url("amqp://h4");
        assert!(!format!("{broken:?}").contains("sesame"));
        assert!(broken.addresses.is_err());
    }

    #[test]
    fn a_heartbeat_is_whole_seconds() {
        assert_eq!(whole_seconds(Duration::ZERO), None);
        assert_eq!(whole_seconds(Duration::from_millis(10)), Some(1));
        assert_eq!(whole_seconds(Duration::from_millis(2999)), Some(2));
        assert_eq!(whole_seconds(Duration::MAX), Some(u16::MAX));
    }
}
