//! Durations as the contract writes them: whole milliseconds, from a text with a unit.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The longest time that RabbitMQ takes for a TTL or an expiry: 2^32 - 1 milliseconds, about 49 days.
pub const MAX_MILLIS: u64 = u32::MAX as u64;

/// A duration in whole milliseconds, at most [`MAX_MILLIS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Millis(pub u64);

/// Why a text is not a duration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MillisError {
    /// Not a whole number followed by a unit.
    #[error("expected a whole number and a unit: \"250ms\", \"1s\", \"5m\", \"1h\" or \"1d\"")]
    Malformed,
    /// Zero where time has to pass.
    #[error("the duration is zero")]
    Zero,
    /// Longer than RabbitMQ can count.
    #[error("the duration is longer than 4294967295 ms (about 49 days), RabbitMQ's longest")]
    TooLong,
}

impl Millis {
    /// Reads `"250ms"`, `"1s"`, `"5m"`, `"1h"` or `"1d"`: a positive whole number and one unit.
    pub fn parse(text: &str) -> Result<Self, MillisError> {
        let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, unit) = text.split_at(digits);
        let factor: u64 = match unit {
            "ms" => 1,
            "s" => 1_000,
            "m" => 60_000,
            "h" => 3_600_000,
            "d" => 86_400_000,
            _ => return Err(MillisError::Malformed),
        };
        if number.is_empty() {
            return Err(MillisError::Malformed);
        }
        // More digits than a u64 holds are a number too: one that is too long.
        let millis = number
            .parse::<u64>()
            .ok()
            .and_then(|number| number.checked_mul(factor))
            .ok_or(MillisError::TooLong)?;
        match millis {
            0 => Err(MillisError::Zero),
            1..=MAX_MILLIS => Ok(Self(millis)),
            _ => Err(MillisError::TooLong),
        }
    }

    /// The same as a [`Duration`].
    #[must_use]
    pub const fn duration(self) -> Duration {
        Duration::from_millis(self.0)
    }
}

/// Shows the largest unit that divides the duration: `90s`, `2m`, `1500ms`.
impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (factor, unit) in [
            (86_400_000, "d"),
            (3_600_000, "h"),
            (60_000, "m"),
            (1_000, "s"),
        ] {
            if self.0 >= factor && self.0.is_multiple_of(factor) {
                return write!(f, "{}{unit}", self.0 / factor);
            }
        }
        write!(f, "{}ms", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_unit() {
        let read = |text| Millis::parse(text).map(|millis| millis.0);
        assert_eq!(read("250ms"), Ok(250));
        assert_eq!(read("1s"), Ok(1_000));
        assert_eq!(read("5m"), Ok(300_000));
        assert_eq!(read("1h"), Ok(3_600_000));
        assert_eq!(read("2d"), Ok(172_800_000));
    }

    #[test]
    fn refuses_what_is_not_one() {
        for text in ["", "1", "s", "1 s", "1.5s", "-1s", "1S", "1s1ms", "١s"] {
            assert_eq!(Millis::parse(text), Err(MillisError::Malformed), "{text:?}");
        }
        assert_eq!(Millis::parse("0s"), Err(MillisError::Zero));
        assert_eq!(Millis::parse("50d"), Err(MillisError::TooLong));
        assert_eq!(
            Millis::parse("99999999999999999999h"),
            Err(MillisError::TooLong)
        );
    }

    #[test]
    fn shows_the_largest_unit_that_divides() {
        let shown = |text| Millis::parse(text).unwrap().to_string();
        assert_eq!(shown("90s"), "90s");
        assert_eq!(shown("120s"), "2m");
        assert_eq!(shown("1500ms"), "1500ms");
        assert_eq!(shown("24h"), "1d");
    }
}
