//! Whether a retry policy can be carried out.

use super::Subject;
use crate::finding::{Entity, Finding, Part, Rule};
use crate::model::{DeliveryLimit, Queue, QueueKind, Retry, Schedule};
use crate::retry::{MAX_CONTRACT_BUCKETS, PlanError, RetryPlan};

/// RabbitMQ's own limit since 4.0, where nothing is declared.
const BROKER_DELIVERY_LIMIT: u32 = 20;

/// `retry-range`: every policy has a plan, and the contract no more buckets than can be had.
pub(super) fn check_retry_range(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    let mut buckets = 0;
    for (index, queue) in subject.contract.queues.iter().enumerate() {
        let at = Entity::Queue(index).at(Part::Retry);
        match RetryPlan::new(&queue.name, &queue.retry) {
            Err(error) => {
                let at = Entity::Queue(index).at(culprit(&error, &queue.retry));
                let message = format!("queue `{}` cannot be retried so: {error}", queue.name);
                found.push(Finding::new(Rule::RetryRange, at, message, remedy(&error)));
            }
            Ok(plan) => {
                let before = buckets;
                buckets += plan.buckets().len();
                if before <= MAX_CONTRACT_BUCKETS && buckets > MAX_CONTRACT_BUCKETS {
                    found.push(Finding::new(
                        Rule::RetryRange,
                        at,
                        format!(
                            "the contract needs more than {MAX_CONTRACT_BUCKETS} retry buckets"
                        ),
                        "use fewer distinct delays, or split the contract",
                    ));
                }
            }
        }
    }
}

/// The option to blame, where it is one.
fn culprit(error: &PlanError, retry: &Retry) -> Part {
    let schedule = match retry {
        Retry::TtlBackoff(backoff) => Some(&backoff.schedule),
        Retry::None | Retry::ImmediateRequeue { .. } => None,
    };
    let option = match (error, schedule) {
        (PlanError::TooManyRetries(_) | PlanError::Delay(_), Some(Schedule::Delays(_))) => "delays",
        (PlanError::TooManyRetries(_), _) => "max_retries",
        (PlanError::Delay(delay), Some(Schedule::Exponential { initial, .. }))
            if initial.0 == *delay =>
        {
            "initial_delay"
        }
        (PlanError::Delay(_) | PlanError::InitialAboveMax { .. }, _) => "max_delay",
        (PlanError::Multiplier(_), _) => "multiplier",
        (PlanError::Jitter(_), _) => "jitter",
        (PlanError::BucketLength, _) => "bucket_max_length",
        (PlanError::TooManyBuckets(_) | PlanError::BucketName { .. }, _) => return Part::Retry,
    };
    Part::RetryOption(option)
}

fn remedy(error: &PlanError) -> &'static str {
    match error {
        PlanError::TooManyRetries(_) => "set `max_retries` to 100 or less",
        PlanError::Delay(_) => "write a delay of at least \"1ms\"",
        PlanError::InitialAboveMax { .. } => "raise `max_delay`, or lower `initial_delay`",
        PlanError::Multiplier(_) => {
            "write `multiplier = 1` for equal delays, more for growing ones"
        }
        PlanError::Jitter(_) => "write a jitter of at most 0.5",
        PlanError::BucketLength => "write `bucket_max_length = 1` or more, or leave it out",
        PlanError::TooManyBuckets(_) => {
            "use fewer distinct delays: a lower `max_delay`, or no jitter"
        }
        PlanError::BucketName { .. } => "shorten the queue's name",
    }
}

/// `delivery-limit-below-retries`: under immediate requeue the broker must not give up before we do,
/// or the dead letter would not say why.
pub(super) fn check_delivery_limits(subject: &Subject<'_>, found: &mut Vec<Finding>) {
    for (index, queue) in subject.contract.queues.iter().enumerate() {
        let Retry::ImmediateRequeue { max_retries } = queue.retry else {
            continue;
        };
        let Some(limit) = limit(queue) else { continue };
        if limit <= max_retries {
            let least = max_retries.saturating_add(1);
            found.push(
                Finding::new(
                    Rule::DeliveryLimitBelowRetries,
                    Entity::Queue(index).at(Part::Option("delivery_limit")),
                    format!(
                        "the broker gives up messages of queue `{}` before their {max_retries} retries are spent",
                        queue.name
                    ),
                    format!("leave `delivery_limit` out, or set it to {least} or more"),
                )
                .with_facts([format!("the delivery limit is {limit}")]),
            );
        }
    }
}

/// The delivery limit that stands in the way of retries, as far as the contract can know.
fn limit(queue: &Queue) -> Option<u32> {
    match (queue.kind, queue.delivery_limit) {
        (QueueKind::Classic, _) => None,
        (_, DeliveryLimit::Count(limit)) => Some(limit),
        (_, DeliveryLimit::Broker) => Some(BROKER_DELIVERY_LIMIT),
        (_, DeliveryLimit::Default) => queue.external.then_some(BROKER_DELIVERY_LIMIT),
    }
}
