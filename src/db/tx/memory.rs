//! Which cache a transaction uses.

use crate::db::memo::Memo;
use crate::db::postgres::shared::Shared;

/// Where a transaction finds and stores what was computed from its snapshot.
pub(in crate::db) enum Memory<'c> {
    /// The transaction's own cache, or that of its connection.
    Own(&'c mut Memo),
    /// The transaction's own cache and, for guesses, what readers of PostgreSQL have cached in the last second.
    Writing { found: &'c mut Memo, recent: &'c Shared, incarnation: u64 },
    /// The transaction's own cache, and the cache of all readers of PostgreSQL if it has the version that the
    /// connection sees. What authorizes a write early is also cached for a second.
    Shared {
        own: Memo,
        shared: &'c Shared,
        incarnation: u64,
        authorizes: bool,
        /// Whether the cache is presumed, before the first statement, to have that version.
        presumes: bool,
        /// The text of the snapshot, as seen or presumed.
        seen: Option<String>,
    },
    /// The cache of all readers, at this version.
    Proven { shared: &'c Shared, number: i64 },
    /// What readers have cached in the last second.
    Recent(&'c Shared),
}

impl<'c> Memory<'c> {
    /// The cache of all readers, for a transaction that has not run a statement yet.
    pub(in crate::db) fn shared(shared: &'c Shared, incarnation: u64, authorizes: bool, presumes: bool) -> Self {
        Self::Shared { own: Memo::default(), shared, incarnation, authorizes, presumes, seen: None }
    }
}
