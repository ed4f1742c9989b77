//! Publishing so that each caller gets the broker's answer for its own message.

mod admission;
mod claim;
mod closure;
mod flight;
mod gate;
mod size;
mod task;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use lapin::BasicProperties;
use lapin::types::ShortString;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout_at};

pub(crate) use self::admission::Admission;
use self::claim::Claim;
pub(crate) use self::gate::Gate;
pub use self::gate::PublishCounts;
use self::gate::{Place, Shut};
pub(crate) use self::size::encoded as encoded_size;
use self::task::Task;
use crate::link::{Link, LinkState};

/// One confirm channel on a link, owned by one task. Every message is mandatory, and every answer
/// is the broker's answer to that message. Cheap to clone; the task ends when all clones are gone
/// and the broker has answered for what they sent.
#[derive(Clone)]
pub(crate) struct Collector(Arc<Shared>);

struct Shared {
    link: Link,
    jobs: mpsc::UnboundedSender<Job>,
    gate: Gate,
    limits: Admission,
}

/// A message to be sent.
#[derive(Debug, Clone)]
pub(crate) struct Outgoing {
    /// The exchange; empty for the default one.
    pub(crate) exchange: String,
    pub(crate) routing_key: String,
    pub(crate) properties: BasicProperties,
    pub(crate) body: Arc<[u8]>,
    /// Whether it is no failure when no queue takes it: its author has signed for that.
    pub(crate) lossy: bool,
}

/// Why a message was not sent, or not taken, or not certainly taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SendError {
    /// Not sent.
    #[error("the {what} needs {bytes} bytes; at most {limit} are sent")]
    TooLarge {
        what: &'static str,
        bytes: usize,
        limit: usize,
    },
    /// Not sent: an exchange or a routing key of more than 255 bytes.
    #[error("`{0}` has more than 255 bytes")]
    InvalidKey(String),
    /// Not sent.
    #[error("there was no connection in time")]
    Unavailable,
    /// Not sent; with the broker's words.
    #[error("the broker takes no messages: {0}")]
    Blocked(String),
    /// Not sent.
    #[error("too many messages are unconfirmed")]
    Overloaded,
    /// Not sent.
    #[error("the publisher or its connection is closed")]
    Closed,
    /// Refused: returned.
    #[error("no queue is bound for it")]
    Unroutable,
    /// Refused, as far as the broker says: a nack. Where the key reaches several queues, others may
    /// have it.
    #[error("a queue is full or failed")]
    Rejected,
    /// Refused where `certain`, else unknown.
    #[error("the exchange does not exist")]
    ExchangeMissing { certain: bool },
    /// The channel was closed. Refused where `certain`, else unknown.
    #[error("{text} [{code}]")]
    Refused {
        code: u16,
        text: String,
        certain: bool,
    },
    /// Sent, and not answered.
    #[error("unconfirmed: {0}")]
    Unknown(String),
}

/// Which publish a returned message was. It holds no more than what the broker sends back, so that
/// no header is needed for it.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Identity {
    message_id: Option<ShortString>,
    exchange: ShortString,
    routing_key: ShortString,
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.message_id.as_ref().map_or("?", ShortString::as_str);
        let (exchange, routing_key) = (&self.exchange, &self.routing_key);
        write!(
            f,
            "event {id} for exchange `{exchange}`, key `{routing_key}`"
        )
    }
}

/// A message on its way to the task.
struct Job {
    identity: Arc<Identity>,
    cargo: Claim<Cargo>,
    lossy: bool,
    answer: oneshot::Sender<Result<(), SendError>>,
}

struct Cargo {
    properties: BasicProperties,
    body: Arc<[u8]>,
    place: Place,
}

/// Whether a caller waits for room and for a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wait {
    Yes,
    No,
}

impl Collector {
    /// A collector on this link. Its channel is opened with the first message.
    pub(crate) fn open(link: Link, admission: Admission) -> Self {
        let (jobs, waiting) = mpsc::unbounded_channel();
        let gate = link.gate().below();
        let task = Task::new(link.clone(), admission, gate.clone(), waiting);
        link.runtime().spawn(task.run());
        Self(Arc::new(Shared {
            link,
            jobs,
            gate,
            limits: admission,
        }))
    }

    /// Sends a message and waits for the broker's answer to it, until the deadline; for room and a
    /// connection too. `Ok` says that a queue has it, or that none did and the message is lossy. Messages are sent in the order in which these
    /// futures are first polled.
    ///
    /// Dropping the future takes the message back if it has not been handed to the channel yet;
    /// else its answer is awaited all the same, by the task.
    pub(crate) async fn send(
        &self,
        outgoing: Outgoing,
        deadline: Instant,
    ) -> Result<(), SendError> {
        self.send_waiting(outgoing, deadline, Wait::Yes).await
    }

