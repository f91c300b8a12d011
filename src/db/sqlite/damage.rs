//! Finds damage in a database file: damaged pages, and references to rows that do not exist.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};

use super::fault::fault;
use crate::error::Result;

/// All damage, one line each.
pub(super) fn damage(conn: &Connection) -> Result<Vec<String>> {
    let sql = "PRAGMA integrity_check";
    let mut found = texts(conn, sql, []).map_err(|e| fault(sql, e))?;
    found.retain(|line| line != "ok");
    let sql = "PRAGMA foreign_key_check";
    for reference in references(conn).map_err(|e| fault(sql, e))? {
        found.extend(reference.dangling(conn).map_err(|e| fault(sql, e))?);
    }
    Ok(found)
}

/// A foreign key that some row violates.
struct Reference {
    table: String,
    parent: String,
    /// The columns of the table, each with the parent's column that it references.
    columns: Vec<(String, String)>,
}

/// The violated foreign keys. SQLite reports neither columns nor values, and no row of a table without row IDs.
fn references(conn: &Connection) -> rusqlite::Result<Vec<Reference>> {
    let mut broken = conn.prepare("SELECT DISTINCT \"table\", parent, fkid FROM pragma_foreign_key_check")?;
    let broken: Vec<(String, String, i64)> =
        broken.query_map([], |row| row.try_into())?.collect::<rusqlite::Result<_>>()?;
    let mut columns = conn.prepare(
        "SELECT \"from\", coalesce(\"to\", 'id') FROM pragma_foreign_key_list(?1) WHERE id = ?2 ORDER BY seq",
    )?;
    let mut reference = |(table, parent, key): (String, String, i64)| {
        let columns = columns.query_map((&table, key), |row| row.try_into())?;
        Ok(Reference { columns: columns.collect::<rusqlite::Result<_>>()?, table, parent })
    };
    broken.into_iter().map(&mut reference).collect()
}

impl Reference {
    /// The violating rows: what identifies them, and what they reference.
    fn dangling(&self, conn: &Connection) -> rusqlite::Result<Vec<String>> {
        let names: Vec<&str> = self.columns.iter().map(|(from, _)| from.as_str()).collect();
        let identified = self.identified(conn)?;
        let shown = identified.iter().map(String::as_str).chain(names.iter().copied());
        let shown: Vec<String> = shown.map(|column| format!("c.\"{column}\"")).collect();
        let present: Vec<String> = names.iter().map(|name| format!("c.\"{name}\" IS NOT NULL")).collect();
        let equal: Vec<String> = self.columns.iter().map(|(from, to)| format!("p.\"{to}\" = c.\"{from}\"")).collect();
        let sql = format!(
            "SELECT {} FROM \"{}\" c WHERE {} AND NOT EXISTS (SELECT 1 FROM \"{}\" p WHERE {})",
            shown.join(", "),
            self.table,
            present.join(" AND "),
            self.parent,
            equal.join(" AND ")
        );
        let sentence = |row: &Row<'_>| {
            let which = pairs(row, &identified, 0)?;
            let what = pairs(row, &names, identified.len())?;
            Ok(format!(
                "the row of {} with {which} refers to a row of {} that does not exist ({what})",
                self.table, self.parent
            ))
        };
        conn.prepare(&sql)?.query_map([], sentence)?.collect()
    }

    /// The columns that identify a row of the table: its primary key, or else all columns.
    fn identified(&self, conn: &Connection) -> rusqlite::Result<Vec<String>> {
        let key = texts(conn, "SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk", [&self.table])?;
        if key.is_empty() {
            texts(conn, "SELECT name FROM pragma_table_info(?1) ORDER BY cid", [&self.table])
        } else {
            Ok(key)
        }
    }
}

fn texts(conn: &Connection, sql: &str, params: impl rusqlite::Params) -> rusqlite::Result<Vec<String>> {
    conn.prepare(sql)?.query_map(params, |row| row.get(0))?.collect()
}

/// Columns and their values, starting at this column of the row.
fn pairs(row: &Row<'_>, names: &[impl AsRef<str>], from: usize) -> rusqlite::Result<String> {
    let mut pairs = Vec::new();
    for (at, name) in (from..).zip(names) {
        pairs.push(format!("{} = {}", name.as_ref(), value(row.get_ref(at)?)));
    }
    Ok(pairs.join(", "))
}

fn value(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "null".to_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(text) => format!("{:?}", String::from_utf8_lossy(text)),
        ValueRef::Blob(bytes) => format!("{} bytes", bytes.len()),
    }
}
