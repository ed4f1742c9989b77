//! Retry policy to retry plan: the pauses, the buckets that keep them, the bucket for an attempt.
//!
//! A bucket is a queue whose messages expire after its pause and go back to the queue that they
//! came from. Each distinct pause has a bucket of its own, because a message with a short pause
//! never overtakes one with a long pause in the same queue.

mod choice;

use std::collections::BTreeMap;

use self::choice::choice;
use crate::millis::{MAX_MILLIS, Millis};
use crate::model::{Backoff, Retry, Schedule};
use crate::name::{NameError, QueueName};

/// The most retries that a policy can ask for.
pub const MAX_RETRIES: u32 = 100;
/// The most buckets that one queue can have.
pub const MAX_BUCKETS: usize = 32;
/// The most buckets that one contract can have.
pub const MAX_CONTRACT_BUCKETS: usize = 4096;
/// The widest jitter: half of the pause, to either side.
pub const MAX_JITTER: f64 = 0.5;

/// Why a policy has no plan.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// More than [`MAX_RETRIES`].
    #[error("{0} retries are asked for; at most 100 are possible")]
    TooManyRetries(u32),
    /// A pause of nothing, or one that RabbitMQ cannot count.
    #[error("a delay of {0} ms is not possible; delays are 1 ms to 4294967295 ms")]
    Delay(u64),
    /// The first pause is longer than the longest.
    #[error("the initial delay {initial} is longer than the longest delay {max}")]
    InitialAboveMax {
        /// The first pause.
        initial: Millis,
        /// The longest pause.
        max: Millis,
    },
    /// Pauses that would shrink, or are not a number.
    #[error("the multiplier {0} is below 1")]
    Multiplier(f64),
    /// Jitter out of range.
    #[error("the jitter {0} is outside 0.0 to 0.5")]
    Jitter(f64),
    /// A bucket that can hold nothing.
    #[error("a bucket of length 0 refuses every retry")]
    BucketLength,
    /// More distinct pauses than buckets can be had.
    #[error("the policy needs {0} buckets; at most 32 are possible for a queue")]
    TooManyBuckets(usize),
    /// The name of a bucket does not fit.
    #[error(
        "the name of the retry bucket for {delay} has {bytes} bytes; RabbitMQ takes at most 255"
    )]
    BucketName {
        /// The bucket's pause.
        delay: Millis,
        /// How long its name would be.
        bytes: usize,
    },
}

/// A queue that keeps messages for one pause.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bucket {
    /// Its name: `<queue>.retry.v1.<delay>ms`, and `.max<N>` where its length is bounded.
    pub name: QueueName,
    /// How long it keeps a message.
    pub delay: Millis,
    /// How many messages it may hold.
    pub max_length: Option<u32>,
}

/// What a policy comes to: for each retry the buckets that it may wait in.
///
/// ```
/// use contract_core::{Millis, QueueName};
/// use contract_core::model::{Backoff, Retry, Schedule};
/// use contract_core::retry::RetryPlan;
///
/// let delays = ["1s", "5s", "1s"].map(|delay| Millis::parse(delay).unwrap());
/// let retry = Retry::TtlBackoff(Backoff::new(Schedule::Delays(delays.to_vec())));
/// let plan = RetryPlan::new(&QueueName::literal("orders"), &retry).unwrap();
///
/// let buckets: Vec<_> = plan.buckets().iter().map(|bucket| bucket.name.as_str()).collect();
/// assert_eq!(buckets, ["orders.retry.v1.1000ms", "orders.retry.v1.5000ms"]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct RetryPlan {
    buckets: Vec<Bucket>,
    /// For each retry, the candidates among the buckets, never empty.
    steps: Vec<Vec<usize>>,
}

impl RetryPlan {
    /// The plan of a queue. Policies without pauses have one without buckets.
    pub fn new(queue: &QueueName, retry: &Retry) -> Result<Self, PlanError> {
        if retry.max_retries() > MAX_RETRIES {
            return Err(PlanError::TooManyRetries(retry.max_retries()));
        }
        let Retry::TtlBackoff(backoff) = retry else {
            return Ok(Self {
                buckets: Vec::new(),
                steps: Vec::new(),
            });
        };
        let candidates = candidates(backoff)?;
        let mut indices: BTreeMap<u64, usize> = candidates
            .iter()
            .flatten()
            .map(|delay| (*delay, 0))
            .collect();
        if indices.len() > MAX_BUCKETS {
            return Err(PlanError::TooManyBuckets(indices.len()));
        }
        let mut buckets = Vec::with_capacity(indices.len());
        for (delay, index) in &mut indices {
            *index = buckets.len();
            buckets.push(bucket(queue, Millis(*delay), backoff.bucket_max_length)?);
        }
        let steps = candidates
            .into_iter()
            .map(|step| step.into_iter().map(|delay| indices[&delay]).collect())
            .collect();
        Ok(Self { buckets, steps })
    }

