//! The order service: a handler and the payment gateway that it needs.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use contract_runtime::prelude::*;
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::Instant;

use crate::contract::orders::{OrderCreated, OrderHandlers};
use crate::story::Happening;

/// What a payment gateway says to a charge.
pub(crate) type Answer = Result<(), ChargeError>;

/// Why a card was not charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ChargeError {
    #[error("the card was declined")]
    Declined,
    #[error("the payment gateway is down")]
    Unavailable,
}

/// A payment gateway that answers by a script, one answer for each call about an order. Of orders
/// that it knows nothing about (an earlier program's) it charges every one.
#[derive(Debug, Default)]
pub(crate) struct Gateway {
    script: Mutex<HashMap<Uuid, VecDeque<Answer>>>,
}

impl Gateway {
    pub(crate) fn new(script: impl Iterator<Item = (Uuid, &'static [Answer])>) -> Self {
        let script =
            script.map(|(order_id, answers)| (order_id, answers.iter().copied().collect()));
        Self {
            script: Mutex::new(script.collect()),
        }
    }

    #[expect(clippy::unused_async, reason = "a real one is asked over the network")]
    async fn charge(&self, order: &OrderCreated) -> Answer {
        let mut script = self.script.lock().unwrap_or_else(PoisonError::into_inner);
        let answers = script.entry(order.order_id).or_default();
        answers.pop_front().unwrap_or(Ok(()))
    }
}

/// One run of the handler.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) event_id: Option<Uuid>,
    pub(crate) attempt: u32,
    pub(crate) began: Instant,
    pub(crate) ended: Instant,
    pub(crate) answer: Answer,
}

/// The service.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) gateway: Gateway,
    /// Whoever shows what the service does, and checks it.
    pub(crate) tell: UnboundedSender<Happening>,
}

impl OrderHandlers for App {
    async fn process_order(&self, order: OrderCreated, delivery: &Delivery) -> HandlerResult {
        let began = Instant::now();
        let answer = self.gateway.charge(&order).await;
        let run = Run {
            event_id: delivery.event_id(),
            attempt: delivery.attempt(),
            began,
            ended: Instant::now(),
            answer,
        };
        // Nobody looks any more once the story is over.
        let _ = self.tell.send(Happening::Ran(run));
        // The service's whole say in what happens next: could another try succeed?
        answer.map_err(|e| match e {
            ChargeError::Declined => HandlerError::permanent(e),
            ChargeError::Unavailable => HandlerError::retryable(e),
        })
    }
}
