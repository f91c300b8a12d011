//! PostgreSQL: a bounded pool of threads, each with its own connection and its kept prepared statements.
//!
//! House section 16. Reads run in one read-only snapshot; a write takes its locks before it reads
//! what it decides on, and is run again after a serialization failure, a deadlock, or a reference to what has gone.
//! Every wait has a deadline; a write of which it is not known whether it happened is not run again.

mod connection;
mod lanes;
mod lasting;
mod patience;
mod proof;
mod reach;
mod shared;
mod wire;
mod writing;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use lanes::{Lane, Lanes, Queued};
use prometheus_client::metrics::histogram::Histogram;
use tokio::runtime::Runtime;
use tokio::sync::{Semaphore, oneshot};
use tokio_postgres::Config;

pub(super) use connection::Connection;
pub(super) use patience::Patience;
pub(super) use shared::Shared;

use super::breaker::Breaker;
use super::tx::{Conn, Memory, Tx};
use super::writer::job;
use super::{Options, Place};
use crate::error::{Error, Result};

/// How many bytes of rows a read may have while others are beside it: it is run again in its turn if it needs more.
const READ_BYTES: usize = 4 << 20;

/// How many reads that need more may run beside each other. What they hold is counted by no budget before it is read.
const LONG_READS: usize = 1;

/// How often a request is run again after a failure that another request caused.
const ATTEMPTS: u32 = 8;

/// How long every transaction has to begin and to answer its first statement.
const LEAST: Duration = Duration::from_millis(300);

/// What begins a read. It also asks which version of the data the read sees.
const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT CAST(pg_current_snapshot() AS TEXT)";

const STOPPED: &str = "the database threads have stopped";

type Work = Box<dyn FnOnce(&mut Worker) + Send>;

#[derive(Clone)]
pub(super) struct Postgres {
    queue: mpsc::Sender<Work>,
    connections: usize,
    reach: reach::Reach,
    long_reads: Arc<Semaphore>,
    lanes: Lanes,
    /// How many writes there were that share no transaction.
    alone: Arc<AtomicU64>,
    batch: usize,
    breaker: Breaker,
    shared: Shared,
    proof: Option<proof::Proof>,
}

/// One thread of the pool, with its connection when it has one.
struct Worker {
    config: Arc<Config>,
    runtime: Arc<Runtime>,
    reach: reach::Reach,
    /// The connection, and the incarnation of memory that it was opened in.
    connection: Option<(Connection, u64)>,
    breaker: Breaker,
    shared: Shared,
    batches: Histogram,
    proof: Option<proof::Proof>,
}

/// How a read is run.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Mode {
    /// Whether it has its turn and may have any size.
    long: bool,
    /// Whether it judges a write beforehand.
    judges: bool,
    /// Whether it presumes that nothing has changed since freshness was proven last.
    presumes: bool,
}

/// How long one request may wait: for each statement, and until when for its transaction to begin.
#[derive(Clone, Copy)]
struct Wait {
    patience: Patience,
    until: Instant,
}

