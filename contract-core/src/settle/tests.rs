//! The table of outcomes, gone through whole: every outcome, every policy that a queue can have, every
//! number of retries, every queue type, reached by dead letters or not.

use super::*;
use crate::millis::Millis;
use crate::model::{Backoff, DeadLetterOwner, Schedule};
use crate::name::{ExchangeName, QueueName, RoutingKey};

const MODES: [RetryMode; 4] = [
    RetryMode::None,
    RetryMode::Requeue,
    RetryMode::Republish,
    RetryMode::Park,
];
const ENDS: [End; 3] = [End::DeadLetter, End::Drop, End::Keep];
/// No retries, one, the most that a contract can ask for, and as many as the type holds.
const MAX_RETRIES: [u32; 5] = [0, 1, 2, 100, u32::MAX];
const RETRIES: [u32; 9] = [0, 1, 2, 3, 99, 100, 101, u32::MAX - 1, u32::MAX];

fn policies() -> impl Iterator<Item = Policy> {
    MODES.into_iter().flat_map(|retry| {
        MAX_RETRIES.into_iter().flat_map(move |max_retries| {
            ENDS.into_iter().map(move |end| Policy {
                retry,
                max_retries,
                end,
            })
        })
    })
}

fn outcomes() -> impl Iterator<Item = Outcome> {
    let failed = FailureKind::ALL.into_iter().map(Outcome::Failed);
    [Outcome::Handled].into_iter().chain(failed)
}

/// A row of the reference's table: a message's last action, where it is tried no more.
fn last(end: End) -> Action {
    match end {
        End::DeadLetter => Action::DeadLetter,
        End::Drop => Action::Drop,
        End::Keep => Action::Keep,
    }
}

/// The table of the reference, one row after the other.
fn table(outcome: Outcome, policy: Policy, retries: u32) -> Action {
    use FailureKind::{Panic, Retryable, Timeout};
    let retry = retries.wrapping_add(1);
    match (outcome, policy.retry, retries < policy.max_retries) {
        (Outcome::Handled, _, _) => Action::Ack,
        (Outcome::Failed(Retryable | Timeout | Panic), RetryMode::Requeue, true) => Action::Requeue,
        (Outcome::Failed(Retryable | Timeout | Panic), RetryMode::Republish, true) => {
            Action::Republish { retry }
        }
        (Outcome::Failed(Retryable | Timeout | Panic), RetryMode::Park, true) => {
            Action::Park { retry }
        }
        (Outcome::Failed(_), _, _) => last(policy.end),
    }
}

#[test]
fn every_cell_of_the_table_is_as_the_reference_says() {
    let mut cells = 0;
    for policy in policies() {
        for outcome in outcomes() {
            for retries in RETRIES {
                assert_eq!(
                    settle(outcome, policy, retries),
                    table(outcome, policy, retries),
                    "{outcome:?}, {policy:?}, {retries} retries before"
                );
                cells += 1;
            }
        }
    }
    assert_eq!(cells, 4 * 5 * 3 * 9 * 9);
}

/// Whether an action ends a message's life in its queue without a copy anywhere.
fn gives_it_up(action: Action) -> bool {
    match action {
        Action::Ack | Action::Drop => true,
        Action::Requeue
        | Action::Republish { .. }
        | Action::Park { .. }
        | Action::DeadLetter
        | Action::Reject
        | Action::Keep => false,
    }
}

#[test]
fn a_message_is_given_up_only_when_handled_or_signed_for() {
    for policy in policies() {
        for outcome in outcomes() {
            for retries in RETRIES {
                let may = outcome == Outcome::Handled || policy.end == End::Drop;
                assert!(
                    !gives_it_up(settle(outcome, policy, retries)) || may,
                    "{outcome:?}, {policy:?}, {retries} retries before"
                );
            }
        }
        assert!(!gives_it_up(without_copy(policy)) || policy.end == End::Drop);
    }
}

