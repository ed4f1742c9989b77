//! How long to wait before the next try to connect.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

/// Pauses that double from `first` up to `most`, each shortened by up to a half at random, so that
/// a fleet that lost its broker does not come back in step.
#[derive(Debug, Clone)]
pub(crate) struct Backoff {
    first: Duration,
    most: Duration,
    doubled: u32,
}

impl Backoff {
    pub(crate) fn new(first: Duration, most: Duration) -> Self {
        let first = first.max(Duration::from_millis(1));
        Self {
            first,
            most: most.max(first),
            doubled: 0,
        }
    }

    /// The next pause.
    pub(crate) fn pause(&mut self) -> Duration {
        self.pause_at(RandomState::new().build_hasher().finish())
    }

    fn pause_at(&mut self, random: u64) -> Duration {
        let whole = self.whole();
        if whole < self.most {
            self.doubled += 1;
        }
        let half = whole / 2;
        let spread = u64::try_from(half.as_nanos()).unwrap_or(u64::MAX - 1);
        whole.saturating_sub(Duration::from_nanos(random % (spread + 1)))
    }

    /// What stopped us will not go away by itself: the longest pauses from now on.
    pub(crate) fn slow_down(&mut self) {
        while self.whole() < self.most {
            self.doubled += 1;
        }
    }

    /// The next pause before anything is taken off it.
    fn whole(&self) -> Duration {
        match 1u32.checked_shl(self.doubled) {
            Some(factor) => self.first.saturating_mul(factor).min(self.most),
            None => self.most,
        }
    }

    /// A connection ended that had lived this long. One that outlived the longest pause was a good
    /// one; one that did not may be one of a row.
    pub(crate) fn lived(&mut self, lived: Duration) {
        if lived >= self.most {
            self.doubled = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(number: u64) -> Duration {
        Duration::from_millis(number)
    }

    #[test]
    fn pauses_double_up_to_the_cap() {
        let mut backoff = Backoff::new(millis(100), millis(1000));
        let mut longest = Vec::new();
        for _ in 0..6 {
            longest.push(backoff.whole().as_millis());
            backoff.pause_at(0);
        }
        assert_eq!(longest, [100, 200, 400, 800, 1000, 1000]);
    }

    #[test]
    fn jitter_takes_up_to_a_half() {
        for random in [0, 1, u64::MAX / 3, u64::MAX] {
            let pause = Backoff::new(millis(100), millis(1000)).pause_at(random);
            assert!((millis(50)..=millis(100)).contains(&pause), "{pause:?}");
        }
        let mut backoff = Backoff::new(millis(100), millis(100));
        let pauses: std::collections::HashSet<Duration> =
            (0..20).map(|_| backoff.pause()).collect();
        assert!(pauses.len() > 1);
    }

    #[test]
    fn a_good_connection_starts_afresh_and_a_bad_one_does_not() {
        let mut backoff = Backoff::new(millis(100), millis(1000));
        backoff.slow_down();
        backoff.lived(millis(999));
        assert!(backoff.pause_at(0) >= millis(500));
        backoff.lived(millis(1000));
        assert!(backoff.pause_at(0) <= millis(100));
    }

    #[test]
    fn extremes_do_not_overflow() {
        let mut backoff = Backoff::new(Duration::ZERO, Duration::MAX);
        backoff.slow_down();
        for _ in 0..100 {
            backoff.pause_at(u64::MAX);
        }
        let mut backoff = Backoff::new(Duration::ZERO, Duration::ZERO);
        assert!(backoff.pause_at(1) <= millis(1));
    }
}
