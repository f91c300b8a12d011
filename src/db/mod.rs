//! The store: its two doors, [`Db::read`] and [`Db::write`], and the transaction that they hand out.
//!
//! Only this folder names a driver. A closure passed to a door is ordinary synchronous code. It may run more than once,
//! so it must not affect anything except the transaction and its return value.

mod at_commit;
mod bulk;
mod by_ids;
#[cfg(debug_assertions)]
mod flaw;
mod load;
mod long_reads;
mod memo;
mod migrate;
mod observer;
mod options;
mod postgres;
mod rerun;
mod row;
mod slot;
mod sqlite;
mod statements;
mod tx;
mod writer;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

pub use at_commit::{AtCommit, StatementList};
pub use bulk::Bulk;
pub use by_ids::{ByIds, by_ids, by_ids_after};
#[cfg(debug_assertions)]
pub use flaw::Flaw;
pub use load::Load;
pub use memo::{Cacheable, MadeOf};
pub use migrate::{newest as newest_schema, numbers as migrations};
pub use observer::Observer;
pub use options::{Options, Place, TimeLimits};
pub use postgres::{OUTAGE, Origin, host_and_name};
pub use row::{Bind, Column, FromRow, Joined, Made, Params, Row, word_of, word_or_none};
pub(crate) use row::{row, select};
pub use slot::Slot;
pub use sqlite::backup;
pub use tx::{Lock, Tx};

use long_reads::LongReads;
use observer::Observed;

use crate::clock::Clock;
use crate::error::Result;

/// The place where the data is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// An SQLite file.
    Sqlite(PathBuf),
    /// The URL of a PostgreSQL database.
    Postgres(String),
}

/// The database. Clones share it, and it closes when the last one is dropped.
#[derive(Clone)]
pub struct Db {
    engine: Engine,
    load: Load,
    timeouts: postgres::Timeouts,
    long_reads: LongReads,
    /// The number of threads that read.
    threads: usize,
}

#[derive(Clone)]
enum Engine {
    Sqlite(sqlite::Sqlite),
    Postgres(postgres::Postgres),
}

impl Db {
    /// Opens the database and migrates it to this program's schema.
    pub async fn open(address: &Address) -> Result<Self> {
        Self::open_with(address, Options::default()).await
    }

    /// Opens a database that already has this program's schema, and does not change it. Refuses any other.
    pub async fn open_present(address: &Address) -> Result<Self> {
        let db = Self::engine(address, Options::default(), Observed::default())?;
        db.read(migrate::check).await?;
        Ok(db)
    }

    /// Like [`Db::open`], with these options.
    pub async fn open_with(address: &Address, options: Options) -> Result<Self> {
        Self::open_observed_by(Observed::default(), address, options).await
    }

    /// Like [`Db::open_with`], with an observer of every statement. For tests.
    pub async fn open_observed(address: &Address, options: Options, observer: Arc<dyn Observer>) -> Result<Self> {
        Self::open_observed_by(Observed::by(observer), address, options).await
    }

    async fn open_observed_by(observed: Observed, address: &Address, options: Options) -> Result<Self> {
        let db = Self::engine(address, options, observed)?;
        let now = Clock::System.now().0;
        db.write(move |tx| migrate::migrate(tx, now)).await?;
        Ok(db)
    }

    fn engine(address: &Address, options: Options, observed: Observed) -> Result<Self> {
        let load = Load::default();
        let (engine, turns, threads) = match address {
            Address::Sqlite(path) => {
                let sqlite = sqlite::Sqlite::open(path, observed, options, load.batches.clone())?;
                (Engine::Sqlite(sqlite), sqlite::LONG_READS, sqlite::LONG_READS)
            }
            Address::Postgres(url) => {
                let postgres = postgres::Postgres::open(url, options, &observed, &load.batches)?;
                (Engine::Postgres(postgres), postgres::LONG_READS, options.connections)
            }
        };
        let long_reads = LongReads::new(turns);
        Ok(Self { engine, load, timeouts: postgres::Timeouts::Command, long_reads, threads })
    }

    /// The same database with the timeouts of HTTP requests: if PostgreSQL does not respond, they are refused within
    /// five seconds. A command waits longer, because its statements may read all of the data.
    #[must_use]
    pub fn for_requests(self) -> Self {
        Self { timeouts: postgres::Timeouts::Request, long_reads: self.long_reads.for_requests(), ..self }
    }

    /// The same database with turns of its own for the delivery worker, which no request can use up.
    #[must_use]
    pub fn for_deliveries(self) -> Self {
        Self { long_reads: LongReads::new(1), ..self }
    }

    /// The number of reads of one client that may run at a time on threads of the store: a quarter of the threads.
    #[must_use]
    pub fn readers_per_client(&self) -> usize {
        (self.threads / 4).max(1)
    }

    /// Runs a closure on a consistent snapshot, which includes every write that was acknowledged before.
    pub async fn read<R, F>(&self, mut work: F) -> Result<R>
    where
        R: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
    {
        // Rare or slow paths are boxed, because the future of each request is as large as its largest path.
        let answered = match &self.engine {
            Engine::Sqlite(sqlite) => match sqlite.read_inline(&mut work) {
                Ok(answered) => answered,
                Err(_) => Box::pin(sqlite.read_on_pool(&self.long_reads, work)).await,
            },
            Engine::Postgres(postgres) => Box::pin(self.read_postgres(postgres, false, work)).await,
        };
        self.load.note(answered)
    }

