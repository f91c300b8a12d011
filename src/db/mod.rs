//! The store: two doors, [`Db::read`] and [`Db::write`], and the transaction that they hand out.
//!
//! Only this folder names a driver. The closure given to a door is ordinary synchronous code; it may be run
//! more than once, so it must not touch anything but the transaction and what it returns (house rule 3).

mod at_commit;
mod bulk;
mod by_ids;
#[cfg(debug_assertions)]
mod flaw;
mod load;
mod memo;
mod migrate;
mod observer;
mod options;
mod postgres;
mod rerun;
mod row;
mod sqlite;
mod statements;
mod tx;
mod writer;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

pub use at_commit::{AtCommit, StatementList};
pub use bulk::Bulk;
pub use by_ids::{ByIds, by_ids};
#[cfg(debug_assertions)]
pub use flaw::Flaw;
pub use load::Load;
pub use memo::{Cacheable, MadeOf};
pub use migrate::{newest as newest_schema, numbers as migrations};
pub use observer::Observer;
pub use options::{Options, Place};
pub use postgres::{OUTAGE, Origin};
pub use row::{Bind, Column, FromRow, Params, Row};
pub use sqlite::backup;
pub use tx::{Lock, Tx};

use observer::Observed;

use crate::clock::Clock;
use crate::error::Result;

/// Where the data is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// A file of SQLite.
    Sqlite(PathBuf),
    /// The address of a PostgreSQL database.
    Postgres(String),
}

/// The database; clones share it, and it closes when the last one is dropped.
#[derive(Clone)]
pub struct Db {
    engine: Engine,
    load: Load,
    timeouts: postgres::Timeouts,
}

#[derive(Clone)]
enum Engine {
    Sqlite(sqlite::Sqlite),
    Postgres(postgres::Postgres),
}

impl Db {
    /// Opens the database and brings it to this program's schema.
    pub async fn open(address: &Address) -> Result<Self> {
        Self::open_with(address, Options::default()).await
    }

    /// Opens a database that is at this program's schema already, and leaves it as it is; any other is refused.
    pub async fn open_present(address: &Address) -> Result<Self> {
        let db = Self::engine(address, Options::default(), Observed::default())?;
        db.read(migrate::check).await?;
        Ok(db)
    }

    /// The same as [`Db::open`] with these options.
    pub async fn open_with(address: &Address, options: Options) -> Result<Self> {
        Self::open_observed_by(Observed::default(), address, options).await
    }

    /// The same as [`Db::open_with`], with an observer of every statement: for tests.
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
        let engine = match address {
            Address::Sqlite(path) => {
                Engine::Sqlite(sqlite::Sqlite::open(path, observed, options.batch, load.batches.clone())?)
            }
            Address::Postgres(url) => {
                Engine::Postgres(postgres::Postgres::open(url, options, &observed, &load.batches)?)
            }
        };
        Ok(Self { engine, load, timeouts: postgres::Timeouts::Command })
    }

    /// The same database for callers over HTTP: they are refused within five seconds if PostgreSQL does not answer, where
    /// a command would wait for statements that go through all of the data.
    #[must_use]
    pub fn for_requests(self) -> Self {
        Self { timeouts: postgres::Timeouts::Request, ..self }
    }

    /// Runs a closure on a consistent snapshot; it sees every write that was answered before.
    pub async fn read<R, F>(&self, mut work: F) -> Result<R>
    where
        R: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
    {
        // Rare or slow ways are boxed: the future of each request has room for all of them.
        let answered = match &self.engine {
            Engine::Sqlite(sqlite) => match sqlite.read_inline(&mut work) {
                Ok(answered) => answered,
                Err(_) => Box::pin(sqlite.read_on_pool(work)).await,
            },
            Engine::Postgres(postgres) => Box::pin(self.read_postgres(postgres, false, work)).await,
        };
        self.load.note(answered)
    }

    /// Runs a closure on a snapshot that may lack the writes of the last second, and on the newest one if the answer does
    /// not hold there. Use it only for what is decided again afterwards. On SQLite, many writes then share a snapshot.
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

    /// Reads from memory if PostgreSQL proves that nothing has changed, else over a connection.
    async fn read_postgres<R, F>(&self, postgres: &postgres::Postgres, authorizes: bool, mut work: F) -> Result<R>
    where
        R: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
    {
        // Commands read once and would keep what is not asked for again.
        if self.timeouts == postgres::Timeouts::Request
            && let Ok(answered) = postgres.read_inline(&mut work).await
        {
            return answered;
        }
        let _waiting = self.load.wait();
        postgres.read(self.timeouts, authorizes, work).await
    }

    /// Runs a closure in a durable transaction; an error undoes all that it did.
    pub async fn write<R, F>(&self, work: F) -> Result<R>
    where
        R: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
    {
        self.write_in_lane(None, work).await
    }

    /// The same for a write that may share its transaction with others on PostgreSQL. On SQLite all of them do.
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

    /// Puts what belongs together side by side again, after a load that has filled the store. PostgreSQL sees to that
    /// itself.
    pub fn compact(&self) -> Result<()> {
        match &self.engine {
            Engine::Sqlite(sqlite) => sqlite.compact(),
            Engine::Postgres(_) => Ok(()),
        }
    }

    /// How long another process may go on seeing what was before a write of this one.
    #[must_use]
    pub fn seen_after(&self) -> Duration {
        match &self.engine {
            // As much again, because the other process measures on a clock of its own.
            Engine::Sqlite(_) => sqlite::SNAPSHOT_AGE * 2,
            Engine::Postgres(_) => Duration::ZERO,
        }
    }

    /// Whether requests can be served; an error says why not, within two seconds.
    pub async fn ready(&self) -> Result<()> {
        match &self.engine {
            Engine::Sqlite(sqlite) => {
                sqlite.ready()?;
                self.read(|tx| tx.any("SELECT 1", &[])).await.map(|_| ())
            }
            Engine::Postgres(postgres) => postgres.ready().await,
        }
    }

    /// How busy the store is.
    #[must_use]
    pub fn load(&self) -> &Load {
        &self.load
    }

    /// For tests: has this fault from now on.
    #[cfg(debug_assertions)]
    pub fn suffer(&self, flaw: Flaw) {
        if let Engine::Postgres(postgres) = &self.engine {
            postgres.suffer(flaw);
        }
    }

    /// Has the threads that serve requests beside the runtime's do this; SQLite has none of them.
    pub fn on_each_thread(&self, work: fn()) {
        if let Engine::Postgres(postgres) = &self.engine {
            postgres.on_each_thread(work);
        }
    }

    /// The file of an SQLite database; none on PostgreSQL.
    #[must_use]
    pub fn file(&self) -> Option<&std::path::Path> {
        match &self.engine {
            Engine::Sqlite(sqlite) => Some(sqlite.path()),
            Engine::Postgres(_) => None,
        }
    }
}
