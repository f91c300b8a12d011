//! SQLite: readers run inline on the worker that has the request, and one writer commits for many requests.
//!
//! Readers keep their snapshot open until the writer publishes a newer commit, and at most for the age that
//! [`TimeLimits`](super::TimeLimits) allows. The writer takes all queued writes and commits once.

pub mod backup;
mod budget;
mod checkpoint;
mod damage;
mod fault;
mod open;
mod place;
mod reader;
mod schema;
mod shared;
mod statements;
mod writer;

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use prometheus_client::metrics::histogram::Histogram;

use self::budget::ReadBudget;
use self::fault::fault;
use self::shared::Shared;
use super::long_reads::LongReads;
use super::observer::Observed;
use super::options::Options;
use super::rerun::Ran;
use super::tx::Tx;
use super::writer::{Job, job};
use crate::error::{Error, Result, Scarce};

/// The number of long reads that may run at a time on threads of their own.
pub(super) const LONG_READS: usize = 4;

#[derive(Clone)]
pub(super) struct Sqlite(Arc<Inner>);

struct Inner {
    shared: Arc<Shared>,
    queue: Option<mpsc::Sender<Box<dyn Job>>>,
    threads: Vec<std::thread::JoinHandle<()>>,
}

impl Sqlite {
    pub(super) fn open(path: &Path, observed: Observed, options: Options, batches: Histogram) -> Result<Self> {
        let connection = open::writer(path)?;
        let shared = Arc::new(Shared {
            place: place::Place::of(path)?,
            observed,
            limits: options.limits,
            batches,
            published: AtomicU64::new(1),
            log_pages: AtomicU64::new(0),
            stopping: AtomicBool::new(false),
            restarting: AtomicBool::new(false),
            readers: thread_local::ThreadLocal::new(),
        });
        let (queue, jobs) = mpsc::channel();
        let threads = vec![
            writer::start(connection, Arc::clone(&shared), jobs, options.batch)?,
            checkpoint::start(open::checkpointer(path)?, Arc::clone(&shared))?,
        ];
        Ok(Self(Arc::new(Inner { shared, queue: Some(queue), threads })))
    }

    pub(super) fn path(&self) -> &Path {
        self.0.shared.place.path()
    }

    /// The maximum age of a snapshot when it is used.
    pub(super) fn snapshot_age(&self) -> Duration {
        self.0.shared.limits.snapshot
    }

    /// Checks that requests can be served from the file at the path.
    pub(super) fn ready(&self) -> Result<()> {
        self.0.shared.place.check()
    }

    /// Refuses everything from now on, because the file is going to be removed.
    pub(super) fn retire(&self) {
        self.0.shared.place.retire();
    }

    /// Rewrites the whole file, so that every page is full and those of a table are in order.
    pub(super) fn compact(&self) -> Result<()> {
        let sql = "VACUUM";
        open::checkpointer(self.path())?.execute_batch(sql).map_err(|e| fault(sql, e))
    }

    /// Reads on this thread, within about a millisecond.
    pub(super) fn read_inline<R>(&self, work: &mut impl FnMut(&mut Tx<'_>) -> Result<R>) -> Ran<R> {
        self.0.shared.read(ReadBudget::Inline, reader::Consistency::Newest, work)
    }

    /// Like [`Self::read_inline`], on the snapshot that this thread keeps, which may be older.
    pub(super) fn read_recent<R>(&self, work: &mut impl FnMut(&mut Tx<'_>) -> Result<R>) -> Ran<R> {
        self.0.shared.read(ReadBudget::Inline, reader::Consistency::Recent, work)
    }

    /// Reads on a thread that may take its time, up to this limit, after waiting up to this limit for one to be free.
    pub(super) async fn read_on_pool<R, F>(&self, turns: &LongReads, mut work: F) -> Result<R>
    where
        R: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
    {
        let turn = turns.turn().await?;
        let allowed = ReadBudget::Within(turns.limit);
        let shared = Arc::clone(&self.0.shared);
        let read = tokio::task::spawn_blocking(move || {
            let _held = turn;
            shared.read(allowed, reader::Consistency::Newest, &mut work)
        });
        let read = read.await.map_err(|e| Error::Bug(format!("a read failed: {e}")))?;
        read.unwrap_or(Err(Error::Busy(Scarce::Readers)))
    }

    pub(super) async fn write<R, F>(&self, work: F) -> Result<R>
    where
        R: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
    {
        let (job, answer) = job(work);
        let stopped = || Error::Unavailable("the writer has stopped".into());
        self.0.queue.as_ref().ok_or_else(stopped)?.send(job).map_err(|_| stopped())?;
        answer.await.map_err(|_| stopped())?
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.shared.stopping.store(true, std::sync::atomic::Ordering::SeqCst);
        self.queue = None;
        // If a job holds the last handle, the writer drops it and ends by itself.
        let here = std::thread::current().id();
        for thread in self.threads.drain(..).filter(|thread| thread.thread().id() != here) {
            thread.thread().unpark();
            if thread.join().is_err() {
                tracing::error!("a database thread panicked");
            }
        }
    }
}