    /// The buckets, the shortest pause first.
    #[must_use]
    pub fn buckets(&self) -> &[Bucket] {
        &self.buckets
    }

    /// The bucket in which a message waits for its `retry` (1 is the first), and none beyond the
    /// last. `identity` is what stays the same over all copies of the message: the 16 bytes of its
    /// event id, else of its `message_id`, else its body.
    #[must_use]
    pub fn bucket(&self, retry: u32, identity: &[u8]) -> Option<&Bucket> {
        let step = self
            .steps
            .get(usize::try_from(retry).ok()?.checked_sub(1)?)?;
        let candidate = choice(identity, retry) % step.len() as u64;
        self.buckets.get(step[usize::try_from(candidate).ok()?])
    }

    /// The pauses before each retry, the candidates of a jittered one in ascending order.
    pub fn delays(&self) -> impl Iterator<Item = Vec<Millis>> {
        self.steps.iter().map(|step| {
            let mut delays: Vec<Millis> = step
                .iter()
                .map(|bucket| self.buckets[*bucket].delay)
                .collect();
            delays.sort_unstable();
            delays
        })
    }
}

/// The candidates for the pause before each retry, in milliseconds.
fn candidates(backoff: &Backoff) -> Result<Vec<Vec<u64>>, PlanError> {
    if !(0.0..=MAX_JITTER).contains(&backoff.jitter) {
        return Err(PlanError::Jitter(backoff.jitter));
    }
    if backoff.bucket_max_length == Some(0) {
        return Err(PlanError::BucketLength);
    }
    let delays = nominal(&backoff.schedule)?;
    if let Some(delay) = delays
        .iter()
        .find(|delay| !(1..=MAX_MILLIS).contains(*delay))
    {
        return Err(PlanError::Delay(*delay));
    }
    let (least, most) = match &backoff.schedule {
        Schedule::Exponential { initial, max, .. } => (initial.0, max.0),
        Schedule::Delays(_) => (
            delays.iter().copied().min().unwrap_or(1),
            delays.iter().copied().max().unwrap_or(1),
        ),
    };
    Ok(delays
        .into_iter()
        .map(|delay| spread(delay, backoff.jitter, least, most))
        .collect())
}

/// The pauses before jitter. The power is a repeated product, so that every machine has the same.
fn nominal(schedule: &Schedule) -> Result<Vec<u64>, PlanError> {
    match schedule {
        Schedule::Delays(delays) => Ok(delays.iter().map(|delay| delay.0).collect()),
        Schedule::Exponential {
            max_retries,
            initial,
            max,
            multiplier,
        } => {
            if let Some(delay) = [initial.0, max.0]
                .into_iter()
                .find(|at| !(1..=MAX_MILLIS).contains(at))
            {
                return Err(PlanError::Delay(delay));
            }
            if initial > max {
                return Err(PlanError::InitialAboveMax {
                    initial: *initial,
                    max: *max,
                });
            }
            if multiplier.is_nan() || *multiplier < 1.0 {
                return Err(PlanError::Multiplier(*multiplier));
            }
            let pauses =
                std::iter::successors(Some(as_f64(initial.0)), |pause| Some(pause * multiplier));
            Ok(pauses
                .take(*max_retries as usize)
                .map(|pause| floor(pause.min(as_f64(max.0))))
                .collect())
        }
    }
}

fn spread(delay: u64, jitter: f64, least: u64, most: u64) -> Vec<u64> {
    let spread = floor((as_f64(delay) * jitter).round());
    let mut candidates = Vec::with_capacity(3);
    for candidate in [
        delay.saturating_sub(spread),
        delay,
        delay.saturating_add(spread),
    ] {
        let candidate = candidate.clamp(least, most);
        if !candidates.contains(&candidate) {
            candidates.push(candidate);
        }
    }
    candidates
}

/// Exact: durations stay below 2^32.
#[expect(clippy::cast_precision_loss)]
fn as_f64(millis: u64) -> f64 {
    millis as f64
}

/// Whole milliseconds, rounded down; saturating.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn floor(millis: f64) -> u64 {
    millis as u64
}

