//! Reading on the worker's own connection, in a snapshot that is kept open.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use rusqlite::Connection;

use super::statements::{Found, Orders};
use super::{RECENT, SNAPSHOT_AGE, Shared, fault, open};
use crate::db::memo::Memo;
use crate::db::rerun::{Ran, Rerun};
use crate::db::tx::{Conn, Memory, Tx};
use crate::error::{Error, Result};

/// How often SQLite asks whether to go on, in steps of its virtual machine.
const STEPS: i32 = 1_000;

/// How often it may ask before a read on a worker is interrupted: about a millisecond.
const INLINE_BUDGET: u32 = 20;

/// How often a read is run again because organization memory had moved on.
const RENEWALS: u32 = 8;

/// How long a read may take before it is interrupted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadBudget {
    /// About a millisecond: other requests wait behind it.
    Inline,
    /// As long as it needs.
    Unlimited,
}

/// Which snapshot a read may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Consistency {
    /// One that has every write that was answered before.
    Newest,
    /// The one that is kept, unless it is older than a second.
    Recent,
}

pub(super) struct Reader {
    conn: Connection,
    budget: Arc<AtomicU32>,
    snapshot: Option<Snapshot>,
    memo: Memo,
    orders: Orders,
}

struct Snapshot {
    commit: u64,
    since: Instant,
}

impl Reader {
    pub(super) fn open(path: &std::path::Path) -> Result<Self> {
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
        Ok(Self { conn, budget, snapshot: None, memo: Memo::default(), orders: Orders::default() })
    }

    /// Ends a kept snapshot, so that the log can be copied back; `older_than` spares one that is in use.
    pub(super) fn release(&mut self, older_than: std::time::Duration) {
        if self.snapshot.as_ref().is_some_and(|s| s.since.elapsed() >= older_than) {
            self.end();
        }
    }

    fn end(&mut self) {
        if self.snapshot.take().is_some()
            && !self.conn.is_autocommit()
            && let Err(error) = self.conn.execute_batch("COMMIT")
        {
            tracing::warn!(%error, "a read snapshot did not end cleanly");
        }
    }

    fn renew(&mut self, published: u64, consistency: Consistency) -> Result<()> {
        let fresh = |s: &Snapshot| match consistency {
            Consistency::Recent => s.since.elapsed() < RECENT,
            Consistency::Newest => s.commit == published && s.since.elapsed() < SNAPSHOT_AGE,
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
        // The first statement of the transaction: it is what takes the snapshot, and it belongs to it.
        let sql = "PRAGMA data_version";
        let version = self.conn.prepare_cached(sql).and_then(|mut asked| asked.query_row([], |row| row.get(0)));
        self.memo.at(version.map_err(|e| fault(sql, e))?);
        Ok(())
    }
}

impl Shared {
    /// Opens a connection, and looks at the path afterwards: what was opened may be another file by now, or none.
    fn open_reader(&self) -> Result<Mutex<Reader>> {
        let opened = Reader::open(self.place.path());
        self.place.check()?;
        opened.map(Mutex::new)
    }

    pub(super) fn read<R>(
        &self,
        allowed: ReadBudget,
        consistency: Consistency,
        work: &mut impl FnMut(&mut Tx<'_>) -> Result<R>,
    ) -> Ran<R> {
        let reader = self.place.held().and_then(|()| self.readers.get_or_try(|| self.open_reader()));
        match reader {
            Ok(reader) => {
                self.read_with(&mut reader.lock().unwrap_or_else(PoisonError::into_inner), allowed, consistency, work)
            }
            Err(error) => Ok(Err(error)),
        }
    }

    fn read_with<R>(
        &self,
        reader: &mut Reader,
        allowed: ReadBudget,
        consistency: Consistency,
        work: &mut impl FnMut(&mut Tx<'_>) -> Result<R>,
    ) -> Ran<R> {
        let allowance = if allowed == ReadBudget::Inline { INLINE_BUDGET } else { u32::MAX };
        for _ in 0..RENEWALS {
            reader.budget.store(allowance, Ordering::Relaxed);
            if let Err(error) = reader.renew(self.published.load(Ordering::Acquire), consistency) {
                return Ok(Err(error));
            }
            let Reader { conn, memo, orders, budget, .. } = &mut *reader;
            let mut statements = Found { conn, orders };
            let mut tx = Tx::reading(Conn::Sqlite(&mut statements), &self.observed).with_memory(Memory::Own(memo));
            let answer = work(&mut tx);
            let interrupted = tx.has_failed() && budget.load(Ordering::Relaxed) == 0;
            let rerun = if interrupted { Some(Rerun::Elsewhere) } else { tx.rerun() };
            // A failed statement may have left the connection without its snapshot; a restart of the log waits for all.
            if tx.has_failed() || answer.is_err() || rerun.is_some() || self.restarting.load(Ordering::SeqCst) {
                reader.end();
            }
            match rerun {
                Some(Rerun::OnNewer) => {}
                Some(Rerun::Elsewhere) => return Err(Rerun::Elsewhere),
                None => return Ok(answer),
            }
        }
        Ok(Err(Error::Unavailable("the data changed faster than it could be read".into())))
    }
}
