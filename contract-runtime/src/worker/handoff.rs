//! Handing a message on: publish a copy, wait for the confirm, only then is the original done with.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use contract_core::settle::Action;
use lapin::BasicProperties;
use tokio::time::{Instant, sleep, timeout_at};

use super::attempt::Attempt;
use super::gate::Gate;
use super::settlement::Settlement;
use super::subscription::Subscription;
use crate::collector::{Admission, Collector, Outgoing, SendError, encoded_size};
use crate::delivery::Received;
use crate::link::Link;
use crate::wire::copy::{self, Failure, Place, Purpose};

const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Hands the messages of one consumer on.
#[derive(Clone)]
pub(crate) struct Handoffs {
    collector: Collector,
    gate: Gate,
    budget: Duration,
}

/// Why a copy was not handed on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HandoffError {
    /// The last try's failure, after the budget was spent.
    #[error("{0}")]
    Spent(SendError),
    /// The original's channel went: the broker hands it out again by itself.
    #[error("the channel of the original is gone")]
    OriginalGone,
}

impl Handoffs {
    /// On the publishing link: an alarm blocks that one, and must not block acks. With a channel of
    /// its own: its troubles are nobody else's.
    pub(crate) fn open(publishing: &Link, gate: Gate, budget: Duration) -> Self {
        // What came from the broker may go back to it, however large it is.
        let admission = Admission {
            body: usize::MAX,
            ..Admission::default()
        };
        Self {
            collector: Collector::open(publishing.clone(), admission),
            gate,
            budget,
        }
    }

    /// Whether properties can travel in one frame, with room to die in.
    pub(crate) fn fit(&self, properties: &BasicProperties) -> bool {
        encoded_size(properties) <= self.collector.header_limit()
    }

    /// Repeats the same copy, with growing pauses, until it is confirmed or the budget is spent; one
    /// that is not answered is not repeated, for it may have been taken. While a handoff is in
    /// trouble, the consumer takes no more.
    pub(crate) async fn hand_on(
        &self,
        outgoing: Outgoing,
        original: &Settlement,
    ) -> Result<(), HandoffError> {
        tokio::select! {
            biased;
            handed_on = self.repeat(outgoing, original) => handed_on,
            // What has not been sent yet is taken back: the original will be handled again.
            () = original.impossible() => Err(HandoffError::OriginalGone),
        }
    }

    async fn repeat(&self, outgoing: Outgoing, original: &Settlement) -> Result<(), HandoffError> {
        let start = Instant::now();
        let end = start + self.budget;
        let patience = start + self.budget / 3;
        let mut trouble = None;
        let mut pause = FIRST_PAUSE;
        loop {
            let mut answer = pin!(self.collector.send(outgoing.clone(), end));
            let answered = match timeout_at(patience, &mut answer).await {
                Ok(answered) => answered,
                Err(_) => {
                    trouble.get_or_insert_with(|| self.gate.shut());
                    answer.await
                }
            };
            let error = match answered {
                Ok(()) => return Ok(()),
                Err(error) => error,
            };
            if !original.is_possible() {
                return Err(HandoffError::OriginalGone);
            }
            if Instant::now() + pause >= end {
                return Err(HandoffError::Spent(error));
            }
            tracing::warn!(
                exchange = outgoing.exchange,
                routing_key = outgoing.routing_key,
                %error,
                "a message could not be handed on; trying again",
            );
            trouble.get_or_insert_with(|| self.gate.shut());
            sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }
}

impl Subscription {
    /// The copy that an action asks for; none where the message's own headers leave no room for it.
    pub(crate) fn copy(
        &self,
        action: Action,
        received: &Received,
        attempt: &Attempt<'_>,
        failure: &Failure,
        fits: impl Fn(&BasicProperties) -> bool,
    ) -> Option<Outgoing> {
        let (original_exchange, original_key) = copy::original_route(
            &received.properties,
            &received.exchange,
            &received.routing_key,
        );
        let (exchange, routing_key, purpose) = match action {
            Action::Park { retry } => {
                let bucket = self.plan.bucket(retry, &received.identity())?;
                (
                    String::new(),
                    bucket.name.to_string(),
                    Purpose::Retry(retry),
                )
            }
            Action::Republish { retry } => {
                (String::new(), self.queue.to_string(), Purpose::Retry(retry))
            }
            Action::DeadLetter => {
                let target = self.dead_letter.as_ref()?;
                let key = target
                    .key
                    .as_ref()
                    .map_or_else(|| original_key.to_owned(), ToString::to_string);
                let purpose = Purpose::DeadLetter {
                    attempts: attempt.retries.saturating_add(1),
                };
                (target.exchange.to_string(), key, purpose)
            }
            Action::Ack | Action::Requeue | Action::Reject | Action::Drop | Action::Keep => {
                return None;
            }
        };
        let place = Place {
            queue: self.queue.as_str(),
            handler: attempt.handler,
            exchange: original_exchange,
            routing_key: original_key,
        };
        let properties = copy::properties(&received.properties, place, failure, purpose, fits)?;
        Some(Outgoing {
            exchange,
            routing_key,
            properties,
            body: Arc::clone(&received.body),
            lossy: false,
        })
    }
}
