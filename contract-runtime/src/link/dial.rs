//! One try to connect: bounded in time, and told by its code why it failed.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lapin::protocol::AMQPErrorKind;
use lapin::tcp::{AMQPUriTcpExt, OwnedTLSConfig};
use lapin::types::{LongString, ShortString};
use lapin::uri::{AMQPScheme, AMQPUri};
use lapin::{AsyncTcpStream, ConnectionProperties, ErrorKind};
use tokio::time::timeout;

use super::address::Address;
use super::credentials::Hook;
use super::cut::Cut;
use super::tap::{self, Tap, TappedRuntime};
use super::tls::Tls;
use crate::error::{ConnectError, FailedAttempt};

/// How to make a connection, again and again.
#[derive(Debug, Clone)]
pub(crate) struct Dialer {
    pub(crate) addresses: Arc<[Address]>,
    /// What the broker's own tools call the connection.
    pub(crate) connection_name: String,
    pub(crate) connect_timeout: Duration,
    /// In seconds.
    pub(crate) heartbeat: Option<u16>,
    pub(crate) tls: Tls,
    /// Asked before each try; without one, the URL says as whom.
    pub(crate) credentials: Option<Hook>,
    /// Whether another broker than a RabbitMQ that is known will do.
    pub(crate) any_broker: bool,
}

/// A fresh connection, and the way to end it without its help.
pub(crate) struct Dialled {
    pub(crate) connection: lapin::Connection,
    pub(crate) cut: Option<Cut>,
    pub(crate) address: String,
    /// What the broker calls itself.
    pub(crate) broker: String,
}

impl Dialer {
    /// Tries each address once, in their order. What time cannot mend ends the round at once: it is
    /// a mistake in the settings, and another broker that takes them would hide it.
    pub(crate) async fn dial(&self) -> Result<Dialled, ConnectError> {
        let mut attempts = Vec::new();
        for address in self.addresses.iter() {
            match self.dial_one(address).await {
                Ok(dialled) => return Ok(dialled),
                Err(ConnectError::Unreachable { attempts: failed }) => attempts.extend(failed),
                Err(error) => return Err(error),
            }
        }
        Err(ConnectError::Unreachable { attempts })
    }

    async fn dial_one(&self, address: &Address) -> Result<Dialled, ConnectError> {
        if address.is_tls() && !cfg!(feature = "rustls") {
            // lapin without TLS would go on in plain text.
            return Err(ConnectError::TlsDisabled {
                address: address.to_string(),
            });
        }
        let unreachable = |reason: String| ConnectError::Unreachable {
            attempts: vec![FailedAttempt::new(address.to_string(), reason)],
        };
        let Ok(tokio) = lapin::runtime::default_runtime() else {
            return Err(ConnectError::NoRuntime);
        };
        let most = address.connect_timeout().unwrap_or(self.connect_timeout);
        let credentials = match &self.credentials {
            Some(hook) => Some(hook.ask(most).await?),
            None => None,
        };
        let address = &address.entered_as(credentials.as_ref());
        let uri = address.uri(self.heartbeat);
        let mut overheard = None;
        let connect = async {
            // lapin is given a socket that is connected: where it connects by itself and fails, a
            // task of its own stays for ever.
            let no_tls = OwnedTLSConfig::default();
            let plain = AMQPUri {
                scheme: AMQPScheme::AMQP,
                ..uri.clone()
            };
            let mut stream = plain
                .connect_with_config_async(no_tls.as_ref(), &tokio)
                .await?;
            let mut cut = None;
            if let AsyncTcpStream::Plain(tcp) = &stream {
                cut = Some(Cut::of(tcp.get_ref())?);
            }
            if uri.scheme == AMQPScheme::AMQPS {
                let tls = self.tls.config().as_ref();
                stream = stream.into_tls(&uri.authority.host, tls).await?;
            }
            let (stream, heard) = Tap::new(stream, self.any_broker);
            overheard = Some(heard);
            let stream = Mutex::new(Some(AsyncTcpStream::Plain(stream)));
            let give = async move |_: AMQPUri, _: TappedRuntime| {
                let stream = stream.lock().unwrap_or_else(PoisonError::into_inner).take();
                stream.ok_or_else(|| io::Error::from(io::ErrorKind::NotConnected).into())
            };
            // Given up, `cut` takes the socket with it: lapin's thread would wait for ever for a
            // broker that took the connection and never spoke.
            let runtime = tap::runtime(tokio);
            let connection =
                lapin::Connection::connector(uri, runtime, give, self.properties()).await?;
            Ok::<_, lapin::Error>((connection, cut))
        };
        let connected = timeout(most, connect).await;
        let greeting = overheard.as_ref().and_then(|heard| heard.get());
        if let Some(greeting) = greeting
            && !greeting.will_do(self.any_broker)
        {
            return Err(ConnectError::UnknownBroker {
                address: address.to_string(),
                product: greeting.product.clone(),
                version: greeting.version.clone(),
            });
        }
        match connected {
            Ok(Ok((connection, cut))) => Ok(Dialled {
                connection,
                cut,
                address: address.to_string(),
                broker: greeting.map_or_else(String::new, ToString::to_string),
            }),
            Ok(Err(error)) => Err(classify(address, &error, most)),
            Err(_) => Err(unreachable(no_answer(most))),
        }
    }

    fn properties(&self) -> ConnectionProperties {
        let property = |key: &str| ShortString::try_new(key).unwrap_or_else(|_| "".into());
        ConnectionProperties::default()
            .with_client_property(property("product"), env!("CARGO_PKG_NAME").into())
            .with_client_property(property("version"), env!("CARGO_PKG_VERSION").into())
            .with_connection_name(LongString::from(self.connection_name.as_str()))
    }
}

fn no_answer(most: Duration) -> String {
    format!("no answer within {most:?}")
}

fn classify(address: &Address, error: &lapin::Error, most: Duration) -> ConnectError {
    let at = address.to_string();
    let user = address.user().to_owned();
    match error.kind() {
        ErrorKind::ProtocolError(error) => {
            let text = error.get_message().to_string();
            match (error.kind(), error.get_id()) {
                (_, 403) => ConnectError::Credentials { address: at, user },
                (AMQPErrorKind::Hard(_), 530) => ConnectError::VirtualHost {
                    address: at,
                    user,
                    vhost: address.vhost().to_owned(),
                    text,
                },
                (_, code) => ConnectError::Refused {
                    address: at,
                    code,
                    text,
                },
            }
        }
        ErrorKind::IOError(error) => {
            let reason = match error.kind() {
                io::ErrorKind::ConnectionRefused => "connection refused".to_owned(),
                io::ErrorKind::TimedOut => no_answer(most),
                // What rustls says, of the handshake or, where the broker asks for a certificate,
                // of the first bytes behind it.
                io::ErrorKind::InvalidData if address.is_tls() => {
                    return ConnectError::Tls {
                        address: at,
                        reason: error.to_string(),
                    };
                }
                io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset => {
                    "the connection was closed before the AMQP handshake had ended".to_owned()
                }
                _ => error.to_string(),
            };
            ConnectError::Unreachable {
                attempts: vec![FailedAttempt::new(at, reason)],
            }
        }
        _ => ConnectError::Unreachable {
            attempts: vec![FailedAttempt::new(at, error.to_string())],
        },
    }
}
