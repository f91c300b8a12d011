//! Deliveries: what happened in a journal is sent to those who asked for it (decisions 44 and 45; docs/decisions/0025).
//!
//! A worker in each server reads the entries after the cursor of each followed journal, stores the events that a receiver
//! wants with one delivery for each receiver, and sends them. A delivery is done when its receiver has accepted it and
//! that is stored, so each is sent at least once, and under the same identifier each time.

pub mod admin;
pub mod again;
mod expand;
mod kind;
mod lease;
pub mod log;
pub mod mailing;
mod marks;
pub mod measured;
mod parts;
pub mod queue;
mod run;
mod runs;
pub mod stored;
pub mod trim;
pub mod worker;

pub use expand::guid;
pub use kind::{Channels, Kind};
pub use lease::Node;

use std::time::Duration;

/// A receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Target {
    /// What it is.
    pub kind: Kind,
    /// Its identifier among those of its kind.
    pub id: i64,
}

/// The deliveries that a receiver gets one after the other: those of a team, or those of no team.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lane {
    /// The receiver.
    pub target: Target,
    /// The team; 0 for events of no team.
    pub key: i64,
}

/// How long a delivery holds up the next one of its lane, in seconds.
pub const HOLDS_UP: i64 = 60 * 60;

/// How often a delivery is tried again, and for how long.
#[derive(Debug, Clone, Copy)]
pub struct Retry {
    /// For how many seconds.
    pub seconds: i64,
    /// The delay after the first failure.
    pub first: Duration,
    /// The longest delay.
    pub longest: Duration,
}

impl Retry {
    /// For so many days, after about so many seconds for the first time and at last about once an hour.
    #[must_use]
    pub fn new(first: u32, days: u32) -> Self {
        let seconds = i64::from(days) * 24 * 60 * 60;
        Self { seconds, first: Duration::from_secs(first.into()), longest: Duration::from_hours(1) }
    }

    /// The delay after so many failures in microseconds, by a number that is drawn: up to a quarter less or more, so that
    /// what failed together does not come back together.
    #[must_use]
    pub fn delay(&self, failures: i64, drawn: u32) -> i64 {
        let doublings = u32::try_from(failures.clamp(1, 20) - 1).unwrap_or_default();
        let whole = self.first.saturating_mul(1 << doublings).min(self.longest);
        let whole = i64::try_from(whole.as_micros()).unwrap_or(i64::MAX / 2);
        whole / 4 * 3 + whole / 2 / 1_000 * i64::from(drawn % 1_001)
    }
}

#[cfg(test)]
mod tests {
    use super::Retry;

    #[test]
    fn delays_grow_from_seconds_to_an_hour_and_differ() {
        let retry = Retry::new(5, 3);
        let seconds = |failures, drawn| retry.delay(failures, drawn) / 1_000_000;
        assert_eq!((seconds(1, 0), seconds(1, 1_000)), (3, 6));
        assert_eq!((seconds(4, 0), seconds(4, 500)), (30, 40));
        for failures in 11..200 {
            assert_eq!((seconds(failures, 0), seconds(failures, 1_000)), (2_700, 4_500), "{failures}");
        }
        assert!((1..20).all(|n| retry.delay(n + 1, 7) >= retry.delay(n, 7)));
    }
}
