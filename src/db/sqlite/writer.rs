//! The one writer: takes what is queued, runs it in one transaction, commits once, then answers all.
//!
//! A request that fails before it has changed anything has nothing to be undone, and others do not notice. If one
//! fails later, the transaction is rolled back and the others are run again with a savepoint each: a savepoint costs
//! a sixth of a write, and what is refused is hardly ever refused so late.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use rusqlite::Connection;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::statements::{Kept, Statements};
use super::{Shared, checkpoint, open};
use crate::db::at_commit::Collected;
use crate::db::memo::Memo;
use crate::db::tx::{Conn, Tx};
use crate::error::{Error, Result};

/// How long the writer waits for a request before it gives up its mapping of the file.
const IDLE: Duration = Duration::from_secs(2);

/// A request that waits for the writer.
pub(super) trait Job: Send {
    /// Runs the closure and keeps its result; whether what it did shall stay.
    fn run(&mut self, tx: &mut Tx<'_>) -> bool;
    /// Puts an error in the place of the result.
    fn fail(&mut self, error: Error);
    /// Answers the request with what was kept.
    fn answer(self: Box<Self>);
    /// Where whoever asked is waiting.
    fn runtime(&self) -> Option<Handle>;
}

/// Requests whose commit is done, answered when this is dropped: wherever that happens, none is forgotten.
struct Answers(Vec<Box<dyn Job>>);

impl Drop for Answers {
    fn drop(&mut self) {
        self.0.drain(..).for_each(Job::answer);
    }
}

/// Answers many from within the runtime: to wake each of them from this thread takes longer than its answer.
fn answer(batch: Vec<Box<dyn Job>>) {
    let runtime = if batch.len() > 1 { batch.first().and_then(|job| job.runtime()) } else { None };
    let answers = Answers(batch);
    match runtime {
        Some(runtime) => drop(runtime.spawn(async move { drop(answers) })),
        None => drop(answers),
    }
}

struct Waiting<R, F> {
    work: F,
    result: Result<R>,
    answer: oneshot::Sender<Result<R>>,
    runtime: Option<Handle>,
}

impl<R: Send, F: FnMut(&mut Tx<'_>) -> Result<R> + Send> Job for Waiting<R, F> {
    fn run(&mut self, tx: &mut Tx<'_>) -> bool {
        self.result = tx.carry_out(&mut self.work);
        self.result.is_ok()
    }

    fn fail(&mut self, error: Error) {
        self.result = Err(error);
    }

    fn answer(self: Box<Self>) {
        // Whoever asked may have gone; the write stays.
        drop(self.answer.send(self.result));
    }

    fn runtime(&self) -> Option<Handle> {
        self.runtime.clone()
    }
}

pub(super) fn job<R, F>(work: F) -> (Box<dyn Job>, oneshot::Receiver<Result<R>>)
where
    R: Send + 'static,
    F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
{
    let (answer, receiver) = oneshot::channel();
    let result = Err(Error::Unavailable("the write was not run".into()));
    (Box::new(Waiting { work, result, answer, runtime: Handle::try_current().ok() }), receiver)
}

pub(super) fn start(
    conn: Connection,
    shared: Arc<Shared>,
    jobs: mpsc::Receiver<Box<dyn Job>>,
    largest: usize,
) -> Result<JoinHandle<()>> {
    let run = move || {
        let (statements, memo, collected) = (Kept::new(&conn), Memo::default(), Collected::default());
        let mut writer = Writer { conn: &conn, statements, shared: &shared, memo, collected };
        let mut restart_at = checkpoint::LOG_PAGES;
        while let Some(first) = next(&conn, &jobs) {
            // On a machine whose cores are all at work, those who have yet to send what they wait for come first.
            std::thread::yield_now();
            let mut batch = vec![first];
            batch.extend(jobs.try_iter().take(largest - 1));
            writer.serve(batch);
            let pages = shared.log_pages.load(Ordering::Relaxed);
            if pages > restart_at {
                // Whoever reads for long keeps the log from that; it is not asked again for each write.
                let restarted = checkpoint::restart_log(&conn, &shared);
                restart_at = if restarted { checkpoint::LOG_PAGES } else { pages * 2 };
            }
        }
    };
    Builder::new().name("db-writer".into()).spawn(run).map_err(|e| Error::Unavailable(e.to_string()))
}

/// The next request; none after the last one. While there is none for some time, the file is not mapped: the pages that
/// were read through the mapping would count as this process's memory.
fn next(conn: &Connection, jobs: &mpsc::Receiver<Box<dyn Job>>) -> Option<Box<dyn Job>> {
    match jobs.recv_timeout(IDLE) {
        Ok(job) => Some(job),
        Err(RecvTimeoutError::Disconnected) => None,
        Err(RecvTimeoutError::Timeout) => {
            open::map(conn, 0);
            let job = jobs.recv().ok();
            open::map(conn, open::MAPPED);
            job
        }
    }
}

struct Writer<'c> {
    conn: &'c Connection,
    statements: Kept<'c>,
    shared: &'c Shared,
    /// What requests have read and nobody has changed since.
    memo: Memo,
    /// What is written at the end of the transaction.
    collected: Collected,
}