fn bucket(queue: &QueueName, delay: Millis, max_length: Option<u32>) -> Result<Bucket, PlanError> {
    // `v1` is the format of the arguments: another format gets another name, and never meets a
    // queue that exists with other arguments.
    let capacity = max_length
        .map(|most| format!(".max{most}"))
        .unwrap_or_default();
    let name = format!("{queue}.retry.v1.{}ms{capacity}", delay.0);
    match QueueName::new(name) {
        Ok(name) => Ok(Bucket {
            name,
            delay,
            max_length,
        }),
        Err(NameError::TooLong { bytes }) => Err(PlanError::BucketName { delay, bytes }),
        Err(NameError::Empty) => unreachable!("the name ends in `ms`"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const QUEUE: QueueName = QueueName::literal("q");

    fn exponential(max_retries: u32, initial: u64, max: u64, multiplier: f64) -> Backoff {
        Backoff::new(Schedule::Exponential {
            max_retries,
            initial: Millis(initial),
            max: Millis(max),
            multiplier,
        })
    }

    fn plan(backoff: Backoff) -> Result<RetryPlan, PlanError> {
        RetryPlan::new(&QUEUE, &Retry::TtlBackoff(backoff))
    }

    fn delays(plan: &RetryPlan) -> Vec<Vec<u64>> {
        plan.delays()
            .map(|step| step.into_iter().map(|delay| delay.0).collect())
            .collect()
    }

    #[test]
    fn pauses_double_up_to_the_longest() {
        let plan = plan(exponential(5, 1_000, 10_000, 2.0)).unwrap();
        assert_eq!(
            delays(&plan),
            [[1_000], [2_000], [4_000], [8_000], [10_000]]
        );
    }

    #[test]
    fn equal_pauses_share_a_bucket() {
        let plan = plan(exponential(100, 1_000, 60_000, 2.0)).unwrap();
        assert_eq!(plan.buckets().len(), 7);
        assert_eq!(plan.bucket(100, b"x").unwrap().delay, Millis(60_000));
        assert_eq!(plan.bucket(101, b"x"), None);
        assert_eq!(plan.bucket(0, b"x"), None);
    }

    #[test]
    fn jitter_has_three_candidates_and_two_at_the_ends() {
        let mut backoff = exponential(4, 1_000, 5_000, 2.0);
        backoff.jitter = 0.2;
        let plan = plan(backoff).unwrap();
        assert_eq!(
            delays(&plan),
            [
                vec![1_000, 1_200],
                vec![1_600, 2_000, 2_400],
                vec![3_200, 4_000, 4_800],
                vec![4_000, 5_000]
            ]
        );
    }

    #[test]
    fn a_capacity_is_part_of_the_name() {
        let mut backoff = exponential(1, 1_000, 60_000, 2.0);
        backoff.bucket_max_length = Some(50);
        assert_eq!(
            plan(backoff).unwrap().buckets()[0].name,
            "q.retry.v1.1000ms.max50"
        );
    }

    #[test]
    fn what_cannot_be_planned_is_refused() {
        let delays = |delays: &[u64]| {
            plan(Backoff::new(Schedule::Delays(
                delays.iter().map(|delay| Millis(*delay)).collect(),
            )))
        };
        assert_eq!(
            plan(exponential(101, 1, 1, 1.0)),
            Err(PlanError::TooManyRetries(101))
        );
        assert_eq!(plan(exponential(1, 0, 1, 1.0)), Err(PlanError::Delay(0)));
        assert_eq!(delays(&[1, 0]), Err(PlanError::Delay(0)));
        assert_eq!(delays(&[1 << 32]), Err(PlanError::Delay(1 << 32)));
        assert_eq!(
            plan(exponential(1, 2, 1, 1.0)),
            Err(PlanError::InitialAboveMax {
                initial: Millis(2),
                max: Millis(1)
            })
        );
        assert_eq!(
            plan(exponential(1, 1, 1, 0.5)),
            Err(PlanError::Multiplier(0.5))
        );
        assert!(matches!(
            plan(exponential(1, 1, 1, f64::NAN)),
            Err(PlanError::Multiplier(_))
        ));
        for jitter in [-0.1, 0.51, f64::NAN, f64::INFINITY] {
            let mut backoff = exponential(1, 1, 1, 1.0);
            backoff.jitter = jitter;
            assert!(matches!(plan(backoff), Err(PlanError::Jitter(_))));
        }
        assert_eq!(
            plan(exponential(32, 1, MAX_MILLIS, 2.0))
                .unwrap()
                .buckets()
                .len(),
            32
        );
        assert_eq!(
            delays(&(1..=33).collect::<Vec<_>>()),
            Err(PlanError::TooManyBuckets(33))
        );
        let long = QueueName::new("q".repeat(245)).unwrap();
        assert_eq!(
            RetryPlan::new(&long, &Retry::TtlBackoff(exponential(1, 1, 1, 1.0))),
            Err(PlanError::BucketName {
                delay: Millis(1),
                bytes: 258
            })
        );
    }

    proptest! {
        #[test]
        fn every_pause_lies_between_the_first_and_the_longest(
            retries in 0u32..=100,
            initial in 1u64..1_000_000,
            more in 0u64..1_000_000,
            multiplier in 1.0f64..10.0,
            jitter in 0.0f64..=0.5,
            identity in any::<[u8; 16]>(),
        ) {
            let mut backoff = exponential(retries, initial, initial + more, multiplier);
            backoff.jitter = jitter;
            match plan(backoff) {
                Ok(plan) => for retry in 1..=retries {
                    let bucket = plan.bucket(retry, &identity).expect("a bucket for each retry");
                    prop_assert!((initial..=initial + more).contains(&bucket.delay.0));
                    prop_assert_eq!(Some(bucket), plan.bucket(retry, &identity));
                },
                Err(error) => prop_assert!(matches!(error, PlanError::TooManyBuckets(33..))),
            }
        }
    }
}
