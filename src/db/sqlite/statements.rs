//! Statements on a connection, prepared once: readers find theirs by their text, the writer by their address.

use std::collections::BTreeMap;

use rusqlite::{Connection, Statement};

use super::fault;
use crate::db::row::{Bind, Params, Row};
use crate::error::{Error, Result};

type OnRow<'a> = &'a mut dyn FnMut(&Row<'_>) -> Result<()>;

/// What a transaction runs statements on.
pub(in crate::db) trait Statements {
    /// Calls a function for each row.
    fn each(&mut self, sql: &'static str, params: Params<'_>, row: OnRow<'_>) -> Result<()>;

    /// Runs a statement of one parameter for one key after the other.
    fn each_of(&mut self, sql: &'static str, keys: &mut dyn Iterator<Item = &dyn Bind>, row: OnRow<'_>) -> Result<()>;

    /// Runs a statement that returns no rows; how many rows it changed.
    fn run(&mut self, sql: &'static str, params: Params<'_>) -> Result<u64>;

    /// Runs the statements of a migration.
    fn batch(&mut self, sql: &str) -> Result<()>;
}

/// For a reader: the connection itself keeps what is prepared.
impl Statements for &Connection {
    fn each(&mut self, sql: &'static str, params: Params<'_>, row: OnRow<'_>) -> Result<()> {
        let mut statement = self.prepare_cached(sql).map_err(|e| fault(sql, e))?;
        bind(&mut statement, sql, params, number_of(params))?;
        step(&mut statement, sql, row)
    }

    fn each_of(&mut self, sql: &'static str, keys: &mut dyn Iterator<Item = &dyn Bind>, row: OnRow<'_>) -> Result<()> {
        let mut statement = self.prepare_cached(sql).map_err(|e| fault(sql, e))?;
        step_for_each(&mut statement, sql, keys, row)
    }

    fn run(&mut self, sql: &'static str, params: Params<'_>) -> Result<u64> {
        let mut statement = self.prepare_cached(sql).map_err(|e| fault(sql, e))?;
        bind(&mut statement, sql, params, number_of(params))?;
        statement.raw_execute().map(|n| n as u64).map_err(|e| fault(sql, e))
    }

    fn batch(&mut self, sql: &str) -> Result<()> {
        batch(self, sql)
    }
}

/// For the writer, which has its connection to itself: each statement with the order of its parameters. Looking a text
/// up in the connection and asking for the names of its parameters took an eighth of what a write costs.
pub(super) struct Kept<'c> {
    conn: &'c Connection,
    statements: BTreeMap<(usize, usize), Prepared<'c>>,
    /// Whether anything was run that changes the database.
    changed: bool,
}

struct Prepared<'c> {
    statement: Statement<'c>,
    numbers: Vec<Option<usize>>,
    reads: bool,
}

impl<'c> Kept<'c> {
    pub(super) fn new(conn: &'c Connection) -> Self {
        Self { conn, statements: BTreeMap::new(), changed: false }
    }

    /// Whether anything was run that changes the database since this was asked last.
    pub(super) fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// A text of the program is always in the same place.
    fn prepared(&mut self, sql: &'static str) -> Result<&mut Statement<'c>> {
        self.with_numbers(sql).map(|prepared| &mut prepared.statement)
    }

    fn with_numbers(&mut self, sql: &'static str) -> Result<&mut Prepared<'c>> {
        use std::collections::btree_map::Entry;
        let prepared = match self.statements.entry((sql.as_ptr().addr(), sql.len())) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let statement = self.conn.prepare(sql).map_err(|e| fault(sql, e))?;
                let numbers = (1..=statement.parameter_count()).map(|index| number(&statement, index)).collect();
                let reads = statement.readonly();
                entry.insert(Prepared { statement, numbers, reads })
            }
        };
        self.changed |= !prepared.reads;
        Ok(prepared)
    }

    fn bound(&mut self, sql: &'static str, params: Params<'_>) -> Result<&mut Statement<'c>> {
        let Prepared { statement, numbers, .. } = self.with_numbers(sql)?;
        bind(statement, sql, params, |_, index| numbers[index - 1])?;
        Ok(statement)
    }
}

impl Statements for Kept<'_> {
    fn each(&mut self, sql: &'static str, params: Params<'_>, row: OnRow<'_>) -> Result<()> {
        step(self.bound(sql, params)?, sql, row)
    }

    fn each_of(&mut self, sql: &'static str, keys: &mut dyn Iterator<Item = &dyn Bind>, row: OnRow<'_>) -> Result<()> {
        step_for_each(self.prepared(sql)?, sql, keys, row)
    }

    fn run(&mut self, sql: &'static str, params: Params<'_>) -> Result<u64> {
        self.bound(sql, params)?.raw_execute().map(|n| n as u64).map_err(|e| fault(sql, e))
    }

    fn batch(&mut self, sql: &str) -> Result<()> {
        self.changed = true;
        batch(self.conn, sql)
    }
}

fn step(statement: &mut Statement<'_>, sql: &str, row: OnRow<'_>) -> Result<()> {
    let mut rows = statement.raw_query();
    while let Some(next) = rows.next().map_err(|e| fault(sql, e))? {
        row(&Row::Sqlite(next))?;
    }
    Ok(())
}

fn step_for_each(
    statement: &mut Statement<'_>,
    sql: &str,
    keys: &mut dyn Iterator<Item = &dyn Bind>,
    row: OnRow<'_>,
) -> Result<()> {
    for key in keys {
        let value: &dyn rusqlite::types::ToSql = key;
        statement.raw_bind_parameter(1, value).map_err(|e| fault(sql, e))?;
        step(statement, sql, row)?;
    }
    Ok(())
}

/// SQLite numbers `$2 … $1` by first appearance, so each parameter is bound by the number in its name.
fn bind(
    statement: &mut Statement<'_>,
    sql: &str,
    params: Params<'_>,
    number: impl Fn(&Statement<'_>, usize) -> Option<usize>,
) -> Result<()> {
    for index in 1..=statement.parameter_count() {
        let value = number(statement, index)
            .and_then(|n| params.get(n.wrapping_sub(1)))
            .ok_or_else(|| Error::Bug(format!("parameter {index} of {sql} has no value")))?;
        let value: &dyn rusqlite::types::ToSql = *value;
        statement.raw_bind_parameter(index, value).map_err(|e| fault(sql, e))?;
    }
    Ok(())
}

/// Asking for a name takes longer the more there are; longer statements are generated, with their parameters in order.
const NAMED: usize = 24;

fn number_of(params: Params<'_>) -> impl Fn(&Statement<'_>, usize) -> Option<usize> {
    let many = params.len() > NAMED;
    move |statement, index| if many { Some(index) } else { number(statement, index) }
}

fn number(statement: &Statement<'_>, index: usize) -> Option<usize> {
    statement.parameter_name(index).and_then(|name| name.get(1..)?.parse().ok())
}

fn batch(conn: &Connection, sql: &str) -> Result<()> {
    let sql = sql
        .replace("{id}", "INTEGER PRIMARY KEY AUTOINCREMENT")
        .replace("{bytes}", "BLOB")
        .replace("{binary}", "BINARY")
        .replace("{keyed}", "WITHOUT ROWID");
    conn.execute_batch(&sql).map_err(|e| fault(&sql, e))
}
