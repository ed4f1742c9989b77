//! One try to connect: bounded in time, and told by its code why it failed.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lapin::protocol::AMQPErrorKind;
use lapin::tcp::{AMQPUriTcpExt, OwnedTLSConfig};
use lapin::types::{LongString, ShortString};
use lapin::uri::AMQPScheme;
use lapin::{ConnectionProperties, ErrorKind};
use tokio::time::{Instant, timeout_at};

use super::address::Address;
use super::cut::Cut;
use crate::error::{ConnectError, FailedAttempt};

/// How to make a connection, again and again.
#[derive(Debug, Clone)]
pub(super) struct Dialer {
    pub(super) addresses: Arc<[Address]>,
    /// What the broker's own tools call the connection.
    pub(super) connection_name: String,
    pub(super) connect_timeout: Duration,
    /// In seconds.
    pub(super) heartbeat: Option<u16>,
}

/// A fresh connection, and the way to end it without its help.
pub(super) struct Dialled {
    pub(super) connection: lapin::Connection,
    pub(super) cut: Cut,
    pub(super) address: String,
}

impl Dialer {
    /// Tries each address once, in their order. What time cannot mend ends the round at once: it is
    /// a mistake in the settings, and another broker that takes them would hide it.
    pub(super) async fn dial(&self) -> Result<Dialled, ConnectError> {
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
        let Ok(runtime) = lapin::runtime::default_runtime() else {
            return Err(ConnectError::NoRuntime);
        };
        let most = address.connect_timeout().unwrap_or(self.connect_timeout);
        let deadline = Instant::now() + most;
        let waiting = Waiting::default();
        let connect = {
            let wire = waiting.0.clone();
            lapin::Connection::connector(
                address.uri(self.heartbeat),
                runtime,
                async move |uri, runtime| {
                    let connect = async {
                        let mut plain = uri.clone();
                        plain.scheme = AMQPScheme::AMQP;
                        let no_tls = OwnedTLSConfig::default();
                        let stream = plain
                            .connect_with_config_async(no_tls.as_ref(), &runtime)
                            .await?;
                        if let lapin::AsyncTcpStream::Plain(tcp) = &stream {
                            wire.hold(Cut::of(tcp.get_ref())?)?;
                        }
                        if uri.scheme == AMQPScheme::AMQPS {
                            let tls = OwnedTLSConfig::default();
                            return stream.into_tls(&uri.authority.host, tls.as_ref()).await;
                        }
                        Ok(stream)
                    };
                    // lapin runs this on a thread of its own, which nobody else would end.
                    match timeout_at(deadline, connect).await {
                        Ok(stream) => Ok(stream?),
                        Err(_) => Err(io::Error::from(io::ErrorKind::TimedOut).into()),
                    }
                },
                self.properties(),
            )
        };
        match timeout_at(deadline, connect).await {
            Ok(Ok(connection)) => match waiting.0.take() {
                Some(cut) => Ok(Dialled {
                    connection,
                    cut,
                    address: address.to_string(),
                }),
                None => Err(unreachable("the socket went away".into())),
            },
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

/// The socket of a connection in the making, shared with lapin's thread.
#[derive(Clone, Default)]
struct Wire(Arc<Mutex<State>>);

#[derive(Default)]
enum State {
    #[default]
    Waiting,
    Held(Cut),
    Gone,
}

impl Wire {
    /// Keeps the way to end the connection, unless nobody waits for it any more.
    fn hold(&self, cut: Cut) -> io::Result<()> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*state, State::Gone) {
            return Err(io::Error::from(io::ErrorKind::ConnectionAborted));
        }
        *state = State::Held(cut);
        Ok(())
    }

    fn take(&self) -> Option<Cut> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match std::mem::replace(&mut *state, State::Gone) {
            State::Held(cut) => Some(cut),
            _ => None,
        }
    }
}

/// The side that waits for the connection. Given up, it takes the socket with it: lapin's thread
/// would otherwise wait for ever for a broker that took the connection and never spoke.
#[derive(Default)]
struct Waiting(Wire);

impl Drop for Waiting {
    fn drop(&mut self) {
        drop(self.0.take());
    }
}