impl Postgres {
    pub(super) fn open(url: &str, options: Options, breaker: &Breaker, batches: &Histogram) -> Result<Self> {
        let mut config: Config = url.parse().map_err(|e| {
            Error::Unavailable(format!("invalid database URL: {e}; use postgres://USER:PASSWORD@HOST/NAME"))
        })?;
        config.application_name("guildhall");
        // Of several hosts the next one is tried in time.
        let hosts = u32::try_from(config.get_hosts().len().max(1)).unwrap_or(u32::MAX);
        config.connect_timeout(Patience::Request.connect() / hosts);
        let config = Arc::new(config);
        let reach = reach::Reach::watch(Arc::clone(&config), Arc::new(runtime()?))?;
        let shared = Shared::default();
        // Of several hosts each connection may reach another one.
        let proof = if options.shared_reads && hosts == 1 {
            let runtime = Arc::new(runtime()?);
            Some(proof::Proof::start(Arc::clone(&config), runtime, shared.clone(), reach.clone())?)
        } else {
            None
        };
        let (queue, work) = mpsc::channel::<Work>();
        let work = Arc::new(Mutex::new(work));
        for number in 0..options.connections {
            let work = Arc::clone(&work);
            let mut worker = Worker {
                config: Arc::clone(&config),
                runtime: Arc::new(runtime()?),
                reach: reach.clone(),
                connection: None,
                breaker: breaker.clone(),
                shared: shared.clone(),
                batches: batches.clone(),
                proof: proof.clone(),
            };
            let run = move || {
                while let Some(next) = next(&work) {
                    next(&mut worker);
                }
            };
            let thread = std::thread::Builder::new().name(format!("db-{number}")).spawn(run);
            thread.map_err(|e| Error::Unavailable(e.to_string()))?;
        }
        let (long_reads, breaker) = (Arc::new(Semaphore::new(LONG_READS)), breaker.clone());
        let Options { batch, connections, .. } = options;
        Ok(Self {
            queue,
            connections,
            reach,
            long_reads,
            lanes: Lanes::default(),
            alone: Arc::default(),
            batch,
            breaker,
            shared,
            proof,
        })
    }

    /// Has each thread of the pool do this, as far as it is free: one that is busy leaves its part to the others.
    pub(super) fn on_each_thread(&self, work: fn()) {
        for _ in 0..self.connections {
            let part = move |_: &mut Worker| {
                work();
                // Else one thread would do it all before the others wake.
                std::thread::sleep(Duration::from_millis(1));
            };
            // The pool ends with the program.
            drop(self.queue.send(Box::new(part)));
        }
    }

    /// Answers a read from memory, if that holds everything that it needs; else `Error::Budget`.
    pub(super) async fn read_inline<R>(&self, work: &mut impl FnMut(&mut Tx<'_>) -> Result<R>) -> Result<R> {
        self.reach.held()?;
        let Some(proof) = &self.proof else { return Err(Error::Budget) };
        let Some(number) = proof.version().await else { return Err(Error::Budget) };
        self.run_in_memory(Memory::Proven { shared: &self.shared, number }, work)
    }

    /// Runs a read without a connection.
    fn run_in_memory<R>(&self, memory: Memory<'_>, work: &mut impl FnMut(&mut Tx<'_>) -> Result<R>) -> Result<R> {
        let mut tx = Tx::reading(Conn::Nothing, &self.breaker).remembering(memory);
        let answer = work(&mut tx);
        // Whatever it has made of that: something is not in memory.
        if tx.has_failed() { Err(Error::Budget) } else { answer }
    }

    /// Answers a read from what was kept in the last second; else `Error::Budget`.
    pub(super) fn read_recent<R>(&self, work: &mut impl FnMut(&mut Tx<'_>) -> Result<R>) -> Result<R> {
        self.reach.held()?;
        self.run_in_memory(Memory::Recent(&self.shared), work)
    }

    /// Reads over one of the connections.
    pub(super) async fn read<R, F>(&self, patience: Patience, judges: bool, work: F) -> Result<R>
    where
        R: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
    {
        // A command runs its reads one after another.
        let long = patience != Patience::Request;
        let mode = Mode { long, judges, presumes: true };
        let (answered, work) = self.run(mode, patience, work).await;
        let (Err(Error::Budget), Some(mut work)) = (&answered, work) else { return answered };
        let turn = tokio::time::timeout(patience.turn(), Arc::clone(&self.long_reads).acquire_owned()).await;
        let turn = turn.map_err(|_| Error::Busy)?.map_err(|_| Error::Busy)?;
        // The turn ends with the read, which goes on if its caller goes.
        let in_turn = move |tx: &mut Tx<'_>| {
            let _held = &turn;
            work(tx)
        };
        self.run(Mode { long: true, ..mode }, patience, in_turn).await.0
    }

