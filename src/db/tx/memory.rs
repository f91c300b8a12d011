//! The caches that a transaction uses.

use crate::db::memo::Memo;
use crate::db::postgres::shared::Shared;

/// The values that a write on PostgreSQL has found.
#[derive(Default)]
pub(in crate::db) struct Findings {
    pub memo: Memo,
    pub of_readers: OfReaders,
}

/// Says if what readers have found also holds in a transaction that writes.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::db) enum OfReaders {
    /// Not known. Every lock makes it unknown again.
    #[default]
    Unknown,
    /// A snapshot that is newer than the locks has shown that nothing has changed that concerns it.
    Holds,
    /// The transaction itself has changed what it may concern.
    Outdated,
}

impl Findings {
    /// Drops everything that was found, because locks were taken or a request was undone.
    pub fn forget(&mut self) {
        self.memo.forget();
        if self.of_readers == OfReaders::Holds {
            self.of_readers = OfReaders::Unknown;
        }
    }

    /// Drops everything for the rest of the transaction, because of its own change.
    pub fn outdate(&mut self) {
        self.memo.forget();
        self.of_readers = OfReaders::Outdated;
    }
}

/// The cache in which a transaction finds and stores what was computed from its snapshot.
pub(in crate::db) enum Memory<'c> {
    /// The transaction's own cache, or that of its connection.
    Own(&'c mut Memo),
    /// The values that the transaction has found, those that readers of PostgreSQL have found if they hold here too,
    /// and, for guesses, those that they have cached in the last second.
    Writing { found: &'c mut Findings, readers: &'c Shared, incarnation: u64 },
    /// The transaction's own cache, and the cache of all readers of PostgreSQL if it has the version that the
    /// connection sees. What authorizes a write early is also cached for a second.
    Shared {
        own: Memo,
        shared: &'c Shared,
        incarnation: u64,
        authorizes: bool,
        /// True if the cache is presumed, before the first statement, to have that version.
        presumes: bool,
        /// The text of the snapshot, as seen or presumed.
        seen: Option<String>,
    },
    /// The cache of all readers, at this version.
    Proven { shared: &'c Shared, number: i64 },
    /// The values that readers have cached in the last second.
    Recent(&'c Shared),
}

impl<'c> Memory<'c> {
    /// The cache of all readers, for a transaction that has not run a statement yet.
    pub(in crate::db) fn shared(shared: &'c Shared, incarnation: u64, authorizes: bool, presumes: bool) -> Self {
        Self::Shared { own: Memo::default(), shared, incarnation, authorizes, presumes, seen: None }
    }
}
