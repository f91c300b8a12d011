//! Opening connections, with the settings that `docs/decisions/0001` measured.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::error::{Error, Result};

/// Marks the file as Guildhall's, in the header where SQLite keeps such a mark.
pub(super) const APPLICATION_ID: i64 = 0x6748_616c;

/// What to do about a file that cannot be read.
pub(super) const DAMAGED: &str = "; if the file is damaged, restore a backup with `guildhall restore`";

/// How long a write waits for another process that is writing.
pub(super) const BUSY: Duration = Duration::from_secs(5);

/// Statements kept prepared by each connection; more than the program has.
const STATEMENTS: usize = 512;

/// How much of the database readers read through a mapping of the file, in bytes. The writer has none: most pages that it
/// reads are in its cache or in the log, and where a mapping is, SQLite looks for each page in the log first.
const MAPPED: i64 = 16 << 30;

/// How much a connection caches beside that, in KiB, as SQLite takes it. The writer's is small too: SQLite walks through
/// all of it at each commit.
const CACHE: i64 = -8_000;

/// What follows the name of the database in the names of its log and of the index of that.
pub(super) const LOGS: [&str; 2] = ["-wal", "-shm"];

/// A file beside the database that belongs to it.
pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

pub(super) fn writer(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = connect(path, flags)?;
    // Before anything is set, for that would change the file of another program.
    let is_new = is_empty(&conn, path)?;
    let set = || -> rusqlite::Result<()> {
        conn.pragma_update(None, "journal_mode", "WAL")?;
        conn.pragma_update(None, "synchronous", "FULL")?;
        conn.pragma_update(None, "foreign_keys", true)?;
        conn.pragma_update(None, "wal_autocheckpoint", 0)?;
        conn.pragma_update(None, "cache_size", CACHE)?;
        if is_new { conn.pragma_update(None, "application_id", APPLICATION_ID) } else { Ok(()) }
    };
    set().map_err(|e| unusable(path, &e))?;
    Ok(conn)
}

pub(super) fn reader(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = connect(path, flags)?;
    let set = || -> rusqlite::Result<()> {
        conn.pragma_update(None, "query_only", true)?;
        conn.pragma_update(None, "mmap_size", MAPPED)?;
        conn.pragma_update(None, "cache_size", CACHE)
    };
    set().map_err(|e| unusable(path, &e))?;
    Ok(conn)
}

pub(super) fn checkpointer(path: &Path) -> Result<Connection> {
    connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection> {
    let open = || -> rusqlite::Result<Connection> {
        let conn = Connection::open_with_flags(path, flags)?;
        conn.busy_timeout(BUSY)?;
        conn.set_prepared_statement_cache_capacity(STATEMENTS);
        // Without this, a kept statement is planned again at each binding once statistics exist.
        conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        conn.pragma_update(None, "temp_store", "MEMORY")?;
        Ok(conn)
    };
    open().map_err(|e| unusable(path, &e))
}

/// Whether the file is empty, and becomes ours; one of another program is refused.
fn is_empty(conn: &Connection, path: &Path) -> Result<bool> {
    let read = || -> rusqlite::Result<(i64, i64)> {
        let id = conn.pragma_query_value(None, "application_id", |row| row.get(0))?;
        let objects = conn.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
        Ok((id, objects))
    };
    match read().map_err(|e| unusable(path, &e))? {
        (APPLICATION_ID, _) => Ok(false),
        (0, 0) => Ok(true),
        _ => Err(Error::Unavailable(format!(
            "{} is a database of another program; choose a new file with --database sqlite:PATH",
            path.display()
        ))),
    }
}

fn unusable(path: &Path, error: &rusqlite::Error) -> Error {
    let advice = match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::NotADatabase | rusqlite::ErrorCode::DatabaseCorrupt) => DAMAGED,
        Some(rusqlite::ErrorCode::CannotOpen) => "; check that its directory exists and is writable",
        _ => "",
    };
    Error::Unavailable(format!("cannot open {}: {error}{advice}", path.display()))
}