/// How a request ended.
#[derive(PartialEq, Eq)]
enum Ended {
    /// Whatever it has left in the transaction shall stay.
    Well,
    /// The transaction is not to be committed.
    Badly,
}

impl Writer<'_> {
    /// Runs a batch to its end, and answers all of it.
    fn serve(&mut self, mut batch: Vec<Box<dyn Job>>) {
        // They too are answered after the commit: why they failed may be what others wrote.
        let mut failed = Vec::new();
        let outcome = self.shared.place.held().and_then(|()| {
            loop {
                match self.transaction(&mut batch, !failed.is_empty()) {
                    Ok(None) => break Ok(()),
                    Ok(Some(place)) => failed.push(batch.remove(place)),
                    Err(error) => break Err(error),
                }
            }
        });
        batch.append(&mut failed);
        // What was committed to a file that is gone must not be acknowledged.
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

    /// One transaction for the batch; the place of a request that ended it, which is undone.
    fn transaction(&mut self, batch: &mut [Box<dyn Job>], apart: bool) -> Result<Option<usize>> {
        self.execute("BEGIN IMMEDIATE")?;
        self.collected.restart();
        match self.version() {
            Ok(version) => self.memo.at(version),
            Err(error) => {
                self.roll_back();
                return Err(error);
            }
        }
        for (place, job) in batch.iter_mut().enumerate() {
            let ended = self.run(job.as_mut(), apart).unwrap_or_else(|error| {
                job.fail(Error::Unavailable(error.to_string()));
                Ended::Badly
            });
            if ended == Ended::Badly {
                self.roll_back();
                return Ok(Some(place));
            }
        }
        let written = self.write_collected().and_then(|()| self.execute("COMMIT"));
        written.inspect_err(|_| self.roll_back()).map(|()| None)
    }

    fn write_collected(&mut self) -> Result<()> {
        let conn = Conn::Sqlite(&mut self.statements);
        Tx::writing(conn, &self.shared.breaker, &mut self.collected).remembering(&mut self.memo).write_collected()
    }

    /// Runs one request, apart from the others in a savepoint, or among them.
    fn run(&mut self, job: &mut dyn Job, apart: bool) -> Result<Ended> {
        if apart {
            self.execute("SAVEPOINT request")?;
        }
        self.statements.take_changed();
        self.collected.begin();
        let conn = Conn::Sqlite(&mut self.statements);
        let mut tx = Tx::writing(conn, &self.shared.breaker, &mut self.collected).remembering(&mut self.memo);
        let kept = catch_unwind(AssertUnwindSafe(|| job.run(&mut tx))).unwrap_or_else(|_| {
            job.fail(Error::Bug("a write panicked".into()));
            false
        });
        if !kept {
            self.collected.undo();
        }
        let undo = !kept && self.statements.take_changed();
        if undo {
            self.memo.forget();
        }
        if undo && apart && !self.conn.is_autocommit() {
            self.execute("ROLLBACK TO request")?;
        }
        if self.conn.is_autocommit() {
            return Err(Error::Unavailable("the database ended the transaction".into()));
        }
        if apart {
            self.execute("RELEASE request")?;
        }
        Ok(if undo && !apart { Ended::Badly } else { Ended::Well })
    }

    /// Another one as soon as another connection has committed, of whatever process.
    fn version(&mut self) -> Result<i64> {
        let mut version = 0;
        self.statements.each("PRAGMA data_version", &[], &mut |row| {
            version = row.get(0)?;
            Ok(())
        })?;
        Ok(version)
    }

    fn roll_back(&mut self) {
        self.memo.forget();
        if !self.conn.is_autocommit()
            && let Err(error) = self.execute("ROLLBACK")
        {
            tracing::error!(%error, "cannot roll back a failed transaction");
        }
    }

    fn execute(&mut self, sql: &'static str) -> Result<()> {
        self.statements.run(sql, &[]).map(|_| ())
    }
}