    /// Writes, in one transaction with what else waits for the same place.
    pub(super) async fn write<R, F>(&self, patience: Patience, place: Option<Place>, work: F) -> Result<R>
    where
        R: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
    {
        let wait = Wait { patience, until: Instant::now() + patience.turn() };
        let (job, receiver) = job(work);
        let taken = Arc::<AtomicBool>::default();
        let lane = match place {
            Some(place) => Lane::Shared(patience, place.lane),
            None => Lane::Own(self.alone.fetch_add(1, Ordering::Relaxed)),
        };
        let person = place.map_or(0, |place| place.person);
        if self.lanes.add(lane, Queued { job, person, wait, taken: Arc::clone(&taken) }) {
            self.begin(lane);
        }
        answered(receiver, wait, &taken).await?
    }

    /// Has a thread carry out what waits in a lane, now and as long as something does.
    fn begin(&self, lane: Lane) {
        let turn = LaneTurn { store: self.clone(), lane };
        let sent = self.queue.send(Box::new(move |worker| {
            // On a machine whose cores are all at work, those who have yet to send what they wait for come first.
            std::thread::yield_now();
            worker.write(turn.store.lanes.take(turn.lane, turn.store.batch));
        }));
        if let Err(unsent) = sent {
            // Nobody is left to answer: what waits is dropped first, so that the turn does not begin again.
            drop(self.lanes.take(lane, usize::MAX));
            drop(unsent);
        }
    }

    /// Whether a connection can be made and statements are answered; it is not waited for two seconds.
    pub(super) async fn ready(&self) -> Result<()> {
        let answered =
            tokio::time::timeout(reach::ASKED, self.read(Patience::Request, false, |tx| tx.any("SELECT 1", &[])));
        let (reached, answered) = tokio::join!(self.reach.ready(), answered);
        reached?;
        answered.map_err(|_| Error::Unavailable("PostgreSQL does not answer in time".into()))?.map(|_| ())
    }

    /// Runs this on a thread of the pool; what came of it, and the closure if it was run.
    async fn run<R, F>(&self, mode: Mode, patience: Patience, mut work: F) -> (Result<R>, Option<F>)
    where
        R: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
    {
        let (answer, receiver) = oneshot::channel();
        let wait = Wait { patience, until: Instant::now() + patience.turn() };
        // The request belongs to the side that sets this first: the thread that begins it, or the caller who gives it up.
        let taken = Arc::new(AtomicBool::new(false));
        let begun = Arc::clone(&taken);
        let task: Work = Box::new(move |worker| {
            if !begun.swap(true, Ordering::SeqCst) {
                // The caller may have gone; a write stays.
                drop(answer.send((worker.serve(mode, wait, &mut work), Some(work))));
            }
        });
        if self.queue.send(task).is_err() {
            return (Err(Error::Unavailable(STOPPED.into())), None);
        }
        answered(receiver, wait, &taken).await.unwrap_or_else(|error| (Err(error), None))
    }
}

/// Waits for an answer, but gives up what has not begun in time.
async fn answered<T>(mut receiver: oneshot::Receiver<T>, wait: Wait, taken: &AtomicBool) -> Result<T> {
    let stopped = |_| Error::Unavailable(STOPPED.into());
    match tokio::time::timeout_at(wait.until.into(), &mut receiver).await {
        Ok(done) => done.map_err(stopped),
        Err(_) if taken.swap(true, Ordering::SeqCst) => receiver.await.map_err(stopped),
        Err(_) => Err(Error::Unavailable("no connection to PostgreSQL became free in time".into())),
    }
}

/// A lane that is under way. When its turn ends, however that happens, the next one begins if something waits.
struct LaneTurn {
    store: Postgres,
    lane: Lane,
}

impl Drop for LaneTurn {
    fn drop(&mut self) {
        if !self.store.lanes.end(self.lane) {
            self.store.begin(self.lane);
        }
    }
}

/// What a thread waits with: each has its own, so that none waits for another.
fn runtime() -> Result<Runtime> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|e| Error::Unavailable(format!("cannot start a database thread: {e}")))
}