    /// Like [`Db::read`], always on a thread of a pool: for work that may take its time, which the thread of a
    /// connection must not wait for.
    pub async fn read_on_pool<R, F>(&self, work: F) -> Result<R>
    where
        R: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
    {
        let answered = match &self.engine {
            Engine::Sqlite(sqlite) => sqlite.read_on_pool(&self.long_reads, work).await,
            Engine::Postgres(postgres) => {
                let _waiting = self.load.wait();
                postgres.read(self.timeouts, &self.long_reads, false, work).await
            }
        };
        self.load.note(answered)
    }

    /// Runs a closure on a snapshot that may lack the writes of the last second. If `holds` rejects the result, runs it
    /// again on the newest snapshot. Use this only if the decision is made again later. On SQLite, many writes then
    /// share a snapshot.
    pub async fn read_recent<R, F>(&self, mut work: F, holds: fn(&R) -> bool) -> Result<R>
    where
        R: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
    {
        let recent = match &self.engine {
            Engine::Sqlite(sqlite) => sqlite.read_recent(&mut work),
            Engine::Postgres(postgres) => postgres.read_recent(&mut work),
        };
        let answered = match (recent, &self.engine) {
            (Ok(Ok(answer)), _) if holds(&answer) => Ok(answer),
            (Ok(Err(error)), _) => Err(error),
            (_, Engine::Sqlite(_)) => return self.read(work).await,
            (_, Engine::Postgres(postgres)) => Box::pin(self.read_postgres(postgres, true, work)).await,
        };
        self.load.note(answered)
    }

    /// Reads from the cache if PostgreSQL proves that nothing has changed, and otherwise over a connection.
    async fn read_postgres<R, F>(&self, postgres: &postgres::Postgres, authorizes: bool, mut work: F) -> Result<R>
    where
        R: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
    {
        // Commands read once, so they would cache values that are not requested again.
        if self.timeouts == postgres::Timeouts::Request
            && let Ok(answered) = postgres.read_inline(&mut work).await
        {
            return answered;
        }
        let _waiting = self.load.wait();
        postgres.read(self.timeouts, &self.long_reads, authorizes, work).await
    }

    /// Runs a closure in a durable transaction. An error undoes all of its changes.
    pub async fn write<R, F>(&self, work: F) -> Result<R>
    where
        R: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
    {
        self.write_in_lane(None, work).await
    }

    /// Like [`Db::write`], for a write that may share its transaction with others on PostgreSQL. On SQLite all writes
    /// do.
    pub async fn write_in_lane<R, F>(&self, place: Option<Place>, work: F) -> Result<R>
    where
        R: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
    {
        let _waiting = self.load.wait();
        let done = match &self.engine {
            Engine::Sqlite(sqlite) => sqlite.write(work).await,
            Engine::Postgres(postgres) => Box::pin(postgres.write(self.timeouts, place, work)).await,
        };
        self.load.note(done)
    }

    /// Refuses every later request, because the files of the database are going to be removed.
    pub fn retire(&self) {
        if let Engine::Sqlite(sqlite) = &self.engine {
            sqlite.retire();
        }
    }

    /// Stores related rows next to each other again after a bulk load. PostgreSQL does this itself.
    pub fn compact(&self) -> Result<()> {
        match &self.engine {
            Engine::Sqlite(sqlite) => sqlite.compact(),
            Engine::Postgres(_) => Ok(()),
        }
    }

    /// The time for which another process may still see the data from before a write of this process.
    #[must_use]
    pub fn seen_after(&self) -> Duration {
        match &self.engine {
            // Twice the age, because the other process measures it with its own clock.
            Engine::Sqlite(sqlite) => sqlite.snapshot_age().saturating_mul(2),
            Engine::Postgres(_) => Duration::ZERO,
        }
    }

    /// Checks within two seconds that requests can be served. The error says why not.
    pub async fn ready(&self) -> Result<()> {
        match &self.engine {
            Engine::Sqlite(sqlite) => {
                sqlite.ready()?;
                self.read(|tx| tx.any("SELECT 1", &[])).await.map(|_| ())
            }
            Engine::Postgres(postgres) => postgres.ready(&self.long_reads).await,
        }
    }

    /// The metrics of the store.
    #[must_use]
    pub fn load(&self) -> &Load {
        &self.load
    }

    /// Injects this fault from now on. For tests.
    #[cfg(debug_assertions)]
    pub fn suffer(&self, flaw: Flaw) {
        if let Engine::Postgres(postgres) = &self.engine {
            postgres.suffer(flaw);
        }
    }

    /// Runs a function on each thread of the store that serves requests. SQLite has no such threads.
    pub fn on_each_thread(&self, work: fn()) {
        if let Engine::Postgres(postgres) = &self.engine {
            postgres.on_each_thread(work);
        }
    }

    /// The path of an SQLite database, or none on PostgreSQL.
    #[must_use]
    pub fn file(&self) -> Option<&std::path::Path> {
        match &self.engine {
            Engine::Sqlite(sqlite) => Some(sqlite.path()),
            Engine::Postgres(_) => None,
        }
    }
}
