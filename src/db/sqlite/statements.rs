//! Prepared statements of a connection. Readers find them by their text, the writer by the address of the text.

use std::cell::Cell;
use std::collections::BTreeMap;

use foldhash::HashMap;
use rusqlite::{CachedStatement, Connection, Statement};

use super::budget::Budget;
use super::damage;
use super::fault::fault;
use crate::db::row::{Bind, Params, Row};
use crate::db::statements::{OnRow, Statements};
use crate::error::{Error, Result};

/// For a reader: the connection itself keeps the prepared statements and finds them by their text.
pub(super) struct Found<'c> {
    pub conn: &'c Connection,
    pub orders: &'c mut Orders,
    pub budget: &'c Budget,
}

impl Found<'_> {
    fn bound(&mut self, sql: &'static str, params: Params<'_>) -> Result<CachedStatement<'_>> {
        let mut statement = self.conn.prepare_cached(sql).map_err(|e| fault(sql, e))?;
        let order = self.orders.of(sql, &statement);
        bind(&mut statement, sql, params, order)?;
        Ok(statement)
    }
}

impl Statements for Found<'_> {
    fn each(&mut self, sql: &'static str, params: Params<'_>, row: OnRow<'_>) -> Result<()> {
        let budget = self.budget;
        step(&mut *self.bound(sql, params)?, sql, within(budget, row))
    }

    fn run_each(&mut self, sql: &'static str, params: Params<'_>, row: OnRow<'_>) -> Result<()> {
        self.each(sql, params, row)
    }

    fn each_of(&mut self, sql: &'static str, keys: &mut dyn Iterator<Item = &dyn Bind>, row: OnRow<'_>) -> Result<()> {
        let mut statement = self.conn.prepare_cached(sql).map_err(|e| fault(sql, e))?;
        step_for_each(&mut statement, sql, keys, &mut within(self.budget, row))
    }

    fn run(&mut self, sql: &'static str, params: Params<'_>) -> Result<u64> {
        self.bound(sql, params)?.raw_execute().map(|n| n as u64).map_err(|e| fault(sql, e))
    }

    fn batch(&mut self, sql: &str) -> Result<()> {
        batch(self.conn, sql)
    }

    fn damage(&mut self) -> Result<Vec<String>> {
        damage::damage(self.conn)
    }
}

/// Calls the function for each row, until the budget is spent.
fn within<'b>(budget: &'b Budget, row: OnRow<'b>) -> impl FnMut(&rusqlite::Row<'_>) -> Result<()> + 'b {
    move |next| {
        row(&Row::of_sqlite(next, &budget.read))?;
        budget.check()
    }
}

/// Returns the position of each parameter. SQLite numbers `$2 … $1` by first appearance, so each is bound by the number
/// in its name. To ask for the names each time would take as long as a lookup.
#[derive(Default)]
pub(super) struct Orders(HashMap<(usize, usize), Box<[Option<usize>]>>);

impl Orders {
    /// A text of the program has a fixed address.
    fn of(&mut self, sql: &'static str, statement: &Statement<'_>) -> &[Option<usize>] {
        self.0.entry((sql.as_ptr().addr(), sql.len())).or_insert_with(|| order(statement))
    }
}

fn order(statement: &Statement<'_>) -> Box<[Option<usize>]> {
    let number = |index| statement.parameter_name(index).and_then(|name| name.get(1..)?.parse().ok());
    (1..=statement.parameter_count()).map(number).collect()
}

/// For the writer, which has its connection to itself: each statement with the positions of its parameters. Finding the
/// text in the connection and asking for the names of the parameters took an eighth of the time of a write.
pub(super) struct PreparedStatements<'c> {
    conn: &'c Connection,
    statements: BTreeMap<(usize, usize), Prepared<'c>>,
    /// True if a statement that changes the database was run.
    changed: bool,
}

struct Prepared<'c> {
    statement: Statement<'c>,
    order: Box<[Option<usize>]>,
    reads: bool,
}

impl<'c> PreparedStatements<'c> {
    pub(super) fn new(conn: &'c Connection) -> Self {
        Self { conn, statements: BTreeMap::new(), changed: false }
    }

