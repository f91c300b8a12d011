//! Reading on the worker's own connection, in a snapshot that stays open.

use std::time::Instant;

use rusqlite::Connection;
use rusqlite::config::DbConfig;

use super::budget::Budget;
use super::fault::fault;
use super::open;
use super::statements::{Found, Orders};
use crate::db::memo::Memo;
use crate::db::options::TimeLimits;
use crate::error::Result;

/// The snapshots that a read accepts.
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

    /// The same reader, after the path was checked. From now on, it copies the log into the file if it is the last to
    /// close.
    pub(super) fn trusted(self) -> Result<Self> {
        let set = self.conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false);
        set.map(|_| self).map_err(|e| fault("NO_CKPT_ON_CLOSE", e))
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Reader, open};
    use crate::db::options::TimeLimits;

    #[test]
    fn a_reader_of_a_replaced_file_copies_no_log_into_it() {
        let folder = tempfile::tempdir().unwrap();
        let (path, backup) = (folder.path().join("db"), folder.path().join("backup"));
        let log = open::with_suffix(&path, "-wal");
        let writer = open::writer(&path).unwrap();
        writer.execute_batch("CREATE TABLE t (n); PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
        fs::copy(&path, &backup).unwrap();
        writer.execute_batch("INSERT INTO t VALUES (1)").unwrap();
        let content = fs::read(&backup).unwrap();
        for trusted in [false, true] {
            fs::copy(&backup, folder.path().join("copy")).unwrap();
            fs::rename(folder.path().join("copy"), &path).unwrap();
            let mut reader = Reader::open(&path, TimeLimits::default()).unwrap();
            reader.begin(1).unwrap();
            reader.end();
            drop(if trusted { reader.trusted().unwrap() } else { reader });
            // Otherwise, SQLite does what this test is about.
            assert_eq!((fs::read(&path).unwrap() == content, log.exists()), (!trusted, !trusted));
        }
        drop(writer);
    }
}
