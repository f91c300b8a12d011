//! The only writer of SQLite: takes the queued writes, runs them in one transaction, commits once, and then answers all
//! of them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc;
use std::thread::{Builder, JoinHandle};

use rusqlite::Connection;

use super::checkpoint;
use super::shared::Shared;
use super::statements::PreparedStatements;
use crate::db::at_commit::Collected;
use crate::db::memo::Memo;
use crate::db::statements::Statements;
use crate::db::tx::{Memory, Tx};
use crate::db::writer::{Ended, Job, Session, answer, transaction};
use crate::error::{Error, Result};

pub(super) fn start(
    conn: Connection,
    shared: Arc<Shared>,
    jobs: mpsc::Receiver<Box<dyn Job>>,
    largest: usize,
) -> Result<JoinHandle<()>> {
    let run = move || {
        let (statements, memo, collected) = (PreparedStatements::new(&conn), Memo::default(), Collected::default());
        let mut writer = Writer { conn: &conn, statements, shared: &shared, memo, collected };
        let mut restart_at = checkpoint::LOG_PAGES;
        while let Ok(first) = jobs.recv() {
            // On a machine whose cores are all at work, those who have yet to send what they wait for come first.
            std::thread::yield_now();
            let mut batch = vec![first];
            batch.extend(jobs.try_iter().take(largest - 1));
            // A panic ends a batch and not the writer.
            if catch_unwind(AssertUnwindSafe(|| writer.serve(batch))).is_err() {
                writer.roll_back();
            }
            let pages = shared.log_pages.load(Ordering::Relaxed);
            if pages > restart_at {
                // A long read blocks the restart of the log, so it is not tried again for each write.
                let restarted = checkpoint::restart_log(&conn, &shared);
                restart_at = if restarted { checkpoint::LOG_PAGES } else { pages * 2 };
            }
        }
    };
    Builder::new().name("db-writer".into()).spawn(run).map_err(|e| Error::Unavailable(e.to_string()))
}

struct Writer<'c> {
    conn: &'c Connection,
    statements: PreparedStatements<'c>,
    shared: &'c Shared,
    /// The values that requests have read and no other request has changed since.
    memo: Memo,
    /// The changes to be written at the end of the transaction.
    collected: Collected,
}

impl Writer<'_> {
    /// Runs and answers a batch.
    fn serve(&mut self, mut batch: Vec<Box<dyn Job>>) {
        // Failed requests are also answered after the commit, because they may have failed due to what others wrote.
        let mut failed = Vec::new();
        let mut collected = std::mem::take(&mut self.collected);
        let outcome = self.shared.place.held().and_then(|()| {
            loop {
                match transaction(self, &mut collected, &mut batch, !failed.is_empty()) {
                    Ok(Ended::Committed(_)) => break Ok(()),
                    Ok(Ended::Undone(place)) => failed.push(batch.remove(place)),
                    Err(error) => break Err(error),
                }
            }
        });
        self.collected = collected;
        batch.append(&mut failed);
        // A commit to a file that is gone must not be acknowledged.
        match outcome.and_then(|()| self.shared.place.check()) {
            Ok(()) => {
                self.shared.published.fetch_add(1, Ordering::Release);
                self.shared.batches.observe(f64::from(u32::try_from(batch.len()).unwrap_or(u32::MAX)));
            }
            Err(error) => {
                if self.shared.place.held().is_ok() {
                    tracing::error!(%error, "cannot commit a batch of writes");
                }
                for job in &mut batch {
                    job.fail(Error::Unavailable(error.to_string()));
                }
            }
        }
        answer(batch);
    }

    /// A version that changes as soon as another connection of any process has committed.
    fn version(&mut self) -> Result<i64> {
        let mut version = 0;
        self.statements.each("PRAGMA data_version", &[], &mut |row| {
            version = row.read()?;
            Ok(())
        })?;
        Ok(version)
    }
}

impl Session for Writer<'_> {
    fn begin(&mut self) -> Result<()> {
        self.divide("BEGIN IMMEDIATE")?;
        let version = self.version().inspect_err(|_| self.roll_back())?;
        self.memo.at(version);
        Ok(())
    }

    fn commit(&mut self, _: usize) -> Result<()> {
        self.divide("COMMIT")
    }

    fn roll_back(&mut self) {
        self.memo.forget();
        if !self.conn.is_autocommit()
            && let Err(error) = self.divide("ROLLBACK")
        {
            tracing::error!(%error, "cannot roll back a failed transaction");
        }
    }

    fn divide(&mut self, sql: &'static str) -> Result<()> {
        self.statements.run(sql, &[]).map(|_| ())
    }

    fn with<R>(&mut self, collected: &mut Collected, work: impl FnOnce(&mut Tx<'_>) -> R) -> R {
        let memory = Memory::Own(&mut self.memo);
        work(&mut Tx::writing(&mut self.statements, &self.shared.observed, collected).with_memory(memory))
    }

    fn take_changed(&mut self) -> bool {
        self.statements.take_changed()
    }

    fn forget(&mut self) {
        self.memo.forget();
    }

    fn has_ended(&self) -> bool {
        self.conn.is_autocommit()
    }
}
