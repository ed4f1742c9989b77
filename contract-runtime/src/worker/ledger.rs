//! Which acks to write: what is finished on a channel, and what of it goes out together.

use std::collections::BTreeMap;

/// The deliveries of one channel that are no longer the broker's to hand out again, by tag.
///
/// A delivery that was never reported here is unfinished: no ack that this writes covers it.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    /// Every delivery up to this tag is done with, and what is to be acknowledged of them was.
    low: u64,
    /// What is done with beyond the first unfinished one.
    beyond: BTreeMap<u64, Done>,
}

/// How a delivery is done with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Done {
    /// It waits for its ack.
    Finished,
    /// The broker has been told: by an ack, a nack or a reject of its own.
    Settled,
}

/// One ack to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ack {
    pub(super) tag: u64,
    /// Whether it covers all before it too.
    pub(super) multiple: bool,
}

impl Ledger {
    /// A delivery has been handled, or handed on: it is to be acknowledged.
    pub(super) fn finished(&mut self, tag: u64) {
        self.beyond.insert(tag, Done::Finished);
    }

    /// A delivery has been settled by itself, by a nack or a reject *that is written*: before that an
    /// ack of a later one would acknowledge it.
    pub(super) fn settled(&mut self, tag: u64) {
        self.beyond.insert(tag, Done::Settled);
    }

    /// The acks of all that is finished: one for all before the first unfinished delivery, and one for
    /// each beyond it, so that a slow handler holds nothing back.
    pub(super) fn flush(&mut self) -> Vec<Ack> {
        let mut together = 0_u32;
        // The broker refuses a tag that it does not wait for, so the last *finished* one is named.
        let mut last = self.low;
        while let Some(done) = self.beyond.remove(&(self.low + 1)) {
            self.low += 1;
            if done == Done::Finished {
                together += 1;
                last = self.low;
            }
        }
        let mut acks = Vec::new();
        if together > 0 {
            acks.push(Ack {
                tag: last,
                multiple: together > 1,
            });
        }
        for (&tag, done) in &mut self.beyond {
            if *done == Done::Finished {
                *done = Done::Settled;
                acks.push(Ack {
                    tag,
                    multiple: false,
                });
            }
        }
        acks
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn one(tag: u64) -> Ack {
        Ack {
            tag,
            multiple: false,
        }
    }

    fn up_to(tag: u64) -> Ack {
        Ack {
            tag,
            multiple: true,
        }
    }

    #[test]
    fn what_is_finished_in_a_row_goes_out_together() {
        let mut ledger = Ledger::default();
        for tag in [3, 1, 2] {
            ledger.finished(tag);
        }
        assert_eq!(ledger.flush(), [up_to(3)]);
        assert_eq!(ledger.flush(), []);
        ledger.finished(4);
        assert_eq!(ledger.flush(), [one(4)]);
    }

    #[test]
    fn one_that_is_unfinished_holds_nothing_back() {
        let mut ledger = Ledger::default();
        for tag in 2..=5 {
            ledger.finished(tag);
        }
        assert_eq!(ledger.flush(), [one(2), one(3), one(4), one(5)]);
        ledger.finished(1);
        ledger.finished(6);
        assert_eq!(ledger.flush(), [up_to(6)]);
    }

    #[test]
    fn a_reject_is_passed_over_and_never_named() {
        let mut ledger = Ledger::default();
        ledger.finished(1);
        ledger.finished(2);
        ledger.settled(3);
        assert_eq!(ledger.flush(), [up_to(2)]);
        ledger.settled(4);
        assert_eq!(ledger.flush(), []);
    }

    /// What a broker holds of a channel's deliveries, and what it would say of an ack.
    struct Broker {
        unacked: BTreeSet<u64>,
        acked: BTreeSet<u64>,
    }

    impl Broker {
        fn take(&mut self, ack: Ack) {
            assert!(self.unacked.contains(&ack.tag), "406 unknown delivery tag");
            let covered: Vec<u64> = if ack.multiple {
                self.unacked.range(..=ack.tag).copied().collect()
            } else {
                vec![ack.tag]
            };
            for tag in covered {
                self.unacked.remove(&tag);
                self.acked.insert(tag);
            }
        }
    }

    #[derive(Debug, Clone, Copy)]
    enum End {
        Ack,
        Reject,
        /// Its handler never returns.
        Never,
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]

        #[test]
        fn in_any_order_exactly_what_is_finished_is_acknowledged(
            ends in prop::collection::vec(
                prop_oneof![8 => Just(End::Ack), 2 => Just(End::Reject), 1 => Just(End::Never)], 1..40
            ).prop_flat_map(|ends| {
                let order: Vec<usize> = (0..ends.len()).collect();
                (Just(ends), Just(order).prop_shuffle())
            }),
            flushes in prop::collection::vec(any::<bool>(), 40),
        ) {
            let (ends, order) = ends;
            let mut broker = Broker {
                unacked: (1..=ends.len() as u64).collect(),
                acked: BTreeSet::new(),
            };
            let mut ledger = Ledger::default();
            let mut finished = BTreeSet::new();
            for (at, flush) in order.into_iter().zip(flushes.into_iter().cycle()) {
                let tag = at as u64 + 1;
                match ends[at] {
                    End::Ack => {
                        finished.insert(tag);
                        ledger.finished(tag);
                    }
                    End::Reject => {
                        broker.unacked.remove(&tag);
                        ledger.settled(tag);
                    }
                    End::Never => {}
                }
                if flush {
                    for ack in ledger.flush() {
                        broker.take(ack);
                    }
                    // Nothing that is finished waits for anything else.
                    prop_assert_eq!(&broker.acked, &finished);
                }
            }
            for ack in ledger.flush() {
                broker.take(ack);
            }
            prop_assert_eq!(&broker.acked, &finished);
        }
    }
}
