//! The one writer: takes what is queued, gives each request a savepoint, commits once, then answers all.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, TryLockError, mpsc};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::reader::Reader;
use super::{SNAPSHOT_AGE, Shared, fault, open};
use crate::db::breaker::Breaker;
use crate::db::tx::{Conn, Tx};
use crate::error::{Error, Result};

/// How many requests share a commit at most.
const BATCH: usize = 256;

/// How often the log is copied back into the database.
const CHECKPOINT_EVERY: Duration = Duration::from_millis(200);

/// Pages in the log (64 MiB) beyond which the writer itself makes it start again from its beginning.
const LOG_PAGES: u64 = 16_384;

/// How long the writer waits for readers when it makes the log start again: longer than a snapshot is kept.
const RESTART_WAIT: Duration = Duration::from_millis(100);

/// A request that waits for the writer.
pub(super) trait Job: Send {
    /// Runs the closure and keeps its result; whether what it did shall stay.
    fn run(&mut self, tx: &mut Tx<'_>) -> bool;
    /// Puts an error in the place of the result.
    fn fail(&mut self, error: Error);
    /// Answers the request with what was kept.
    fn answer(self: Box<Self>);
}

struct Waiting<R, F> {
    work: F,
    result: Result<R>,
    answer: oneshot::Sender<Result<R>>,
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
}

pub(super) fn job<R, F>(work: F) -> (Box<dyn Job>, oneshot::Receiver<Result<R>>)
where
    R: Send + 'static,
    F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
{
    let (answer, receiver) = oneshot::channel();
    let result = Err(Error::Unavailable("the write was not run".into()));
    (Box::new(Waiting { work, result, answer }), receiver)
}

pub(super) fn start(
    conn: Connection,
    shared: Arc<Shared>,
    jobs: mpsc::Receiver<Box<dyn Job>>,
) -> Result<JoinHandle<()>> {
    let run = move || {
        let mut restart_at = LOG_PAGES;
        while let Ok(first) = jobs.recv() {
            let mut batch = vec![first];
            batch.extend(jobs.try_iter().take(BATCH - 1));
            serve(&conn, &shared, batch);
            let pages = shared.log_pages.load(Ordering::Relaxed);
            if pages > restart_at {
                // Whoever reads for long keeps the log from that; it is not asked again for each write.
                restart_at = if restart_log(&conn, &shared) { LOG_PAGES } else { pages * 2 };
            }
        }
    };
    Builder::new().name("db-writer".into()).spawn(run).map_err(|e| Error::Unavailable(e.to_string()))
}

/// Runs a batch to its end. A request whose failure took the whole transaction with it (a full disk can) is
/// answered alone, and the others are run again.
fn serve(conn: &Connection, shared: &Shared, mut batch: Vec<Box<dyn Job>>) {
    while !batch.is_empty() {
        let outcome = begin(conn).and_then(|()| {
            let lost = batch.iter_mut().position(|job| !run(conn, &shared.breaker, job.as_mut()));
            if lost.is_none() { commit(conn).map(|()| None) } else { Ok(lost) }
        });
        match outcome {
            Ok(Some(lost)) => batch.remove(lost).answer(),
            Ok(None) => {
                shared.published.fetch_add(1, Ordering::Release);
                return batch.into_iter().for_each(Job::answer);
            }
            Err(error) => {
                let text = error.to_string();
                tracing::error!(error = text, "a batch of writes could not be committed");
                for job in &mut batch {
                    job.fail(Error::Unavailable(text.clone()));
                }
                return batch.into_iter().for_each(Job::answer);
            }
        }
    }
}

/// Runs one request in a savepoint of its own; false when the transaction around it is gone.
fn run(conn: &Connection, breaker: &Breaker, job: &mut dyn Job) -> bool {
    let done = execute(conn, "SAVEPOINT request").and_then(|()| {
        let mut tx = Tx::writing(Conn::Sqlite(conn), breaker);
        let kept = catch_unwind(AssertUnwindSafe(|| job.run(&mut tx))).unwrap_or_else(|_| {
            job.fail(Error::Bug("a write panicked".into()));
            false
        });
        if !kept && !conn.is_autocommit() {
            execute(conn, "ROLLBACK TO request")?;
        }
        if conn.is_autocommit() {
            return Err(Error::Unavailable("the transaction was ended by the database".into()));
        }
        execute(conn, "RELEASE request")
    });
    if let Err(error) = done {
        job.fail(Error::Unavailable(error.to_string()));
        roll_back(conn);
        return false;
    }
    true
}

fn begin(conn: &Connection) -> Result<()> {
    execute(conn, "BEGIN IMMEDIATE")
}

fn commit(conn: &Connection) -> Result<()> {
    execute(conn, "COMMIT").inspect_err(|_| roll_back(conn))
}

fn roll_back(conn: &Connection) {
    if !conn.is_autocommit()
        && let Err(error) = execute(conn, "ROLLBACK")
    {
        tracing::error!(%error, "a failed transaction could not be rolled back");
    }
}

fn execute(conn: &Connection, sql: &'static str) -> Result<()> {
    let done = conn.prepare_cached(sql).and_then(|mut statement| statement.execute([]));
    done.map(|_| ()).map_err(|e| fault(sql, e))
}

/// Ends the kept snapshots and has the log start again; without this it grows as long as there is load. Whether it
/// did: a read that takes its time is not waited for.
fn restart_log(conn: &Connection, shared: &Shared) -> bool {
    let soon = Instant::now() + RESTART_WAIT;
    for reader in &shared.readers {
        while !release(reader, Duration::ZERO) && Instant::now() < soon {
            std::thread::yield_now();
        }
    }
    let restarted = conn.busy_timeout(RESTART_WAIT).map_err(|e| fault("busy_timeout", e)).and_then(|()| {
        let done = checkpoint(conn, "PRAGMA wal_checkpoint(RESTART)");
        conn.busy_timeout(open::BUSY).map_err(|e| fault("busy_timeout", e)).and(done)
    });
    match restarted {
        Ok(Checkpoint { complete: true, .. }) => {
            shared.log_pages.store(0, Ordering::Relaxed);
            true
        }
        Ok(_) => false,
        Err(error) => {
            tracing::warn!(%error, "the write-ahead log could not be restarted");
            false
        }
    }
}

/// Ends a snapshot that is so old, unless the reader is at work.
fn release(reader: &Mutex<Reader>, older_than: Duration) -> bool {
    match reader.try_lock() {
        Ok(mut reader) => reader.release(older_than),
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner().release(older_than),
        Err(TryLockError::WouldBlock) => return false,
    }
    true
}

/// Copies the log back in steps, and ends snapshots that nobody has used for a while.
pub(super) fn start_checkpoints(conn: Connection, shared: Arc<Shared>) -> Result<JoinHandle<()>> {
    let run = move || {
        let mut seen = 0;
        while !shared.stopping.load(Ordering::SeqCst) {
            std::thread::park_timeout(CHECKPOINT_EVERY);
            for reader in &shared.readers {
                release(reader, SNAPSHOT_AGE);
            }
            let published = shared.published.load(Ordering::Acquire);
            if published != seen {
                seen = published;
                match checkpoint(&conn, "PRAGMA wal_checkpoint(PASSIVE)") {
                    Ok(done) => shared.log_pages.store(done.pages, Ordering::Relaxed),
                    Err(error) => tracing::warn!(%error, "a checkpoint failed; it will be tried again"),
                }
            }
        }
    };
    Builder::new().name("db-checkpoint".into()).spawn(run).map_err(|e| Error::Unavailable(e.to_string()))
}

/// What came of a checkpoint.
struct Checkpoint {
    /// Whether nobody was in its way.
    complete: bool,
    /// How many pages are in the log.
    pages: u64,
}

fn checkpoint(conn: &Connection, sql: &'static str) -> Result<Checkpoint> {
    let (busy, pages): (i64, i64) =
        conn.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?))).map_err(|e| fault(sql, e))?;
    Ok(Checkpoint { complete: busy == 0, pages: u64::try_from(pages).unwrap_or(0) })
}
