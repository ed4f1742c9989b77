//! Publishing so that each caller gets the broker's answer for its own message.

mod admission;
mod claim;
mod closure;
mod flight;
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
use self::admission::{Gate, Place};
use self::claim::Claim;
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

/// A message on its way to the task.
struct Job {
    identity: Arc<Identity>,
    cargo: Claim<Cargo>,
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
        let task = Task::new(link.clone(), admission, waiting);
        link.runtime().spawn(task.run());
        Self(Arc::new(Shared {
            link,
            jobs,
            gate: Gate::default(),
            limits: admission,
        }))
    }

    /// Sends a message and waits for the broker's answer to it, until the deadline; for room and a
    /// connection too. `Ok` says that a queue has it. Messages are sent in the order in which these
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
            identity,
            cargo: cargo.clone(),
            answer,
        };
        if self.0.jobs.send(job).is_err() {
            return Err(SendError::Unavailable);
        }
        let withdraw = Withdraw(cargo);
        match timeout_at(deadline, answered).await {
            Ok(Ok(answer)) => answer,
            // The task is gone with its runtime.
            Ok(Err(_)) => Err(match withdraw.0.take() {
                Some(_) => SendError::Unavailable,
                None => SendError::Unknown("the runtime of the connection has stopped".into()),
            }),
            Err(_) => Err(match withdraw.0.take() {
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
        if wait == Wait::Yes {
            return Ok(self.0.gate.enter(bytes));
        }
        if !matches!(*self.0.link.state().borrow(), LinkState::Open(_)) {
            return Err(self.why_not_sent());
        }
        let place = self.0.gate.try_enter(&self.0.limits, bytes);
        place.ok_or(SendError::Overloaded)
    }

    fn why_not_sent(&self) -> SendError {
        match &*self.0.link.state().borrow() {
            LinkState::Blocked(_, reason) => SendError::Blocked(reason.clone()),
            LinkState::Connecting | LinkState::Closed => SendError::Unavailable,
            LinkState::Open(_) => SendError::Overloaded,
        }
    }
}

/// Takes the message back when the caller goes away.
struct Withdraw(Claim<Cargo>);

impl Drop for Withdraw {
    fn drop(&mut self) {
        drop(self.0.take());
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
