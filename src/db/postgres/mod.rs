//! PostgreSQL: a bounded pool of threads, each with its own connection and its own prepared statements.
//!
//! Reads run in one read-only snapshot. A write takes its locks before it reads the data that it decides on. It runs
//! again after a serialization failure, a deadlock, or a reference to a deleted row. Every wait has a deadline. A write
//! whose outcome is unknown is not run again.

pub(super) mod connection;
mod lanes;
mod lasting;
mod pool;
mod proof;
mod reach;
mod reading;
pub(super) mod shared;
mod timeouts;
mod wait;
mod wire;
mod writing;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use lanes::{Lane, Lanes, Queued};
use pool::Pool;
use prometheus_client::metrics::histogram::Histogram;
use reading::Mode;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tokio_postgres::Config;
use tokio_postgres::config::Host;

pub use reach::OUTAGE;
pub use shared::Origin;
pub(super) use timeouts::Timeouts;
use wait::{STOPPED, Wait};

use self::connection::Connection;
use self::shared::Shared;
use super::long_reads::LongReads;
use super::observer::Observed;
use super::options::{Options, Place};
use super::rerun::{Ran, Rerun};
use super::tx::{Memory, Tx};
use super::writer::job;
use crate::error::{Error, Result, Scarce};

/// The number of reads that need more memory and may run at a time. No budget counts their rows before they are read.
pub(super) const LONG_READS: usize = 1;

/// The number of times a request is retried after a failure that another request caused.
const ATTEMPTS: u32 = 8;

const RACES: &str = "other requests kept changing the same data";

#[derive(Clone)]
pub(super) struct Postgres {
    pool: Pool,
    reach: reach::Reach,
    lanes: Lanes,
    /// The number of writes so far that share no transaction.
    alone: Arc<AtomicU64>,
    batch: usize,
    observed: Observed,
    shared: Shared,
    proof: Option<proof::Proof>,
}

/// One thread of the pool, with its connection if it has one.
struct Worker {
    config: Arc<Config>,
    runtime: Arc<Runtime>,
    reach: reach::Reach,
    /// The connection, and the incarnation of the cache in which it was opened.
    connection: Option<(Connection, u64)>,
    observed: Observed,
    shared: Shared,
    batches: Histogram,
    /// The time during which a transaction may begin further requests.
    longest: Duration,
    proof: Option<proof::Proof>,
}

/// The host and the name of the database of a URL, without the rest, which may have a password.
#[must_use]
pub fn host_and_name(url: &str) -> String {
    let Ok(config) = url.parse::<Config>() else { return "PostgreSQL".to_owned() };
    let hosts = config.get_hosts().iter().map(|host| match host {
        Host::Tcp(name) => name.clone(),
        Host::Unix(path) => path.display().to_string(),
    });
    let hosts = hosts.collect::<Vec<_>>().join(",");
    format!("PostgreSQL, {hosts}/{}", config.get_dbname().or(config.get_user()).unwrap_or_default())
}

impl Postgres {
    pub(super) fn open(url: &str, options: Options, observed: &Observed, batches: &Histogram) -> Result<Self> {
        let mut config: Config = url.parse().map_err(|e| {
            Error::Unavailable(format!("invalid database URL: {e}; use postgres://USER:PASSWORD@HOST/NAME"))
        })?;
        config.application_name("guildhall");
        // If there are several hosts, there must be time to try the next one.
        let hosts = config.get_hosts().len().max(config.get_hostaddrs().len());
        let hosts = u32::try_from(hosts.max(1)).unwrap_or(u32::MAX);
        config.connect_timeout(Timeouts::Request.connect() / hosts);
        let config = Arc::new(config);
        let reach = reach::Reach::watch(Arc::clone(&config), Arc::new(runtime()?))?;
        let shared = Shared::new(options.limits.recent);
        // If there are several hosts, each connection may reach another one.
        let proof = if options.shared_reads && hosts == 1 {
            let runtime = Arc::new(runtime()?);
            Some(proof::Proof::start(Arc::clone(&config), runtime, shared.clone(), reach.clone())?)
        } else {
            None
        };
        let workers = std::iter::repeat_with(|| {
            Ok(Worker {
                config: Arc::clone(&config),
                runtime: Arc::new(runtime()?),
                reach: reach.clone(),
                connection: None,
                observed: observed.clone(),
                shared: shared.clone(),
                batches: batches.clone(),
                longest: options.limits.transaction,
                proof: proof.clone(),
            })
        });
        let pool = Pool::start(workers.take(options.connections))?;
        let observed = observed.clone();
        Ok(Self {
            pool,
            reach,
            lanes: Lanes::default(),
            alone: Arc::default(),
            batch: options.batch,
            observed,
            shared,
            proof,
        })
    }

    #[cfg(debug_assertions)]
    pub(super) fn suffer(&self, flaw: super::Flaw) {
        self.shared.suffer(flaw);
    }

    /// Runs a function on each free thread of the pool.
    pub(super) fn on_each_thread(&self, work: fn()) {
        self.pool.give_each(|| Box::new(move |_| work()));
    }