#[test]
fn a_failing_message_is_retried_as_often_as_its_queue_says_and_then_comes_to_an_end() {
    for kind in FailureKind::ALL {
        for policy in policies().filter(|policy| policy.max_retries <= 100) {
            let mut retries = 0;
            let end = loop {
                match settle(Outcome::Failed(kind), policy, retries) {
                    Action::Requeue => retries += 1,
                    Action::Republish { retry } | Action::Park { retry } => {
                        assert_eq!(retry, retries + 1, "no retry is skipped or repeated");
                        retries = retry;
                    }
                    end => break end,
                }
            };
            let may_retry = kind.may_pass() && policy.retry != RetryMode::None;
            assert_eq!(retries, if may_retry { policy.max_retries } else { 0 });
            assert_eq!(end, last(policy.end));
        }
    }
}

#[test]
fn what_cannot_be_copied_still_has_an_end() {
    for policy in policies() {
        let end = match policy.end {
            End::DeadLetter => Action::Reject,
            End::Drop => Action::Drop,
            End::Keep => Action::Keep,
        };
        assert_eq!(without_copy(policy), end);
    }
}

/// Every policy that a queue's options come to: the parts decide each for itself.
#[test]
fn a_queue_s_options_come_to_one_policy() {
    let backoff = Schedule::Delays(vec![Millis(10), Millis(20)]);
    let retries = [
        (Retry::None, 0),
        (Retry::ImmediateRequeue { max_retries: 3 }, 3),
        (Retry::TtlBackoff(Backoff::new(backoff)), 2),
    ];
    let to = |owner, key: Option<&'static str>| DeadLetter::To {
        exchange: ExchangeName::literal("dlx"),
        key: key.map(RoutingKey::literal),
        owner,
    };
    let dead_letters = [
        None,
        Some(DeadLetter::Derived),
        Some(to(DeadLetterOwner::Contract, Some("dead"))),
        Some(to(DeadLetterOwner::External, None)),
        Some(to(DeadLetterOwner::Policy, None)),
    ];
    for kind in [QueueKind::Quorum, QueueKind::Classic] {
        for (retry, max_retries) in &retries {
            for dead_letter in &dead_letters {
                for lossy in Loss::ALL.map(Some).into_iter().chain([None]) {
                    for reached in [false, true] {
                        let mut queue = Queue::new(QueueName::literal("q"));
                        queue.kind = kind;
                        queue.retry = retry.clone();
                        queue.dead_letter.clone_from(dead_letter);
                        queue.lossy.extend(lossy);
                        let policy = Policy::of(&queue, reached);
                        assert_eq!(policy.max_retries, *max_retries, "{queue:?}");
                        let mode = match retry {
                            Retry::None => RetryMode::None,
                            Retry::TtlBackoff(_) => RetryMode::Park,
                            // Only a quorum queue counts, and from 4.0 on a dead letter brings
                            // another queue's count with it.
                            Retry::ImmediateRequeue { .. } => {
                                if kind == QueueKind::Quorum && !reached {
                                    RetryMode::Requeue
                                } else {
                                    RetryMode::Republish
                                }
                            }
                        };
                        assert_eq!(policy.retry, mode, "{queue:?}, reached: {reached}");
                        let end = if dead_letter.is_some() {
                            End::DeadLetter
                        } else if lossy == Some(Loss::Poison) {
                            End::Drop
                        } else {
                            End::Keep
                        };
                        assert_eq!(policy.end, end, "{queue:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn kinds_are_read_as_they_are_written() {
    let mut words = std::collections::BTreeSet::new();
    for kind in FailureKind::ALL {
        assert_eq!(FailureKind::from_wire(kind.as_str()), Some(kind));
        assert!(
            words.insert(kind.as_str()),
            "{kind:?} has a word of its own"
        );
    }
    for word in ["other", "", "Retryable", " retryable"] {
        assert_eq!(FailureKind::from_wire(word), None, "{word:?}");
    }
}

#[test]
fn only_what_another_run_can_change_may_pass() {
    let may_pass = FailureKind::ALL.into_iter().filter(|kind| kind.may_pass());
    assert_eq!(
        may_pass.collect::<Vec<_>>(),
        [
            FailureKind::Retryable,
            FailureKind::Timeout,
            FailureKind::Panic
        ]
    );
}
