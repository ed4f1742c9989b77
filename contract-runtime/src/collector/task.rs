//! The task that owns a collector's channel: one channel after the other, while anybody publishes.

use std::collections::VecDeque;
use std::time::Duration;

use lapin::Channel;
use lapin::options::ConfirmSelectOptions;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::admission::Admission;
use super::flight::Flight;
use super::gate::Gate;
use super::{GRACE, Job, SendError};
use crate::link::{Link, LinkState, Live};

/// A pause after a channel could not be opened on a connection that is there.
const PAUSE: Duration = Duration::from_millis(200);

pub(super) struct Task {
    link: Link,
    limits: Admission,
    gate: Gate,
    state: watch::Receiver<LinkState>,
    jobs: mpsc::UnboundedReceiver<Job>,
    /// In the order in which they are to be sent.
    waiting: VecDeque<Job>,
    /// How many may wait before those that were taken back are looked for.
    prune_at: usize,
    /// Whether nobody can publish any more.
    deserted: bool,
}

/// The least of [`Task::prune_at`].
const MANY: usize = 1024;

impl Task {
    pub(super) fn new(
        link: Link,
        limits: Admission,
        gate: Gate,
        jobs: mpsc::UnboundedReceiver<Job>,
    ) -> Self {
        Self {
            state: link.state(),
            link,
            limits,
            gate,
            jobs,
            waiting: VecDeque::new(),
            prune_at: MANY,
            deserted: false,
        }
    }

    pub(super) async fn run(mut self) {
        loop {
            if self.waiting.is_empty() {
                match self.jobs.recv().await {
                    Some(job) => self.waiting.push_back(job),
                    None => return,
                }
            }
            match self.open_channel().await {
                Some((live, channel)) => {
                    let flight = Flight::new(channel, self.limits, self.gate.clone());
                    self.fly(&live, flight).await;
                }
                None => self.refuse(),
            }
            if self.deserted && self.waiting.is_empty() {
                return;
            }
        }
    }

    /// Nothing that waits will be sent.
    fn refuse(&mut self) {
        self.take_in();
        for job in self.waiting.drain(..) {
            if job.cargo.take().is_some() {
                let _ = job.answer.send(Err(SendError::Closed));
            }
        }
    }

    /// Takes in all that has come. What its caller has taken back is dropped now and then: while the
    /// broker is away, nothing else would.
    fn take_in(&mut self) {
        while let Ok(job) = self.jobs.try_recv() {
            self.waiting.push_back(job);
        }
        if self.waiting.len() > self.prune_at {
            self.waiting.retain(|job| !job.cargo.is_taken());
            self.prune_at = MANY.max(2 * self.waiting.len());
        }
    }

    /// A confirm channel on the connection of now, waiting for one that takes messages; none when
    /// there will be none, or nobody waits for it.
    async fn open_channel(&mut self) -> Option<(Live, Channel)> {
        loop {
            let live = self.takes_messages().await?;
            match confirm_channel(&live, self.link.settings().channel_timeout).await {
                Ok(channel) => return Some((live, channel)),
                Err(reason) => {
                    // The link may not have noticed yet that it is lost.
                    if live.connection().status().connected() {
                        tracing::warn!(reason, "no channel to publish on");
                    }
                    sleep(PAUSE).await;
                }
            }
        }
    }

    /// Waits for a connection that is not blocked, taking in what comes meanwhile; none when the link
    /// is closed, or when nobody waits any more.
    async fn takes_messages(&mut self) -> Option<Live> {
        loop {
            // Every caller holds a collector: what still stands here has been taken back.
            if self.deserted {
                return None;
            }
            match &*self.state.borrow_and_update() {
                LinkState::Open(live) => return Some(live.clone()),
                LinkState::Closed => return None,
                LinkState::Connecting | LinkState::Blocked(..) => {}
            }
            tokio::select! {
                changed = self.state.changed() => changed.ok()?,
                job = self.jobs.recv() => self.note(job),
            }
            self.take_in();
        }
    }

    fn note(&mut self, job: Option<Job>) {
        match job {
            Some(job) => self.waiting.push_back(job),
            None => self.deserted = true,
        }
    }

    /// Sends and answers on one channel, until it is over or nobody publishes any more.
    async fn fly(&mut self, live: &Live, mut flight: Flight) {
        let mut give_up = None;
        loop {
            self.take_in();
            let carried = self.link.carries(live.generation());
            let status = live.connection().status();
            if carried && status.connected() && flight.is_open() {
                if !status.blocked() {
                    flight.board(&mut self.waiting);
                }
            } else if flight.is_empty() {
                return;
            } else if !carried && give_up.is_none() {
                give_up = Some(Instant::now() + GRACE);
            }
            if self.deserted && self.waiting.is_empty() && flight.is_empty() {
                return;
            }
            tokio::select! {
                biased;
                () = flight.land() => {
                    for job in flight.answer().into_iter().rev() {
                        self.waiting.push_front(job);
                    }
                }
                job = self.jobs.recv(), if !self.deserted => self.note(job),
                changed = self.state.changed(), if give_up.is_none() => {
                    if changed.is_err() {
                        give_up = Some(Instant::now());
                    }
                }
                () = sleep_until(give_up.unwrap_or_else(Instant::now)), if give_up.is_some() => {
                    let held = flight.abandon("the connection was lost");
                    for job in held.into_iter().rev() {
                        self.waiting.push_front(job);
                    }
                    return;
                }
            }
        }
    }
}

async fn confirm_channel(live: &Live, most: Duration) -> Result<Channel, String> {
    let channel = live
        .open_channel()
        .await
        .map_err(|error| error.to_string())?;
    let confirm = channel.confirm_select(ConfirmSelectOptions::default());
    match timeout(most, confirm).await {
        Ok(Ok(())) => Ok(channel),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err(format!("the broker did not answer within {most:?}")),
    }
}
