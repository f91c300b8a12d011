//! Reading on the worker's own connection, in a snapshot that stays open.

use std::time::Instant;

use rusqlite::Connection;

use super::budget::Budget;
use super::fault::fault;
use super::open;
use super::statements::{Found, Orders};
use crate::db::memo::Memo;
use crate::db::options::TimeLimits;
use crate::error::Result;

/// Which snapshots a read accepts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Consistency {
    /// One with every write that was acknowledged before.
    Newest,
    /// The open one, unless it is too old.
    Recent,
}

pub(super) struct Reader {
    conn: Connection,
    /// The budget of the next read.
    pub budget: Budget,
    snapshot: Option<Snapshot>,
    limits: TimeLimits,
    memo: Memo,
    orders: Orders,
}

struct Snapshot {
    commit: u64,
    since: Instant,
}

impl Reader {
    pub(super) fn open(path: &std::path::Path, limits: TimeLimits) -> Result<Self> {
        let mut conn = open::reader(path)?;
        let budget = Budget::of(&mut conn)?;
        Ok(Self { conn, budget, snapshot: None, limits, memo: Memo::default(), orders: Orders::default() })
    }

    /// Ends an open snapshot, so that the log can be copied. `older_than` spares a recent one.
    pub(super) fn release(&mut self, older_than: std::time::Duration) {
        if self.snapshot.as_ref().is_some_and(|s| s.since.elapsed() >= older_than) {
            self.end();
        }
    }

    pub(super) fn end(&mut self) {
        if self.snapshot.take().is_some()
            && !self.conn.is_autocommit()
            && let Err(error) = self.conn.execute_batch("COMMIT")
        {
            tracing::warn!(%error, "a read snapshot did not end cleanly");
        }
    }

    /// The connection that a transaction runs on, and the cache of its snapshot.
    pub(super) fn parts(&mut self) -> (Found<'_>, &mut Memo) {
        let Self { conn, memo, orders, budget, .. } = self;
        (Found { conn, orders, budget }, memo)
    }

    pub(super) fn renew(&mut self, published: u64, consistency: Consistency) -> Result<()> {
        let fresh = |s: &Snapshot| match consistency {
            Consistency::Recent => s.since.elapsed() < self.limits.recent,
            Consistency::Newest => s.commit == published && s.since.elapsed() < self.limits.snapshot,
        };
        if self.snapshot.as_ref().is_some_and(fresh) {
            return Ok(());
        }
        self.end();
        self.begin(published)
    }

    fn begin(&mut self, commit: u64) -> Result<()> {
        let since = Instant::now();
        let sql = "BEGIN";
        let begun = self.conn.prepare_cached(sql).and_then(|mut begin| begin.execute([]));
        begun.map_err(|e| fault(sql, e))?;
        self.snapshot = Some(Snapshot { commit, since });
        // The first statement of the transaction takes the snapshot, so it belongs to the transaction.
        let sql = "PRAGMA data_version";
        let version = self.conn.prepare_cached(sql).and_then(|mut asked| asked.query_row([], |row| row.get(0)));
        self.memo.at(version.map_err(|e| fault(sql, e))?);
        Ok(())
    }
}