fn next(work: &Mutex<mpsc::Receiver<Work>>) -> Option<Work> {
    work.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

impl Worker {
    fn serve<R>(&mut self, mode: Mode, wait: Wait, work: &mut impl FnMut(&mut Tx<'_>) -> Result<R>) -> Result<R> {
        let mut reconnected = false;
        for attempt in 0..ATTEMPTS {
            let mode = Mode { presumes: attempt == 0, ..mode };
            let attempt = std::panic::AssertUnwindSafe(|| self.attempt(mode, wait, work));
            let outcome = std::panic::catch_unwind(attempt).unwrap_or_else(|_| {
                self.connection = None;
                Err(Error::Bug("a request panicked".into()))
            });
            let lost = self.connection.as_ref().is_none_or(|(connection, _)| connection.is_closed());
            if lost {
                self.connection = None;
            }
            match outcome {
                Err(Error::Stale) => {}
                // A kept connection may have died of a restart.
                Err(_) if lost && !reconnected && self.reach.held().is_ok() => reconnected = true,
                outcome => return outcome,
            }
        }
        Err(Error::Unavailable("other requests kept changing the same data".into()))
    }

    /// One try of a read.
    fn attempt<R>(&mut self, mode: Mode, wait: Wait, work: &mut impl FnMut(&mut Tx<'_>) -> Result<R>) -> Result<R> {
        let (breaker, reach, shared) = (self.breaker.clone(), self.reach.clone(), self.shared.clone());
        let (connection, incarnation) = self.connect(wait)?;
        let most = if mode.long { usize::MAX } else { READ_BYTES };
        connection.begin(BEGIN, most, wait.left());
        let mut tx = Tx::reading(Conn::Postgres(connection), &breaker);
        // Reads of commands are not preceded by a proof: the server may have crashed since the last one.
        if wait.patience == Patience::Request {
            tx = tx.remembering(Memory::shared(&shared, incarnation, mode.judges, mode.presumes));
        }
        let outcome = tx.look(work);
        let ended = match &outcome {
            Ok(_) => connection.end_read(),
            Err(_) if connection.is_closed() => Ok(()),
            Err(_) => connection.end("ROLLBACK").or_else(|error| {
                tracing::warn!(%error, "cannot roll back a transaction");
                Ok(())
            }),
        };
        let outcome = outcome.and_then(|done| ended.map(|()| done));
        if connection.was_given_up()
            && let Err(error) = &outcome
        {
            reach.lost(error);
        }
        outcome
    }

    /// A connection, and the incarnation that it belongs to. One of an earlier incarnation may lead to a server that is
    /// not the primary any more.
    fn connect(&mut self, wait: Wait) -> Result<(&mut Connection, u64)> {
        self.reach.held()?;
        let incarnation = self.shared.incarnation();
        if self.connection.as_ref().is_none_or(|(_, opened_in)| *opened_in != incarnation) {
            self.connection = None;
            let within = wait.patience.connect().min(wait.left());
            let opened = Connection::open(&self.config, &self.runtime, wait.patience, within);
            let opened = opened.inspect_err(|error| self.reach.lost(error))?;
            // Another server: there was a failover since freshness was proven last.
            let elsewhere = self.shared.is_elsewhere(opened.server());
            let incarnation = if elsewhere { self.shared.end() } else { incarnation };
            self.connection = Some((opened, incarnation));
        }
        let (connection, incarnation) = self
            .connection
            .as_mut()
            .map(|(connection, opened_in)| (connection, *opened_in))
            .ok_or_else(|| Error::Bug("no connection".into()))?;
        connection.serve(wait.patience, wait.left())?;
        Ok((connection, incarnation))
    }
}

impl Wait {
    /// A request whose turn comes late still has [`LEAST`], so that a busy server is not taken for one that has stopped.
    fn left(self) -> Duration {
        self.until.saturating_duration_since(Instant::now()).max(LEAST)
    }
}
