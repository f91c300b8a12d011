//! The store: two doors, [`Db::read`] and [`Db::write`], and the transaction that they hand out.
//!
//! Only this folder names a driver. The closure given to a door is ordinary synchronous code; it may be run
//! more than once, so it must not touch anything but the transaction and what it returns (house rule 3).

mod at_commit;
mod breaker;
mod bulk;
mod by_ids;
mod load;
mod memo;
mod migrate;
mod postgres;
mod row;
mod sqlite;
mod tx;
mod writer;

use std::path::PathBuf;
use std::time::Duration;

pub use at_commit::{AtCommit, Statements};
pub use breaker::Breaker;
pub use bulk::Bulk;
pub use by_ids::{ByIds, by_ids};
pub use load::Load;
pub use memo::{Cacheable, MadeOf};
pub use migrate::{newest as newest_schema, numbers as migrations};
pub use row::{Bind, Column, FromRow, Params, Row};
pub use sqlite::backup;
pub use tx::{Lock, Tx};

use crate::clock::Minutely;
use crate::error::{Error, Result};

/// How a store is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How many writes share a commit at most. With one it shows what sharing commits is worth.
    pub batch: usize,
    /// Connections to PostgreSQL that serve requests.
    pub connections: usize,
    /// Whether reads of PostgreSQL are served from memory while nothing has changed.
    pub shared_reads: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { batch: 256, connections: 16, shared_reads: true }
    }
}

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
    breaker: Breaker,
    load: Load,
    patience: postgres::Patience,
}

/// Where a write belongs: those of a lane wait for the same locks, so they share transactions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The lane, such as an organization.
    pub lane: u64,
    /// The person who writes. In a transaction they have their turns in this order, as rows of theirs are locked.
    pub person: i64,
}

/// While the store is out of reach, one line of the log a minute says so, whatever notices it.
pub static OUTAGE: Minutely = Minutely::new();

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
        let db = Self::engine(address, Options::default())?;
        migrate::check(&db).await?;
        Ok(db)
    }

    /// The same as [`Db::open`] with these options.
    pub async fn open_with(address: &Address, options: Options) -> Result<Self> {
        let db = Self::engine(address, options)?;
        migrate::migrate(&db).await?;
        Ok(db)
    }

    fn engine(address: &Address, options: Options) -> Result<Self> {
        let (breaker, load) = (Breaker::default(), Load::default());
        let engine = match address {
            Address::Sqlite(path) => {
                Engine::Sqlite(sqlite::Sqlite::open(path, breaker.clone(), options.batch, load.batches.clone())?)
            }
            Address::Postgres(url) => {
                Engine::Postgres(postgres::Postgres::open(url, options, &breaker, &load.batches)?)
            }
        };
        Ok(Self { engine, breaker, load, patience: postgres::Patience::Command })
    }

    /// The same database for callers over HTTP: they are refused within five seconds if PostgreSQL does not answer, where
    /// a command would wait for statements that go through all of the data.
    #[must_use]
    pub fn for_requests(self) -> Self {
        Self { patience: postgres::Patience::Request, ..self }
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
                Err(Error::Budget) => Box::pin(sqlite.read_at_leisure(work)).await,
                answered => answered,
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
            (Ok(answer), _) if holds(&answer) => Ok(answer),
            (Ok(_) | Err(Error::Budget | Error::Stale), Engine::Sqlite(_)) => return self.read(work).await,
            (Ok(_) | Err(Error::Budget | Error::Stale), Engine::Postgres(postgres)) => {
                Box::pin(self.read_postgres(postgres, true, work)).await
            }
            (failed, _) => failed,
        };
        self.load.note(answered)
    }

    /// Reads from memory if PostgreSQL proves that nothing has changed, else over a connection.
    async fn read_postgres<R, F>(&self, postgres: &postgres::Postgres, judges: bool, mut work: F) -> Result<R>
    where
        R: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
    {
        // Commands read once and would keep what nobody asks for again.
        if self.patience == postgres::Patience::Request {
            match postgres.read_inline(&mut work).await {
                Err(Error::Budget | Error::Stale) => {}
                answered => return answered,
            }
        }
        let _waiting = self.load.wait();
        postgres.read(self.patience, judges, work).await
    }

    /// Runs a closure in a durable transaction; an error undoes all that it did.
    pub async fn write<R, F>(&self, work: F) -> Result<R>
    where
        R: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
    {
        self.write_beside(None, work).await
    }

    /// The same for a write that may share its transaction with others on PostgreSQL. On SQLite all of them do.
    pub async fn write_beside<R, F>(&self, place: Option<Place>, work: F) -> Result<R>
    where
        R: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
    {
        let _waiting = self.load.wait();
        let done = match &self.engine {
            Engine::Sqlite(sqlite) => sqlite.write(work).await,
            Engine::Postgres(postgres) => Box::pin(postgres.write(self.patience, place, work)).await,
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

    /// For tests: makes statements fail.
    #[must_use]
    pub fn breaker(&self) -> &Breaker {
        &self.breaker
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
