//! Copies of a database file: taken while a server runs, checked, and restored.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::{open, schema};
use crate::error::{Error, Result};

/// Writes the content of a database at one moment to a new file. The file is on disk when this returns.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    let target = to.to_str().ok_or_else(|| refused(format!("the name {} is not valid UTF-8", to.display())))?;
    let unwritable = |error: std::io::Error| {
        refused(format!(
            "cannot write {}: {error}; its directory must exist, be writable, and have free space",
            to.display()
        ))
    };
    let conn = existing(from)?;
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(to).map_err(unwritable)?;
    conn.execute("VACUUM INTO ?1", [target])
        .map_err(|error| refused(format!("cannot copy {} to {}: {error}", from.display(), to.display())))?;
    file.sync_all().map_err(unwritable)
}

/// Refuses a file that is not a complete database, with a schema that this program knows and would make.
pub fn check(path: &Path) -> Result<()> {
    let conn = existing(path)?;
    let damage = integrity(&conn).map_err(|error| unreadable(path, &error))?;
    if let Some(first) = damage.first() {
        return Err(refused(format!("{} is damaged: {first}; use another backup", path.display())));
    }
    let number: i64 = conn
        .query_row("SELECT coalesce(max(number), 0) FROM migrations", [], |row| row.get(0))
        .map_err(|error| unreadable(path, &error))?;
    if number > crate::db::migrate::newest() {
        return Err(refused(format!(
            "{} has schema {number} of a newer Guildhall; this program supports up to {}. Use the newer program",
            path.display(),
            crate::db::migrate::newest()
        )));
    }
    match schema::difference(&conn, number)? {
        None => Ok(()),
        Some(what) => Err(refused(format!(
            "{} does not have schema {number} of Guildhall: {what}; use another backup",
            path.display()
        ))),
    }
}

fn integrity(conn: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = conn.prepare("PRAGMA integrity_check(10)")?;
    let lines: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(lines.into_iter().filter(|line| line != "ok").collect())
}

/// Renames a database that no process uses, together with its log. Returns `Unavailable` while a process uses it. A log
/// without a database is renamed too, because SQLite would apply it to the file that takes that place.
pub fn set_aside(path: &Path, aside: &Path) -> Result<()> {
    let kept =
        |error: std::io::Error| refused(format!("cannot keep {} as {}: {error}", path.display(), aside.display()));
    // SQLite ends the log only when all other connections are closed, and copies its content into the file.
    if let Ok(conn) = existing(path)
        && let Err(error) = conn.pragma_update(None, "journal_mode", "DELETE")
        && error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy)
    {
        return Err(refused(format!("{} is in use by another command; wait until it finishes", path.display())));
    }
    if path.exists() {
        std::fs::hard_link(path, aside).or_else(|_| std::fs::copy(path, aside).map(|_| ())).map_err(kept)?;
    }
    // A damaged database keeps its log.
    for suffix in open::LOGS {
        let log = open::with_suffix(path, suffix);
        if log.exists() {
            std::fs::rename(&log, open::with_suffix(aside, suffix)).map_err(kept)?;
        }
    }
    Ok(())
}

/// Opens a file that must be a database of Guildhall.
fn existing(path: &Path) -> Result<Connection> {
    let open = || -> rusqlite::Result<(Connection, i64)> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let conn = Connection::open_with_flags(path, flags)?;
        conn.busy_timeout(std::time::Duration::from_secs(1))?;
        let id = conn.pragma_query_value(None, "application_id", |row| row.get(0))?;
        Ok((conn, id))
    };
    if !path.exists() {
        return Err(refused(format!("no such file: {}", path.display())));
    }
    match open().map_err(|error| unreadable(path, &error))? {
        (conn, open::APPLICATION_ID) => Ok(conn),
        _ => Err(refused(format!("{} is not a Guildhall database", path.display()))),
    }
}

fn unreadable(path: &Path, error: &rusqlite::Error) -> Error {
    refused(format!("cannot read {} as a database: {error}", path.display()))
}

fn refused(text: String) -> Error {
    Error::Unavailable(text)
}
