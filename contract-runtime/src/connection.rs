//! How a service holds on to the broker.

mod builder;
mod state;

use std::fmt;
use std::sync::Arc;

use contract_core::Contract;
use contract_core::declaration::{Scope, TopologyMode};
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

pub use self::builder::ConnectionBuilder;
pub use self::state::ConnectionState;
use crate::collector::{Admission, Collector, PublishCounts};
use crate::error::{ConnectError, DeclareError};
use crate::link::Link;
use crate::topology;

/// A connection to RabbitMQ: one handle, cheap to clone, over two TCP connections, one for
/// publishing and one for consuming, so that a blocked publisher never blocks an ack.
///
/// It is kept for as long as it is wanted: when a TCP connection is lost, a fresh one is made, with
/// growing pauses, for ever. Publishers wait for it within their own timeouts, consumers come back
/// by themselves, and [`state`](Self::state) says what is going on. When the last handle, publisher
/// and worker are gone, it closes; [`close`](Self::close) does so in order.
///
/// It lives on the tokio runtime that opened it. lapin's heartbeats and acknowledgements run there
/// too: a handler that blocks a current-thread runtime for twice the heartbeat loses the connection.
#[derive(Clone)]
pub struct Connection {
    inner: Arc<Inner>,
}

struct Inner {
    publishing: Link,
    consuming: Link,
    state: watch::Receiver<ConnectionState>,
    admission: Admission,
}

impl Connection {
    /// Connects to `amqp[s]://[user[:password]@]host[:port][/vhost]`, user, password and virtual
    /// host percent-encoded.
    ///
    /// `amqp://host` means user `guest`, port 5672 (5671 for `amqps`) and the default virtual host,
    /// `/`, which can be written `/%2f`. A URL that ends in `/` would name the virtual host with
    /// the empty name, and is refused. The query may hold `heartbeat` in seconds and
    /// `connection_timeout` in milliseconds. `amqps` needs the feature `rustls`.
    ///
    /// Fails as [`ConnectionBuilder::open`] says, within 10 s; [`builder`](Self::builder) has more
    /// to set.
    ///
    /// ```no_run
    /// # async fn connect() -> Result<(), contract_runtime::ConnectError> {
    /// let connection = contract_runtime::Connection::open("amqp://localhost").await?;
    /// # Ok(()) }
    /// ```
    pub async fn open(url: &str) -> Result<Self, ConnectError> {
        Self::builder(url).open().await
    }

    /// Sets up a connection with more than a URL.
    pub fn builder(url: &str) -> ConnectionBuilder {
        ConnectionBuilder::new(url)
    }

    fn new(publishing: Link, consuming: Link, admission: Admission) -> Self {
        let state = state::follow(&publishing, &consuming);
        Self {
            inner: Arc::new(Inner {
                publishing,
                consuming,
                state,
                admission,
            }),
        }
    }

    /// What the connection is doing, and every change of it. Any number of listeners can hold one.
    #[must_use]
    pub fn state(&self) -> watch::Receiver<ConnectionState> {
        self.inner.state.clone()
    }

    /// Declares all of a contract on the broker: exchanges, queues with their retry buckets and
    /// dead letters, bindings; checks that what is external exists. What is already there as
    /// declared stays as it is.
    ///
    /// A worker declares what it consumes by itself, and a publisher's `declare` where its messages go;
    /// this is for deployments, tools and tests.
    ///
    /// Fails with every difference between the contract and the broker at once, or when the broker
    /// does not answer within the connection's [timeout](ConnectionBuilder::declare_timeout). What
    /// could be declared then has been.
    pub async fn declare(&self, contract: &Contract) -> Result<(), DeclareError> {
        topology::declare(
            self.consuming(),
            contract,
            &Scope::All,
            TopologyMode::Declare,
        )
        .await
    }

    /// Compares all of a contract with what is on the broker, and creates nothing but the contract's
    /// exclusive queues, which only this connection can have.
    ///
    /// Fails with every difference at once, like [`declare`](Self::declare). What RabbitMQ does not
    /// let a client see is not compared: the arguments of what the user may not configure, and
    /// bindings.
    pub async fn verify(&self, contract: &Contract) -> Result<(), DeclareError> {
        topology::declare(
            self.consuming(),
            contract,
            &Scope::All,
            TopologyMode::Verify,
        )
        .await
    }

    /// How much is being published now, and how many publishes were dropped unanswered: for metrics.
    #[must_use]
    pub fn publish_counts(&self) -> PublishCounts {
        self.inner.publishing.gate().counts()
    }

    /// Takes no more publishes, waits for the answers to those that there are, closes both TCP
    /// connections and waits for that; all of it at most the connection's
    /// [timeout](ConnectionBuilder::close_timeout) (5 s by default), also while the broker is away
    /// or has blocked us. Publishes that are sent and not answered by then end
    /// [unconfirmed](crate::PublishError::Unconfirmed); those that still wait are not sent. To end a
    /// worker in order, shut it down first.
    pub async fn close(&self) {
        let deadline = Instant::now() + self.inner.publishing.settings().close_timeout;
        let gate = self.inner.publishing.gate();
        gate.close();
        if timeout_at(deadline, gate.emptied()).await.is_err() {
            let pending = gate.counts().pending;
            tracing::warn!(
                pending,
                "RabbitMQ did not answer all publishes before the close"
            );
        }
        self.inner.publishing.close_by(deadline);
        self.inner.consuming.close_by(deadline);
        let closed = async {
            self.inner.publishing.closed().await;
            self.inner.consuming.closed().await;
        };
        // A supervisor keeps the deadline; a runtime that is shutting down may have stopped it.
        let _ = timeout_at(deadline, closed).await;
    }

    /// A channel of its own to publish on, with the connection's limits.
    pub(crate) fn collector(&self) -> Collector {
        let link = self.publishing();
        Collector::open(link.clone(), self.inner.admission)
    }

    /// The link that everything is published on.
    pub(crate) fn publishing(&self) -> &Link {
        &self.inner.publishing
    }

    /// The link for consumers and for declarations: an alarm never stops it.
    pub(crate) fn consuming(&self) -> &Link {
        &self.inner.consuming
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection")
            .field("name", &self.inner.publishing.settings().name)
            .field("state", &*self.inner.state.borrow())
            .finish_non_exhaustive()
    }
}
