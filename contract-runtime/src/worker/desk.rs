//! From a delivery to its settlement: handled, decided, done.

use std::sync::Arc;
use std::time::Duration;

use contract_core::settle::{Action, Outcome, settle};

use super::gate::Gate;
use super::handoff::{HandoffError, Handoffs};
use super::report::{Count, Counters};
use super::settlement::Settlement;
use super::subscription::Subscription;
use crate::delivery::Received;
use crate::wire::copy::Failure;
use crate::wire::read;

/// How long a consumer rests that has put a message back which it cannot pass on.
const KEEP_PAUSE: Duration = Duration::from_secs(5);

/// What a delivery needs to be handled and settled: all that outlives a channel.
pub(crate) struct Desk {
    pub(crate) subscription: Subscription,
    pub(crate) handoffs: Handoffs,
    pub(crate) gate: Gate,
    pub(crate) counters: Arc<Counters>,
}

impl Desk {
    /// Handles a delivery and does with it what the core decides.
    pub(crate) async fn handle(&self, received: Received, settlement: Settlement) {
        let attempt = self.subscription.attempt(&received).await;
        let outcome = match &attempt.result {
            Ok(()) => Outcome::Handled,
            Err(failure) => Outcome::Failed(failure.kind),
        };
        let action = settle(outcome, self.subscription.policy, attempt.retries);
        let queue = self.subscription.queue.as_str();
        let message_id = read::short(received.properties.message_id());
        let (settled, count) = match (action, &attempt.result) {
            (Action::Requeue, _) => (settlement.requeue().await, Count::retried),
            (Action::Park { .. } | Action::Republish { .. } | Action::DeadLetter, Err(failure)) => {
                let fits = |properties: &_| self.handoffs.fit(properties);
                let copy = self
                    .subscription
                    .copy(action, &received, &attempt, failure, fits);
                log_failure(queue, message_id, attempt.handler, failure, action);
                match self.handoffs.hand_on(copy, &settlement).await {
                    Ok(()) if action == Action::DeadLetter => {
                        (settlement.ack().await, Count::dead_lettered)
                    }
                    Ok(()) => (settlement.ack().await, Count::retried),
                    Err(error) => {
                        log_handoff_failure(queue, message_id, failure, &error);
                        (settlement.give_back().await, Count::not_handed_on)
                    }
                }
            }
            (Action::Drop, Err(failure)) => {
                tracing::warn!(
                    queue,
                    message_id,
                    error = failure.error,
                    "a message is lost, as `lossy(poison)` says"
                );
                (settlement.ack().await, Count::dropped)
            }
            (Action::Keep, Err(failure)) => {
                tracing::error!(
                    queue,
                    message_id,
                    error = failure.error,
                    "a message stays: it has nowhere to go"
                );
                let _trouble = self.gate.shut();
                let settled = settlement.give_back().await;
                tokio::time::sleep(KEEP_PAUSE).await;
                (settled, Count::kept)
            }
            (_, _) => (settlement.ack().await, Count::handled),
        };
        if settled.is_ok() {
            self.counters.add(count);
        } else {
            tracing::warn!(
                queue,
                message_id,
                "a settlement was lost; the message will come again"
            );
            self.counters.add(Count::settlements_lost);
        }
    }
}

fn log_failure(
    queue: &str,
    message_id: Option<&str>,
    handler: Option<&str>,
    failure: &Failure,
    action: Action,
) {
    let (kind, error) = (failure.kind.as_str(), failure.error.as_str());
    if action == Action::DeadLetter {
        tracing::warn!(
            queue,
            message_id,
            handler,
            kind,
            error,
            "a message is dead-lettered"
        );
    } else {
        tracing::info!(
            queue,
            message_id,
            handler,
            kind,
            error,
            "a message will be tried again"
        );
    }
}

fn log_handoff_failure(
    queue: &str,
    message_id: Option<&str>,
    failure: &Failure,
    error: &HandoffError,
) {
    tracing::error!(
        queue,
        message_id,
        handoff_error = %error,
        error = failure.error,
        "a message could not be handed on; it goes back to its queue",
    );
}
