//! From a delivery to its settlement: handled, decided, done.

use std::time::Duration;

use contract_core::settle::{Action, Outcome, settle, without_copy};

use super::attempt::Attempt;
use super::gate::Gate;
use super::handoff::Handoffs;
use super::report::Count;
use super::settlement::Settlement;
use super::subscription::Subscription;
use crate::collector::Outgoing;
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
}

/// A delivery that failed, while it is being settled.
#[derive(Clone, Copy)]
struct Failed<'a> {
    received: &'a Received,
    attempt: &'a Attempt<'a>,
    failure: &'a Failure,
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
        match &attempt.result {
            Ok(()) => settlement.ack(Count::handled),
            Err(failure) => {
                let failed = Failed {
                    received: &received,
                    attempt: &attempt,
                    failure,
                };
                self.settle_failed(action, failed, settlement).await;
            }
        }
    }

    async fn settle_failed(&self, action: Action, failed: Failed<'_>, settlement: Settlement) {
        let queue = self.subscription.queue.as_str();
        let message_id = read::short(failed.received.properties.message_id());
        let error = failed.failure.error.as_str();
        log_failure(
            queue,
            message_id,
            failed.attempt.handler,
            failed.failure,
            action,
        );
        match action {
            Action::Ack => settlement.ack(Count::handled),
            Action::Requeue => settlement.requeue(Count::retried).await,
            Action::Park { .. } | Action::Republish { .. } | Action::DeadLetter => {
                match self.copy(action, failed) {
                    Some(copy) => self.hand_on(action, copy, failed, settlement).await,
                    None => {
                        let action = without_copy(self.subscription.policy);
                        Box::pin(self.settle_failed(action, failed, settlement)).await;
                    }
                }
            }
            Action::Reject => settlement.reject(Count::rejected).await,
            Action::Drop => settlement.ack(Count::dropped),
            Action::Keep => {
                tracing::error!(
                    queue,
                    message_id,
                    error,
                    "a message stays: it has nowhere to go"
                );
                let _trouble = self.gate.shut();
                settlement.give_back(Count::kept).await;
                tokio::time::sleep(KEEP_PAUSE).await;
            }
        }
    }

    fn copy(&self, action: Action, failed: Failed<'_>) -> Option<Outgoing> {
        let fits = |properties: &_| self.handoffs.fit(properties);
        self.subscription.copy(
            action,
            failed.received,
            failed.attempt,
            failed.failure,
            fits,
        )
    }

    /// The original is acknowledged only when the broker has confirmed its copy.
    async fn hand_on(
        &self,
        action: Action,
        copy: Outgoing,
        failed: Failed<'_>,
        settlement: Settlement,
    ) {
        match self.handoffs.hand_on(copy, &settlement).await {
            Ok(()) if action == Action::DeadLetter => settlement.ack(Count::dead_lettered),
            Ok(()) => settlement.ack(Count::retried),
            Err(error) => {
                tracing::error!(
                    queue = self.subscription.queue.as_str(),
                    message_id = read::short(failed.received.properties.message_id()),
                    handoff_error = %error,
                    error = failed.failure.error,
                    "a message could not be handed on; it goes back to its queue",
                );
                settlement.give_back(Count::not_handed_on).await;
            }
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
    match action {
        Action::Ack | Action::Requeue | Action::Park { .. } | Action::Republish { .. } => {
            tracing::info!(
                queue,
                message_id,
                handler,
                kind,
                error,
                "a message will be tried again"
            );
        }
        Action::DeadLetter | Action::Keep => {
            tracing::warn!(
                queue,
                message_id,
                handler,
                kind,
                error,
                "a message is given up"
            );
        }
        Action::Reject => {
            tracing::error!(
                queue,
                message_id,
                handler,
                kind,
                error,
                "a message is dead-lettered without this reason: its own headers leave no room for it"
            );
        }
        Action::Drop => {
            tracing::warn!(
                queue,
                message_id,
                handler,
                kind,
                error,
                "a message is lost, as `lossy(poison)` says"
            );
        }
    }
}
