//! Guildhall with a count of the rows that its statements return: what a start makes the first requests read.
//!
//! `rows_read DATABASE ADDR FILE` serves the SQLite file or the `postgres://` database like `guildhall serve`, until SIGTERM,
//! and then writes two numbers to FILE: rows, and statements that might have returned some, both since the database was
//! opened. A row that SQLite joins of several counts once, and so does the result of a `count(*)`. Caches work as they do
//! without the count. Only `scripts/bench --growth` uses it.

mod served;

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use guildhall::db::{Db, Observer, Options};
use tokio::signal::unix::{SignalKind, signal};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The rows and the statements so far.
#[derive(Default)]
struct Count {
    rows: AtomicU64,
    statements: AtomicU64,
}

impl Observer for Count {
    fn before(&self, _: &'static str) -> guildhall::error::Result<()> {
        Ok(())
    }

    /// If it were, nothing would be cached.
    fn is_active(&self) -> bool {
        false
    }

    fn after(&self, rows: u64) {
        self.rows.fetch_add(rows, Ordering::Relaxed);
        self.statements.fetch_add(1, Ordering::Relaxed);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(place), Some(address), Some(file)) = (words.next(), words.next(), words.next()) else {
        return Err("usage: rows_read DATABASE ADDR FILE".into());
    };
    let count = Arc::new(Count::default());
    let observer = Arc::<Count>::clone(&count);
    tokio::runtime::Runtime::new()?.block_on(async {
        let mut stopped = signal(SignalKind::terminate())?;
        let db = Db::open_observed(&served::database(place), Options::default(), observer).await?;
        served::serve(db, address.parse()?, async move {
            stopped.recv().await;
        })
        .await
    })?;
    let (rows, statements) = (count.rows.load(Ordering::Relaxed), count.statements.load(Ordering::Relaxed));
    std::fs::write(file, format!("{rows} {statements}\n"))?;
    Ok(())
}
