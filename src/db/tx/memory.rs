//! Which memory a transaction has.

use crate::db::memo::Memo;
use crate::db::postgres::shared::Shared;

/// Where a transaction finds and keeps what was made from its snapshot.
pub(in crate::db) enum Memory<'c> {
    /// Its own, or that of its connection.
    Own(&'c mut Memo),
    /// Its own, and for guesses what readers of PostgreSQL have kept in the last second.
    Writing { found: &'c mut Memo, recent: &'c Shared, incarnation: u64 },
    /// Its own, and that of all readers of PostgreSQL, if that is at the version that the connection sees. What authorizes a
    /// write beforehand is also kept for a second.
    Shared {
        own: Memo,
        shared: &'c Shared,
        incarnation: u64,
        authorizes: bool,
        /// Whether it is presumed, before the first statement, that memory is at that version.
        presumes: bool,
        /// The text of the snapshot, seen or presumed.
        seen: Option<String>,
    },
    /// The same at this version.
    Proven { shared: &'c Shared, number: i64 },
    /// What was kept of it in the last second.
    Recent(&'c Shared),
}

impl<'c> Memory<'c> {
    /// That of all readers, for one that has not asked anything yet.
    pub(in crate::db) fn shared(shared: &'c Shared, incarnation: u64, authorizes: bool, presumes: bool) -> Self {
        Self::Shared { own: Memo::default(), shared, incarnation, authorizes, presumes, seen: None }
    }
}
