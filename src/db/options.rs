//! How a store is used, and where a write belongs.

/// How a store is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The maximum number of writes in a commit. With 1, measurements show what sharing commits gains.
    pub batch: usize,
    /// Number of connections to PostgreSQL that serve requests.
    pub connections: usize,
    /// Whether reads of PostgreSQL are served from the cache while nothing has changed.
    pub shared_reads: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { batch: 256, connections: 16, shared_reads: true }
    }
}

/// The lane and the turn of a write. Writes of a lane wait for the same locks, so they share transactions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The lane, such as an organization.
    pub lane: u64,
    /// The person who writes. The writes of a transaction run in the order of these, because they lock rows of people.
    pub person: i64,
}
