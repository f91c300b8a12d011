//! Compares the schema of a file with the one that Guildhall makes, because a trigger or a view of another origin would
//! change what the program reads and writes.

use std::collections::BTreeMap;

use rusqlite::{Connection, Row};

use super::fault::fault;
use super::statements::batch;
use crate::db::migrate;
use crate::error::Result;

/// The texts of tables, indexes, views and triggers, by kind and name.
type Objects = BTreeMap<(String, String), String>;

/// The first difference between the schema of a file and that of its version.
pub(super) fn difference(conn: &Connection, schema: i64) -> Result<Option<String>> {
    let made = Connection::open_in_memory().map_err(|e| fault("", e))?;
    migrate::up_to(schema).try_for_each(|sql| batch(&made, sql))?;
    let difference = compared(&objects(&made)?, &objects(conn)?);
    Ok(match difference {
        None if !applied(conn, schema)? => Some("the migrations are not those of this version".to_owned()),
        difference => difference,
    })
}

/// True if the file has had every migration up to this one.
fn applied(conn: &Connection, schema: i64) -> Result<bool> {
    let read = || -> rusqlite::Result<Vec<i64>> { conn.prepare(APPLIED)?.query_map([], |row| row.get(0))?.collect() };
    let applied = read().map_err(|e| fault(APPLIED, e))?;
    Ok(migrate::numbers().filter(|number| *number <= schema).eq(applied))
}

const APPLIED: &str = "SELECT number FROM migrations ORDER BY number";

fn compared(wanted: &Objects, found: &Objects) -> Option<String> {
    let missing = wanted.keys().find(|key| !found.contains_key(key)).map(|key| (key, "is missing"));
    let other = found.iter().find_map(|(key, text)| match wanted.get(key) {
        None => Some((key, "is not from Guildhall")),
        Some(own) => (own != text).then_some((key, "is not as Guildhall made it")),
    });
    missing.or(other).map(|((kind, name), what)| format!("the {kind} {name} {what}"))
}

/// The objects of a schema, without those that SQLite makes: no other object can have a name like theirs.
fn objects(conn: &Connection) -> Result<Objects> {
    let read = || -> rusqlite::Result<Objects> {
        let object = |row: &Row<'_>| row.try_into().map(|(kind, name, sql)| ((kind, name), sql));
        conn.prepare(OBJECTS)?.query_map([], object)?.collect()
    };
    read().map_err(|e| fault(OBJECTS, e))
}

const OBJECTS: &str = "
    SELECT type, name, coalesce(sql, '') FROM sqlite_schema WHERE substr(name, 1, 7) <> 'sqlite_'";
