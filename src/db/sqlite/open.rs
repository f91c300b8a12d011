//! Opening connections with the settings that were measured for `docs/decisions/0001-two-doors.md`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::error::{Error, Result};

/// Marks the file as Guildhall's, in the header field that SQLite has for this.
pub(super) const APPLICATION_ID: i64 = 0x6748_616c;

/// The advice to an operator whose file is unreadable.
pub(super) const DAMAGED: &str = "; if the file is damaged, restore a backup with `guildhall restore`";

/// The time that a write waits while another process writes.
pub(super) const BUSY: Duration = Duration::from_secs(5);

/// The number of statements that each connection keeps prepared. The program has fewer.
const STATEMENTS: usize = 512;

/// The number of bytes of the database that readers read through a memory mapping. The writer has none: it reads most
/// pages from its cache or from the log, and with a mapping SQLite looks for each page in the log first.
const MAPPED: i64 = 16 << 30;

/// The size of each connection's page cache in KiB, as SQLite expects it. The writer's cache is small too, because
/// SQLite walks through all of it at each commit.
const CACHE: i64 = -8_000;

/// The suffixes of the log and of its index after the name of the database.
pub(super) const LOGS: [&str; 2] = ["-wal", "-shm"];

/// The path of a file that belongs to the database.
pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

pub(super) fn writer(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = connect(path, flags)?;
    // This comes before all settings, because they would change the file of another program.
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
        // If another file has taken this path, its reader must not copy the log of the old one into it.
        conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
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
        // Without this, a prepared statement would be planned again at each binding once statistics exist.
        conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        conn.pragma_update(None, "temp_store", "MEMORY")?;
        Ok(conn)
    };
    open().map_err(|e| unusable(path, &e))
}

/// True if the file is empty and becomes a database of Guildhall. Refuses a file of another program.
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
