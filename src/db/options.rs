//! How a store is used, and where a write belongs.

/// How a store is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How many writes share a commit at most. With one it shows what sharing commits is worth.
    pub batch: usize,
    /// Connections to PostgreSQL that serve requests.
    pub connections: usize,
    /// Whether reads of PostgreSQL are served from memory while nothing has changed.
    pub shared_reads: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { batch: 256, connections: 16, shared_reads: true }
    }
}

/// Where a write belongs: those of a lane wait for the same locks, so they share transactions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The lane, such as an organization.
    pub lane: u64,
    /// The person who writes. In a transaction they have their turns in this order, as rows of theirs are locked.
    pub person: i64,
}
