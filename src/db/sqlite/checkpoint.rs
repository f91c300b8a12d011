//! Checkpoints: copying the write-ahead log into the database, and restarting the log.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, TryLockError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::fault::fault;
use super::open;
use super::reader::Reader;
use super::shared::Shared;
use crate::error::{Error, Result};

/// If the log has more pages than this (64 MiB), the writer itself makes it restart from its beginning.
pub(super) const LOG_PAGES: u64 = 16_384;

/// The time that the writer waits for readers before it restarts the log.
const RESTART_WAIT: Duration = Duration::from_millis(100);

/// Restarts the log, which otherwise grows as long as there is load. Returns whether that succeeded: it does not wait
/// for a long read. Meanwhile no reader keeps a snapshot, because that would hold the log until the snapshot ends.
pub(super) fn restart_log(conn: &Connection, shared: &Shared) -> bool {
    shared.restarting.store(true, Ordering::SeqCst);
    let restarted = restart_soon(conn, shared);
    shared.restarting.store(false, Ordering::SeqCst);
    match restarted {
        Ok(true) => shared.log_pages.store(0, Ordering::Relaxed),
        Ok(false) => {}
        Err(ref error) => tracing::warn!(%error, "cannot restart the write-ahead log"),
    }
    restarted.unwrap_or(false)
}

fn restart_soon(conn: &Connection, shared: &Shared) -> Result<bool> {
    let soon = Instant::now() + RESTART_WAIT;
    // SQLite would sleep for milliseconds between its attempts.
    conn.busy_timeout(Duration::ZERO).map_err(|e| fault("busy_timeout", e))?;
    let restarted = loop {
        for reader in &shared.readers {
            release(reader, Duration::ZERO);
        }
        match checkpoint(conn, "PRAGMA wal_checkpoint(RESTART)") {
            Ok(Checkpoint { complete: false, .. }) if Instant::now() < soon => std::thread::yield_now(),
            done => break done.map(|done| done.complete),
        }
    };
    conn.busy_timeout(open::BUSY).map_err(|e| fault("busy_timeout", e))?;
    restarted
}

/// Ends a snapshot that is older than this, unless its reader is running.
fn release(reader: &Mutex<Reader>, older_than: Duration) {
    match reader.try_lock() {
        Ok(mut reader) => reader.release(older_than),
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner().release(older_than),
        Err(TryLockError::WouldBlock) => {}
    }
}

/// Copies the log in steps, and ends snapshots that have not been used for a while.
pub(super) fn start(conn: Connection, shared: Arc<Shared>) -> Result<JoinHandle<()>> {
    let run = move || {
        let mut seen = 0;
        while !shared.stopping.load(Ordering::SeqCst) {
            std::thread::park_timeout(shared.limits.log);
            for reader in &shared.readers {
                release(reader, shared.limits.snapshot);
            }
            let published = shared.published.load(Ordering::Acquire);
            if shared.place.check().is_ok() && published != seen {
                seen = published;
                match checkpoint(&conn, "PRAGMA wal_checkpoint(PASSIVE)") {
                    Ok(done) => shared.log_pages.store(done.pages, Ordering::Relaxed),
                    Err(error) => tracing::warn!(%error, "checkpoint failed; will retry"),
                }
            }
        }
    };
    Builder::new().name("db-checkpoint".into()).spawn(run).map_err(|e| Error::Unavailable(e.to_string()))
}

/// The result of a checkpoint.
struct Checkpoint {
    /// True if no reader blocked it.
    complete: bool,
    /// The number of pages in the log.
    pages: u64,
}

fn checkpoint(conn: &Connection, sql: &'static str) -> Result<Checkpoint> {
    let (busy, pages): (i64, i64) = conn.query_row(sql, [], |row| row.try_into()).map_err(|e| fault(sql, e))?;
    Ok(Checkpoint { complete: busy == 0, pages: u64::try_from(pages).unwrap_or(0) })
}
