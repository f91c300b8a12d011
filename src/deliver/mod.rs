//! Deliveries: events in a journal are sent to their subscribers (decisions 44 and 45; docs/decisions/0025).
//!
//! A worker in each server reads the entries after the cursor of each followed journal, stores the events that a
//! receiver wants, with one delivery for each receiver, and sends them. A delivery is complete when its receiver has
//! accepted it and this is stored. So each is sent at least once, with the same identifier each time.

pub mod admin;
pub mod again;
mod expand;
pub mod invitations;
mod kind;
mod lease;
pub mod log;
pub mod mailing;
mod marks;
pub mod measured;
mod parts;
pub mod queue;
pub mod retry;
pub mod room;
mod run;
mod runs;
pub mod steps;
pub mod stored;
pub mod trim;
pub mod worker;

pub use expand::guid;
pub use kind::{Channels, Kind};
pub use lease::Node;

use std::time::Duration;

/// A receiver: a webhook, or the mail server for e-mails of one organization.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Target {
    /// The kind of the receiver.
    pub kind: Kind,
    /// Its identifier among those of its kind.
    pub id: i64,
}

/// The deliveries that a receiver gets in order: those of a team, or those of no team.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lane {
    /// The receiver.
    pub target: Target,
    /// The team; 0 for events of no team.
    pub key: i64,
}

/// The time for which a delivery blocks the next one of its lane, in seconds.
pub const HOLDS_UP: i64 = 60 * 60;

/// The retries of a delivery.
#[derive(Debug, Clone, Copy)]
pub struct Retry {
    /// The time for which a delivery is retried, in seconds.
    pub seconds: i64,
    /// The delay after the first failure.
    pub first: Duration,
    /// The longest delay.
    pub longest: Duration,
}

impl Retry {
    /// Retries for this many days, with about this delay in seconds at first, and about an hour at last.
    #[must_use]
    pub fn new(first: u32, days: u32) -> Self {
        let seconds = i64::from(days) * 24 * 60 * 60;
        Self { seconds, first: Duration::from_secs(first.into()), longest: Duration::from_hours(1) }
    }

    /// The delay after this many failures, in microseconds. The random number makes it up to a quarter shorter or
    /// longer, so that deliveries that failed together are not retried together.
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
