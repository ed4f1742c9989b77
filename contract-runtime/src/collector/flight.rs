//! The messages under way on one channel, and which of them came back.
//!
//! A `basic.return` always precedes the confirm of its own message, but lapin hands a returned
//! message to whichever confirm it resolves next, and one confirm of many (`multiple`) resolves
//! them in the order of a hash map. So a confirm says only *that* its message was confirmed; whether
//! it was returned is told by the returned message itself, wherever it turns up:
//!
//! 1. every confirm that is ready is taken;
//! 2. a barrier: lapin resolves the confirms of one frame under a lock, and asking for the channel's
//!    last confirm takes that lock, so no frame is half done behind it;
//! 3. every confirm that is ready by now is taken too: a message whose own confirm is among those of
//!    1 has turned up, with its own confirm or with one of these;
//! 4. only now each is answered: returned if its identity was among the returned, else by its
//!    confirm.
//!
//! The identities that came back are kept until their own confirms come, and no two messages of one
//! identity are under way at a time. All this leans on lapin's inside: a behaviour test mixes routed
//! and unroutable messages, hundreds under way, on classic and quorum queues.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use lapin::message::BasicReturnMessage;
use lapin::options::BasicPublishOptions;
use lapin::{BasicProperties, Channel, Confirmation};
use tokio::sync::oneshot;

use super::admission::{Admission, Load};
use super::claim::Claim;
use super::closure::Closure;
use super::gate::{Gate, Place};
use super::{Cargo, Identity, Job, SendError};

pub(super) struct Flight {
    channel: Channel,
    publishes: FuturesUnordered<BoxFuture<'static, Landed>>,
    landed: Vec<Landed>,
    seats: HashMap<Arc<Identity>, Seat>,
    returned: HashSet<Arc<Identity>>,
    closure: Option<Closure>,
    stirred: Arc<Stirred>,
    limits: Admission,
    load: Load,
    gate: Gate,
}

/// A message under way, and who waits for its answer.
struct Seat {
    cargo: Claim<Cargo>,
    place: Place,
    bytes: usize,
    lossy: bool,
    answer: oneshot::Sender<Result<(), SendError>>,
    /// Others of the same identity, held back until this one is answered.
    behind: VecDeque<Job>,
}

/// A publish that is over.
struct Landed {
    identity: Arc<Identity>,
    end: End,
}

enum End {
    Confirmed(Confirmation),
    Failed(lapin::Error),
    /// The channel was closed before any of it was handed over.
    Kept(BasicProperties, Arc<[u8]>),
}

