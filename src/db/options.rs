//! The options of a store, and the place of a write.

use std::time::Duration;

/// The options of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The maximum number of writes in a commit. With 1, measurements show what sharing commits gains.
    pub batch: usize,
    /// Number of connections to PostgreSQL that serve requests.
    pub connections: usize,
    /// True if reads of PostgreSQL are served from the cache while nothing has changed.
    pub shared_reads: bool,
    /// The limits that depend on the time.
    pub limits: TimeLimits,
}

impl Default for Options {
    fn default() -> Self {
        Self { batch: 256, connections: 16, shared_reads: true, limits: TimeLimits::default() }
    }
}

/// The limits of a store that make it do something else when time has passed. Timeouts are not among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeLimits {
    /// The maximum age of a snapshot of SQLite when it is used. Commits of other processes become visible within this
    /// time.
    pub snapshot: Duration,
    /// The maximum age of what only authorizes a write early. What it refuses is checked on the newest snapshot, and
    /// what it allows is authorized again in the transaction.
    pub recent: Duration,
    /// The interval at which SQLite's log is copied into the database. A page that was written many times is copied
    /// once.
    pub log: Duration,
    /// The time after which a transaction of PostgreSQL is committed without the requests that have not begun.
    pub transaction: Duration,
}

impl Default for TimeLimits {
    fn default() -> Self {
        Self {
            snapshot: Duration::from_millis(50),
            recent: Duration::from_secs(1),
            log: Duration::from_millis(400),
            transaction: Duration::from_secs(1),
        }
    }
}

impl TimeLimits {
    /// None. For counts of instructions, which must not depend on the time.
    pub const NONE: Self =
        Self { snapshot: Duration::MAX, recent: Duration::MAX, log: Duration::MAX, transaction: Duration::MAX };
}

/// The lane and the turn of a write. Writes of a lane wait for the same locks, so they share transactions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The lane, such as an organization.
    pub lane: u64,
    /// The person who writes. The writes of a transaction run in the order of these, because they lock rows of people.
    pub person: i64,
}
