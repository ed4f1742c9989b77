//! The consumer of one queue: a channel of its own, rebuilt as often as it is lost.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use lapin::options::{BasicConsumeOptions, BasicQosOptions};
use lapin::types::{AMQPValue, FieldTable, ShortString};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};

use super::Topologies;
use super::acks::Acks;
use super::desk::Desk;
use super::gate::Gate;
use super::handoff::Handoffs;
use super::report::{Count, Counters};
use super::settlement::Settlement;
use super::subscription::Subscription;
use crate::connection::Connection;
use crate::delivery::Received;

/// How long each step of setting a consumer up or taking it down may take.
const STEP: Duration = Duration::from_secs(10);
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// Whether a queue is being consumed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConsumerState {
    /// For the first time on its way.
    Starting,
    /// The broker has a consumer for the queue.
    Consuming,
    /// It lost its channel, for this reason, and is on its way back.
    Returning(String),
    /// It was shut down.
    Stopped,
}

/// The consumer of one queue.
pub(crate) struct Consumer {
    pub(crate) connection: Connection,
    pub(crate) topologies: Arc<Topologies>,
    pub(crate) counters: Arc<Counters>,
    pub(crate) state: watch::Sender<ConsumerState>,
    /// None while the worker runs; then the end of the shutdown's time.
    pub(crate) stop: watch::Receiver<Option<Instant>>,
    desk: Arc<Desk>,
    slots: Arc<Semaphore>,
}

/// A consumer's channel, with what came over it and was not started.
struct Session {
    acks: Arc<Acks>,
    stream: lapin::Consumer,
    waiting: VecDeque<(Received, Settlement)>,
}

impl Consumer {
    pub(crate) fn new(
        connection: Connection,
        topologies: Arc<Topologies>,
        subscription: Subscription,
        handoff_budget: Duration,
        counters: Arc<Counters>,
        state: watch::Sender<ConsumerState>,
        stop: watch::Receiver<Option<Instant>>,
    ) -> Self {
        let gate = Gate::new();
        let handoffs = Handoffs::open(connection.publishing(), gate.clone(), handoff_budget);
        let slots = Arc::new(Semaphore::new(usize::from(
            subscription.options.concurrency,
        )));
        let desk = Desk {
            subscription,
            handoffs,
            gate,
        };
        Self {
            connection,
            topologies,
            counters,
            state,
            stop,
            desk: Arc::new(desk),
            slots,
        }
    }

    /// Consumes until told to stop, then drains. Never returns for another reason.
    pub(crate) async fn run(self) {
        let mut running = JoinSet::new();
        let mut pause = FIRST_PAUSE;
        let mut first = true;
        while let ControlFlow::Continue(()) = self.pause_if_lost(&mut pause).await {
            let opened = tokio::select! {
                biased;
                _ = stopped(&self.stop) => break,
                opened = self.open(!first) => opened,
            };
            first = false;
            let mut session = match opened {
                Ok(session) => session,
                Err(reason) => {
                    self.lose(reason);
                    continue;
                }
            };
            pause = FIRST_PAUSE;
            self.state.send_replace(ConsumerState::Consuming);
            match self.consume(&mut session, &mut running).await {
                ControlFlow::Break(()) => {
                    self.drain(session, &mut running).await;
                    break;
                }
                ControlFlow::Continue(reason) => {
                    session.close().await;
                    self.lose(reason);
                }
            }
        }
        self.finish(&mut running).await;
        self.state.send_replace(ConsumerState::Stopped);
    }

    fn queue(&self) -> &str {
        self.desk.subscription.queue.as_str()
    }

    fn lose(&self, reason: String) {
        tracing::warn!(
            queue = self.queue(),
            reason,
            "the consumer was lost; it is on its way back"
        );
        self.state.send_replace(ConsumerState::Returning(reason));
    }

    /// After a loss waits before the next try, longer each time.
    async fn pause_if_lost(&self, pause: &mut Duration) -> ControlFlow<()> {
        if !matches!(*self.state.borrow(), ConsumerState::Returning(_)) {
            return ControlFlow::Continue(());
        }
        tokio::select! {
            _ = stopped(&self.stop) => ControlFlow::Break(()),
            () = tokio::time::sleep(*pause) => {
                *pause = (*pause * 2).min(LONGEST_PAUSE);
                ControlFlow::Continue(())
            }
        }
    }