    /// Runs a read on the cache, if the cache has everything that the read needs.
    pub(super) async fn read_inline<R>(&self, work: &mut impl FnMut(&mut Tx<'_>) -> Result<R>) -> Ran<R> {
        if let Err(lost) = self.reach.held() {
            return Ok(Err(lost));
        }
        let proof = self.proof.as_ref().ok_or(Rerun::Elsewhere)?;
        let number = proof.version().await.ok_or(Rerun::Elsewhere)?;
        self.run_in_memory(Memory::Proven { shared: &self.shared, number }, work)
    }

    /// Runs a read without a connection.
    fn run_in_memory<R>(&self, memory: Memory<'_>, work: &mut impl FnMut(&mut Tx<'_>) -> Result<R>) -> Ran<R> {
        let mut tx = Tx::reading(None, &self.observed).with_memory(memory);
        let answer = work(&mut tx);
        tx.rerun().map_or(Ok(answer), Err)
    }

    /// Runs a read on what was cached in the last second, if that is all that the read needs.
    pub(super) fn read_recent<R>(&self, work: &mut impl FnMut(&mut Tx<'_>) -> Result<R>) -> Ran<R> {
        if let Err(lost) = self.reach.held() {
            return Ok(Err(lost));
        }
        self.run_in_memory(Memory::Recent(&self.shared), work)
    }

    /// Reads over one of the connections.
    pub(super) async fn read<R, F>(&self, timeouts: Timeouts, turns: &LongReads, authorizes: bool, work: F) -> Result<R>
    where
        R: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
    {
        // A command runs its reads one after another.
        let long = timeouts != Timeouts::Request;
        let mode = Mode { long, authorizes, presumes: true };
        let (answered, work) = self.run(mode, timeouts, work).await;
        let mut work = match (answered, work) {
            (Err(_), Some(work)) => work,
            (answered, _) => return answered.unwrap_or_else(|_| Err(Error::Unavailable(STOPPED.into()))),
        };
        let turn = turns.turn().await?;
        // The turn ends with the read, which continues if its caller leaves.
        let in_turn = move |tx: &mut Tx<'_>| {
            let _held = &turn;
            work(tx)
        };
        let (answered, _) = self.run(Mode { long: true, ..mode }, timeouts, in_turn).await;
        answered.unwrap_or_else(|_| Err(Error::Busy(Scarce::Readers)))
    }

    /// Writes, in one transaction with the other queued writes of the same lane.
    pub(super) async fn write<R, F>(&self, timeouts: Timeouts, place: Option<Place>, work: F) -> Result<R>
    where
        R: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
    {
        let wait = Wait::new(timeouts);
        let (job, receiver) = job(work);
        let taken = Arc::<AtomicBool>::default();
        let lane = match place {
            Some(place) => Lane::Shared(timeouts, place.lane),
            None => Lane::Own(self.alone.fetch_add(1, Ordering::Relaxed)),
        };
        let person = place.map_or(0, |place| place.person);
        if self.lanes.add(lane, Queued { job, person, wait, taken: Arc::clone(&taken) }) {
            self.begin(lane);
        }
        wait.answered(receiver, &taken).await?
    }

    /// Makes a thread run the writes of a lane until none is queued.
    fn begin(&self, lane: Lane) {
        let turn = LaneTurn { store: self.clone(), lane };
        self.pool.give(Box::new(move |worker| {
            // If all cores are busy, clients that are about to send more writes get to run first.
            std::thread::yield_now();
            let lanes = &turn.store.lanes;
            lanes.give_back(turn.lane, worker.write(lanes.take(turn.lane, turn.store.batch)));
        }));
    }

    /// Checks that a connection can be made and that statements are answered. Waits less than two seconds.
    pub(super) async fn ready(&self, turns: &LongReads) -> Result<()> {
        let answered = tokio::time::timeout(
            reach::ASKED,
            self.read(Timeouts::Request, turns, false, |tx| tx.any("SELECT 1", &[])),
        );
        let (reached, answered) = tokio::join!(self.reach.ready(), answered);
        reached?;
        answered.map_err(|_| Error::Unavailable("PostgreSQL does not answer in time".into()))?.map(|_| ())
    }

    /// Runs a closure on a thread of the pool. Returns the result, and the closure if it was run.
    async fn run<R, F>(&self, mode: Mode, timeouts: Timeouts, mut work: F) -> (Ran<R>, Option<F>)
    where
        R: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
    {
        let (answer, receiver) = oneshot::channel();
        let wait = Wait::new(timeouts);
        // Whichever side sets this first owns the request: the thread that begins it, or the caller who gives up.
        let taken = Arc::new(AtomicBool::new(false));
        let begun = Arc::clone(&taken);
        self.pool.give(Box::new(move |worker| {
            if !begun.swap(true, Ordering::SeqCst) {
                // The caller may be gone. A write remains.
                drop(answer.send((worker.serve(mode, wait, &mut work), Some(work))));
            }
        }));
        wait.answered(receiver, &taken).await.unwrap_or_else(|error| (Ok(Err(error)), None))
    }
}

/// A lane that is being run. When its turn ends, for whatever reason, the next one begins if writes are queued.
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

/// The runtime that a thread waits with. Each thread has its own, so that none waits for another.
fn runtime() -> Result<Runtime> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|e| Error::Unavailable(format!("cannot start a database thread: {e}")))
}
