//! How the consumer of a queue runs: the options of all its handlers, with defaults.

use crate::millis::Millis;
use crate::model::Consume;

/// How many handlers of a queue run at once, unless the contract says otherwise.
pub const DEFAULT_CONCURRENCY: u16 = 16;
/// How many deliveries the broker sends ahead for each concurrent handler.
pub const PREFETCH_PER_HANDLER: u16 = 4;
/// How long one run of a handler may take, unless the contract says otherwise.
pub const DEFAULT_TIMEOUT: Millis = Millis(30_000);

/// The options of a queue's consumer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConsumerOptions {
    /// How many handlers run at once, at least 1.
    pub concurrency: u16,
    /// How many unsettled deliveries the broker may have sent, at least `concurrency`.
    pub prefetch: u16,
    /// How long one run may take.
    pub timeout: Millis,
    /// The consumer's priority on the broker.
    pub priority: Option<i32>,
    /// Whether it refuses to share the queue.
    pub exclusive: bool,
}

impl ConsumerOptions {
    /// The options of the handlers of one queue: each stands on one of them.
    ///
    /// ```
    /// use contract_core::QueueName;
    /// use contract_core::consumer::ConsumerOptions;
    /// use contract_core::model::{Consume, Takes};
    ///
    /// let mut consume = Consume::new("process", QueueName::literal("orders"), Takes::Raw);
    /// assert_eq!(ConsumerOptions::of(&[&consume]).prefetch, 64);
    /// consume.concurrency = Some(1);
    /// assert_eq!(ConsumerOptions::of(&[&consume]).prefetch, 4);
    /// ```
    #[must_use]
    pub fn of(consumers: &[&Consume]) -> Self {
        let all = || consumers.iter();
        let concurrency = all()
            .find_map(|it| it.concurrency)
            .unwrap_or(DEFAULT_CONCURRENCY)
            .max(1);
        let prefetch = all().find_map(|it| it.prefetch);
        Self {
            concurrency,
            prefetch: prefetch
                .unwrap_or_else(|| concurrency.saturating_mul(PREFETCH_PER_HANDLER))
                .max(concurrency),
            timeout: all().find_map(|it| it.timeout).unwrap_or(DEFAULT_TIMEOUT),
            priority: all().find_map(|it| it.priority),
            exclusive: all().any(|it| it.exclusive),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Takes;
    use crate::name::QueueName;

    #[test]
    fn an_option_stands_on_any_of_the_handlers() {
        let mut consumers = [Takes::Raw, Takes::Raw]
            .map(|takes| Consume::new("method", QueueName::literal("q"), takes));
        consumers[1].concurrency = Some(100);
        consumers[0].prefetch = Some(10);
        consumers[1].exclusive = true;
        let options = ConsumerOptions::of(&[&consumers[0], &consumers[1]]);
        assert_eq!((options.concurrency, options.prefetch), (100, 100));
        assert_eq!(options.timeout, DEFAULT_TIMEOUT);
        assert!(options.exclusive);
    }

    #[test]
    fn what_cannot_run_runs_one() {
        let mut consume = Consume::new("method", QueueName::literal("q"), Takes::Raw);
        consume.concurrency = Some(0);
        assert_eq!(ConsumerOptions::of(&[&consume]).concurrency, 1);
        consume.concurrency = Some(u16::MAX);
        assert_eq!(ConsumerOptions::of(&[&consume]).prefetch, u16::MAX);
    }
}