    /// A channel with its prefetch and its consumer, in this order; the topology first, where it may
    /// have gone.
    async fn open(&self, declare: bool) -> Result<Session, String> {
        let live = self
            .connection
            .consuming()
            .live()
            .await
            .map_err(|closed| closed.to_string())?;
        if declare {
            self.topologies
                .declare(&self.connection)
                .await
                .map_err(|error| error.to_string())?;
        }
        let channel = live
            .open_channel()
            .await
            .map_err(|error| error.to_string())?;
        let options = &self.desk.subscription.options;
        step(
            "setting the prefetch",
            channel.basic_qos(options.prefetch, BasicQosOptions::default()),
        )
        .await?;
        let mut arguments = FieldTable::default();
        if let Some(priority) = options.priority {
            arguments.insert(
                ShortString::from("x-priority"),
                AMQPValue::LongInt(priority),
            );
        }
        let consume = channel.basic_consume(
            ShortString::from(self.queue()),
            // The broker names it: a name of ours could be taken.
            ShortString::from(""),
            BasicConsumeOptions {
                exclusive: options.exclusive,
                ..BasicConsumeOptions::default()
            },
            arguments,
        );
        let stream = step("consuming", consume).await?;
        Ok(Session {
            acks: Acks::open(channel, self.queue(), Arc::clone(&self.counters)),
            stream,
            waiting: VecDeque::new(),
        })
    }

    /// Takes deliveries and starts handlers until told to stop (`Break`) or the channel is lost.
    async fn consume(
        &self,
        session: &mut Session,
        running: &mut JoinSet<()>,
    ) -> ControlFlow<(), String> {
        loop {
            let may_start = !session.waiting.is_empty();
            tokio::select! {
                biased;
                _ = stopped(&self.stop) => return ControlFlow::Break(()),
                // What the prefetch lets through is taken at once, so that a loss is seen at once.
                next = session.stream.next() => match next {
                    Some(Ok(delivery)) => session.take(delivery),
                    Some(Err(error)) => return ControlFlow::Continue(error.to_string()),
                    None => return ControlFlow::Continue("the broker cancelled the consumer".to_owned()),
                },
                slot = self.slot(), if may_start => {
                    let Some((received, settlement)) = session.waiting.pop_front() else { continue };
                    let desk = Arc::clone(&self.desk);
                    running.spawn(async move {
                        desk.handle(received, settlement).await;
                        drop(slot);
                    });
                }
                Some(_) = running.join_next() => {}
            }
        }
    }

    /// A free place for a handler, once nothing stands in the way of taking more.
    async fn slot(&self) -> Option<tokio::sync::OwnedSemaphorePermit> {
        self.desk.gate.opened().await;
        // The semaphore is never closed.
        Arc::clone(&self.slots).acquire_owned().await.ok()
    }

    /// Stops taking, gives back what was not started, waits for what was, closes the channel.
    async fn drain(&self, mut session: Session, running: &mut JoinSet<()>) {
        let end = stopped(&self.stop).await;
        let cancel = session.acks.channel.basic_cancel(
            session.stream.tag(),
            lapin::options::BasicCancelOptions::default(),
        );
        if timeout_at(end.min(Instant::now() + STEP), cancel)
            .await
            .is_ok()
        {
            // What was on its way before the broker heard of it.
            while let Ok(Some(Ok(delivery))) = timeout_at(end, session.stream.next()).await {
                session.take(delivery);
            }
        }
        for (_, settlement) in session.waiting.drain(..) {
            settlement.give_back(Count::given_back).await;
        }
        wait_for(running, end).await;
        session.close().await;
    }

    /// Waits for handlers of earlier channels too, and gives up what is left.
    async fn finish(&self, running: &mut JoinSet<()>) {
        let end = stopped(&self.stop).await;
        wait_for(running, end).await;
        for _ in 0..running.len() {
            self.counters.add(Count::abandoned);
        }
        running.shutdown().await;
    }
}

impl Session {
    fn take(&mut self, delivery: lapin::message::Delivery) {
        let settlement = Settlement::new(&self.acks, delivery.delivery_tag);
        let received = Received {
            exchange: delivery.exchange.to_string(),
            routing_key: delivery.routing_key.to_string(),
            redelivered: delivery.redelivered,
            properties: delivery.properties,
            body: delivery.data.into(),
        };
        self.waiting.push_back((received, settlement));
    }

    /// Writes what is finished, then closes the channel.
    ///
    /// After the broker cancelled a consumer the channel goes too: from 4.3 on a late settlement on
    /// it would wake the cancelled consumer.
    async fn close(self) {
        self.acks.end();
        self.acks.flushed().await;
        let _ = step(
            "closing the channel",
            self.acks.channel.close(200, ShortString::from("done")),
        )
        .await;
    }
}

/// When the worker has been told to stop: the end of its time. At once if the worker is gone.
async fn stopped(stop: &watch::Receiver<Option<Instant>>) -> Instant {
    match stop.clone().wait_for(Option::is_some).await {
        Ok(end) => end.unwrap_or_else(Instant::now),
        Err(_) => Instant::now(),
    }
}

async fn wait_for(running: &mut JoinSet<()>, end: Instant) {
    while let Ok(Some(_)) = timeout_at(end, running.join_next()).await {}
}

async fn step<T>(what: &str, step: impl Future<Output = lapin::Result<T>>) -> Result<T, String> {
    match tokio::time::timeout(STEP, step).await {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err(format!("{what} took longer than {} s", STEP.as_secs())),
    }
}