    /// True if a statement that changes the database was run since the last call.
    pub(super) fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// A text of the program has a fixed address.
    fn prepared(&mut self, sql: &'static str) -> Result<&mut Statement<'c>> {
        self.with_order(sql).map(|prepared| &mut prepared.statement)
    }

    fn with_order(&mut self, sql: &'static str) -> Result<&mut Prepared<'c>> {
        use std::collections::btree_map::Entry;
        let prepared = match self.statements.entry((sql.as_ptr().addr(), sql.len())) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let statement = self.conn.prepare(sql).map_err(|e| fault(sql, e))?;
                let (order, reads) = (order(&statement), statement.readonly());
                entry.insert(Prepared { statement, order, reads })
            }
        };
        self.changed |= !prepared.reads;
        Ok(prepared)
    }

    fn bound(&mut self, sql: &'static str, params: Params<'_>) -> Result<&mut Prepared<'c>> {
        let prepared = self.with_order(sql)?;
        bind(&mut prepared.statement, sql, params, &prepared.order)?;
        Ok(prepared)
    }
}

impl Statements for PreparedStatements<'_> {
    fn each(&mut self, sql: &'static str, params: Params<'_>, row: OnRow<'_>) -> Result<()> {
        let Prepared { statement, reads: true, .. } = self.bound(sql, params)? else {
            return Err(Error::Bug(format!("a statement that changes rows is run like one that reads: {sql}")));
        };
        step(statement, sql, unbounded(row))
    }

    fn run_each(&mut self, sql: &'static str, params: Params<'_>, row: OnRow<'_>) -> Result<()> {
        step(&mut self.bound(sql, params)?.statement, sql, unbounded(row))
    }

    fn each_of(&mut self, sql: &'static str, keys: &mut dyn Iterator<Item = &dyn Bind>, row: OnRow<'_>) -> Result<()> {
        step_for_each(self.prepared(sql)?, sql, keys, &mut unbounded(row))
    }

    fn run(&mut self, sql: &'static str, params: Params<'_>) -> Result<u64> {
        self.bound(sql, params)?.statement.raw_execute().map(|n| n as u64).map_err(|e| fault(sql, e))
    }

    fn batch(&mut self, sql: &str) -> Result<()> {
        self.changed = true;
        batch(self.conn, sql)
    }

    fn damage(&mut self) -> Result<Vec<String>> {
        damage::damage(self.conn)
    }
}

/// Calls the function for each row of a write.
fn unbounded(row: OnRow<'_>) -> impl FnMut(&rusqlite::Row<'_>) -> Result<()> + '_ {
    let read = Cell::new(0);
    move |next| row(&Row::of_sqlite(next, &read))
}

fn step(statement: &mut Statement<'_>, sql: &str, mut row: impl FnMut(&rusqlite::Row<'_>) -> Result<()>) -> Result<()> {
    let mut rows = statement.raw_query();
    while let Some(next) = rows.next().map_err(|e| fault(sql, e))? {
        row(next)?;
    }
    Ok(())
}

fn step_for_each(
    statement: &mut Statement<'_>,
    sql: &str,
    keys: &mut dyn Iterator<Item = &dyn Bind>,
    row: &mut impl FnMut(&rusqlite::Row<'_>) -> Result<()>,
) -> Result<()> {
    for key in keys {
        let value: &dyn rusqlite::types::ToSql = key;
        statement.raw_bind_parameter(1, value).map_err(|e| fault(sql, e))?;
        step(statement, sql, &mut *row)?;
    }
    Ok(())
}

fn bind(statement: &mut Statement<'_>, sql: &str, params: Params<'_>, order: &[Option<usize>]) -> Result<()> {
    for (index, number) in (1..).zip(order) {
        let value = number
            .and_then(|n| params.get(n.wrapping_sub(1)))
            .ok_or_else(|| Error::Bug(format!("parameter {index} of {sql} has no value")))?;
        let value: &dyn rusqlite::types::ToSql = *value;
        statement.raw_bind_parameter(index, value).map_err(|e| fault(sql, e))?;
    }
    Ok(())
}

pub(super) fn batch(conn: &Connection, sql: &str) -> Result<()> {
    let sql = sql
        .replace("{id}", "INTEGER PRIMARY KEY AUTOINCREMENT")
        .replace("{bytes}", "BLOB")
        .replace("{binary}", "BINARY")
        .replace("{keyed}", "WITHOUT ROWID")
        .replace("{sqlite}", "")
        .replace("{postgres}", "-- ");
    conn.execute_batch(&sql).map_err(|e| fault(&sql, e))
}
