//! Reading on the worker's own connection, in a snapshot that stays open.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use rusqlite::Connection;

use super::fault::fault;
use super::open;
use super::statements::{Found, Orders};
use crate::db::memo::Memo;
use crate::db::options::TimeLimits;
use crate::error::Result;

/// How often SQLite asks whether to continue, in steps of its virtual machine.
const STEPS: i32 = 1_000;

/// How often it may ask before a read on a worker is interrupted, after about a millisecond.
const INLINE_BUDGET: u32 = 20;

/// How long a read may take.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadBudget {
    /// About a millisecond, because other requests wait behind it.
    Inline,
    /// As long as it needs.
    Unlimited,
}

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
    budget: Arc<AtomicU32>,
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
        let budget = Arc::new(AtomicU32::new(0));
        let left = Arc::clone(&budget);
        conn.progress_handler(
            STEPS,
            Some(move || {
                let n = left.load(Ordering::Relaxed);
                left.store(n.saturating_sub(1), Ordering::Relaxed);
                n == 0
            }),
        )
        .map_err(|e| fault("progress_handler", e))?;
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

    /// Sets how long the next read may take.
    pub(super) fn allow(&self, allowed: ReadBudget) {
        self.budget.store(if allowed == ReadBudget::Inline { INLINE_BUDGET } else { u32::MAX }, Ordering::Relaxed);
    }

    /// Whether the last read was interrupted because it took too long.
    pub(super) fn is_spent(&self) -> bool {
        self.budget.load(Ordering::Relaxed) == 0
    }

    /// The connection that a transaction runs on, and the cache of its snapshot.
    pub(super) fn parts(&mut self) -> (Found<'_>, &mut Memo) {
        let Self { conn, memo, orders, .. } = self;
        (Found { conn, orders }, memo)
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
