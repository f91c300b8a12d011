//! Which memory a transaction has.

use crate::db::memo::Memo;
use crate::db::postgres::shared::Shared;

/// Where a transaction finds and keeps what was made from its snapshot.
pub(in crate::db) enum Memory<'c> {
    /// Its own, or that of its connection.
    Own(&'c mut Memo),
    /// Its own, and for guesses what readers of PostgreSQL have kept in the last second.
    Writing { found: &'c mut Memo, recent: &'c Shared },
    /// That of all readers of PostgreSQL, if it is at the version that the connection sees. What judges a write
    /// beforehand is also kept for a second.
    Shared { shared: &'c Shared, incarnation: u64, authorizes: bool },
    /// The same at this version.
    Proven { shared: &'c Shared, number: i64 },
    /// What was kept of it in the last second.
    Recent(&'c Shared),
}