    /// The same; with [`Wait::No`] only the broker's answer is waited for.
    pub(crate) async fn send_waiting(
        &self,
        outgoing: Outgoing,
        deadline: Instant,
        wait: Wait,
    ) -> Result<(), SendError> {
        self.check_size(&outgoing)?;
        let identity = Arc::new(Identity {
            message_id: outgoing.properties.message_id().clone(),
            exchange: short(outgoing.exchange)?,
            routing_key: short(outgoing.routing_key)?,
        });
        let place = self.enter(outgoing.body.len(), wait)?;
        let cargo = Claim::new(Cargo {
            properties: outgoing.properties,
            body: outgoing.body,
            place,
        });
        let (answer, answered) = oneshot::channel();
        let job = Job {
            identity: Arc::clone(&identity),
            cargo: cargo.clone(),
            lossy: outgoing.lossy,
            answer,
        };
        if self.0.jobs.send(job).is_err() {
            return Err(SendError::Unavailable);
        }
        let mut caller = Caller {
            cargo,
            identity,
            gate: &self.0.gate,
            waits: true,
        };
        let answer = timeout_at(deadline, answered).await;
        caller.waits = false;
        match answer {
            Ok(Ok(answer)) => answer,
            // The task is gone with its runtime.
            Ok(Err(_)) => Err(match caller.cargo.take() {
                Some(_) => SendError::Unavailable,
                None => SendError::Unknown("the runtime of the connection has stopped".into()),
            }),
            Err(_) => Err(match caller.cargo.take() {
                Some(_) => self.why_not_sent(),
                None => SendError::Unknown("the broker did not confirm it in time".into()),
            }),
        }
    }

    fn check_size(&self, outgoing: &Outgoing) -> Result<(), SendError> {
        let check = |what, bytes, limit| {
            if bytes > limit {
                return Err(SendError::TooLarge { what, bytes, limit });
            }
            Ok(())
        };
        check("body", outgoing.body.len(), self.0.limits.body)?;
        check(
            "header frame",
            size::encoded(&outgoing.properties),
            self.header_limit(),
        )
    }

    /// The largest properties that can be sent now, encoded, in bytes.
    pub(crate) fn header_limit(&self) -> usize {
        match &*self.0.link.state().borrow() {
            LinkState::Open(live) | LinkState::Blocked(live, _) => {
                size::limit(live.connection().configuration().frame_max())
            }
            LinkState::Connecting | LinkState::Closed => size::limit(0),
        }
    }

    fn enter(&self, bytes: usize, wait: Wait) -> Result<Place, SendError> {
        let place = if wait == Wait::Yes {
            self.0.gate.enter(bytes)
        } else if matches!(*self.0.link.state().borrow(), LinkState::Open(_)) {
            self.0.gate.try_enter(&self.0.limits, bytes)
        } else {
            return Err(self.why_not_sent());
        };
        place.map_err(|shut| match shut {
            Shut::Closed => SendError::Closed,
            Shut::Full => SendError::Overloaded,
        })
    }

    /// Whether a message need not wait, as far as the publisher's own limits go.
    pub(crate) fn has_room(&self) -> bool {
        self.0.gate.has_room(&self.0.limits)
    }

    /// Lets no more messages in, and waits for the answers to those that are, until the deadline;
    /// how many are left then.
    pub(crate) async fn close(&self, deadline: Instant) -> usize {
        self.0.gate.close();
        // What is left says it all.
        let _ = timeout_at(deadline, self.0.gate.emptied()).await;
        self.0.gate.counts().pending
    }

    pub(crate) fn link(&self) -> &Link {
        &self.0.link
    }

    fn why_not_sent(&self) -> SendError {
        match &*self.0.link.state().borrow() {
            LinkState::Blocked(_, reason) => SendError::Blocked(reason.clone()),
            LinkState::Connecting => SendError::Unavailable,
            LinkState::Closed => SendError::Closed,
            LinkState::Open(_) => SendError::Overloaded,
        }
    }
}

/// One that waits for an answer. It takes its message back when it goes away without one, if it
/// still can.
struct Caller<'g> {
    cargo: Claim<Cargo>,
    identity: Arc<Identity>,
    gate: &'g Gate,
    waits: bool,
}

impl Drop for Caller<'_> {
    fn drop(&mut self) {
        if !self.waits {
            return;
        }
        let sent = match self.cargo.desert() {
            Some(_) => "it was not sent",
            None => "it may have been sent",
        };
        self.gate.note_dropped();
        tracing::warn!(
            publish = %self.identity,
            "a publish was dropped before RabbitMQ had answered: {sent}"
        );
    }
}

fn short(text: String) -> Result<ShortString, SendError> {
    if text.len() > usize::from(u8::MAX) {
        return Err(SendError::InvalidKey(text));
    }
    ShortString::try_new(text).map_err(|error| SendError::InvalidKey(error.to_string()))
}

/// How long the answers of a lost connection are waited for; lapin gives them at once, if ever.
const GRACE: Duration = Duration::from_secs(2);

impl fmt::Debug for Collector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Collector")
            .field("link", &self.0.link)
            .field("gate", &self.0.gate)
            .finish_non_exhaustive()
    }
}