impl Flight {
    pub(super) fn new(channel: Channel, limits: Admission, gate: Gate) -> Self {
        Self {
            channel,
            publishes: FuturesUnordered::new(),
            landed: Vec::new(),
            seats: HashMap::new(),
            returned: HashSet::new(),
            closure: None,
            stirred: Arc::new(Stirred::default()),
            limits,
            load: Load::default(),
            gate,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.seats.is_empty()
    }

    /// Whether the channel still takes messages.
    pub(super) fn is_open(&self) -> bool {
        self.channel.status().connected()
    }

    /// Takes messages aboard in their order, as far as there is room; those that their callers have
    /// taken back are dropped.
    pub(super) fn board(&mut self, waiting: &mut VecDeque<Job>) {
        while let Some(job) = waiting.front() {
            let room = match job.cargo.look(|cargo| cargo.body.len()) {
                Some(bytes) => self.load.has_room(&self.limits, bytes),
                None => true,
            };
            if !room {
                return;
            }
            if let Some(job) = waiting.pop_front() {
                self.board_one(job);
            }
        }
    }

    fn board_one(&mut self, job: Job) {
        if let Some(seat) = self.seats.get_mut(&job.identity) {
            seat.behind.push_back(job);
            return;
        }
        self.seat(job, VecDeque::new());
    }

    fn seat(&mut self, mut job: Job, mut behind: VecDeque<Job>) {
        let cargo = loop {
            if let Some(cargo) = job.cargo.take() {
                break cargo;
            }
            match behind.pop_front() {
                Some(next) => job = next,
                None => return,
            }
        };
        let Cargo {
            properties,
            body,
            place,
        } = cargo;
        let bytes = body.len();
        self.load.add(bytes);
        self.publishes.push(
            publish(
                self.channel.clone(),
                Arc::clone(&job.identity),
                properties,
                body,
            )
            .boxed(),
        );
        let seat = Seat {
            cargo: job.cargo,
            place,
            bytes,
            lossy: job.lossy,
            answer: job.answer,
            behind,
        };
        self.seats.insert(job.identity, seat);
    }

    /// Waits until some publish is over; for ever while none is under way. Loses nothing when
    /// dropped.
    pub(super) async fn land(&mut self) {
        match self.publishes.next().await {
            Some(landed) => self.landed.push(landed),
            None => std::future::pending().await,
        }
    }

    /// Answers for everything that has landed. What was not handed over comes back, in its order.
    pub(super) fn answer(&mut self) -> Vec<Job> {
        self.drain();
        // The barrier. It is not waited for: it hangs where others publish meanwhile.
        let _ = self.channel.wait_for_confirms().now_or_never();
        self.drain();

        let landed = std::mem::take(&mut self.landed);
        for landed in &landed {
            match &landed.end {
                End::Confirmed(
                    Confirmation::Ack(Some(message)) | Confirmation::Nack(Some(message)),
                ) => self.note_returned(message),
                End::Failed(error) => self.note_closure(error),
                _ => {}
            }
        }
        let mut kept = Vec::new();
        for Landed { identity, end } in landed {
            let Some(seat) = self.seats.remove(&identity) else {
                continue;
            };
            self.load.remove(seat.bytes);
            let returned = self.returned.remove(&identity);
            let answer = match end {
                End::Confirmed(Confirmation::Ack(_) | Confirmation::Nack(_)) if returned => {
                    // Decided here, so that it is one answer for who waits and for who went away.
                    if seat.lossy {
                        tracing::debug!(publish = %identity, "no queue took a message, as declared");
                        Ok(())
                    } else {
                        Err(SendError::Unroutable)
                    }
                }
                End::Confirmed(Confirmation::Ack(_)) => Ok(()),
                End::Confirmed(Confirmation::Nack(_)) => Err(SendError::Rejected),
                End::Confirmed(Confirmation::NotRequested) => {
                    Err(SendError::Unknown("the channel confirms nothing".into()))
                }
                End::Failed(error) => Err(self.failed(&identity, &error)),
                End::Kept(properties, body) => {
                    let Seat {
                        cargo,
                        place,
                        lossy,
                        answer,
                        behind,
                        ..
                    } = seat;
                    // Whoever has gone has been told that it may have been sent: it need not be.
                    if !answer.is_closed() {
                        cargo.put_back(Cargo {
                            properties,
                            body,
                            place,
                        });
                        kept.push(Job {
                            identity,
                            cargo,
                            lossy,
                            answer,
                        });
                    }
                    kept.extend(behind);
                    continue;
                }
            };
            let mut behind = seat.behind;
            let told = Told {
                identity: &identity,
                cargo: &seat.cargo,
                gate: &self.gate,
            };
            // Before the answer: who has it may publish without waiting.
            drop(seat.place);
            told.answer(seat.answer, answer);
            if let Some(next) = behind.pop_front() {
                self.seat(next, behind);
            }
        }
        kept
    }

    /// Gives up on all that are under way: their connection is gone and lapin does not say so.
    /// Those that were held back come back.
    pub(super) fn abandon(self, reason: &str) -> Vec<Job> {
        let mut held = Vec::new();
        for (identity, seat) in self.seats {
            let told = Told {
                identity: &identity,
                cargo: &seat.cargo,
                gate: &self.gate,
            };
            drop(seat.place);
            told.answer(seat.answer, Err(SendError::Unknown(reason.to_owned())));
            held.extend(seat.behind);
        }
        held
    }

    /// Takes everything that is ready. `FuturesUnordered` may stop before that, and then wakes
    /// whoever polled it.
    fn drain(&mut self) {
        let waker = Waker::from(Arc::clone(&self.stirred));
        let mut context = Context::from_waker(&waker);
        loop {
            self.stirred.0.store(false, Ordering::SeqCst);
            match self.publishes.poll_next_unpin(&mut context) {
                Poll::Ready(Some(landed)) => self.landed.push(landed),
                Poll::Pending if self.stirred.0.load(Ordering::SeqCst) => {}
                Poll::Ready(None) | Poll::Pending => return,
            }
        }
    }

    fn note_returned(&mut self, message: &BasicReturnMessage) {
        let identity = Identity {
            message_id: message.delivery.properties.message_id().clone(),
            exchange: message.delivery.exchange.clone(),
            routing_key: message.delivery.routing_key.clone(),
        };
        if let Some((identity, _)) = self.seats.get_key_value(&identity) {
            self.returned.insert(Arc::clone(identity));
        } else {
            tracing::error!(
                exchange = %identity.exchange,
                routing_key = %identity.routing_key,
                "a message was returned after its publish had been answered"
            );
        }
    }

    fn note_closure(&mut self, error: &lapin::Error) {
        if self.closure.is_none() {
            let exchanges = self.seats.keys().map(|identity| identity.exchange.as_str());
            self.closure = Closure::of(error, exchanges);
        }
    }

    fn failed(&self, identity: &Identity, error: &lapin::Error) -> SendError {
        match &self.closure {
            Some(closure) => closure.error_for(identity.exchange.as_str()),
            None => SendError::Unknown(format!("the connection was lost ({error})")),
        }
    }
}

/// Who is told of an answer.
struct Told<'f> {
    identity: &'f Identity,
    cargo: &'f Claim<Cargo>,
    gate: &'f Gate,
}

impl Told<'_> {
    /// Where nobody waits any more, and nobody was told that the outcome is unknown, what went wrong
    /// is said here: nobody else will.
    fn answer(self, caller: oneshot::Sender<Result<(), SendError>>, answer: Result<(), SendError>) {
        if let Err(Err(error)) = caller.send(answer)
            && self.cargo.is_deserted()
        {
            self.gate.note_unheard();
            tracing::warn!(
                publish = %self.identity,
                %error,
                "RabbitMQ did not take a message whose publish had been dropped"
            );
        }
    }
}

async fn publish(
    channel: Channel,
    identity: Arc<Identity>,
    properties: BasicProperties,
    body: Arc<[u8]>,
) -> Landed {
    if !channel.status().connected() {
        let end = End::Kept(properties, body);
        return Landed { identity, end };
    }
    let options = BasicPublishOptions {
        mandatory: true,
        immediate: false,
    };
    let confirmed = async {
        channel
            .basic_publish(
                identity.exchange.clone(),
                identity.routing_key.clone(),
                options,
                &body,
                properties,
            )
            .await?
            .await
    };
    let end = match confirmed.await {
        Ok(confirmation) => End::Confirmed(confirmation),
        Err(error) => End::Failed(error),
    };
    Landed { identity, end }
}

/// Notes that somebody was woken.
#[derive(Default)]
struct Stirred(AtomicBool);

impl Wake for Stirred {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::SeqCst);
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.store(true, Ordering::SeqCst);
    }
}
