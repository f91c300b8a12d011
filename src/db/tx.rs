//! A transaction, the same to the domain on both engines.

mod kept;
mod memory;

use super::at_commit::{AtCommit, Collected};
use super::memo::MadeOf;
use super::observer::Observed;
use super::postgres::connection::Connection;
use super::rerun::Rerun;
use super::row::{Bind, FromRow, Params, Row};
use super::statements::Statements;
use crate::error::{Error, Result};

pub(super) use memory::Memory;

/// What a write locks before it reads what it decides on. SQLite has one writer, which has nothing to lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lock {
    /// The schema.
    Schema,
    /// A person's account.
    User(i64),
    /// Everything that is recorded in a journal: that of an organization, or of the site.
    Journal(i64),
    /// What a person has created. Its row is locked by the statement that counts.
    Creations(i64),
}

impl Lock {
    /// The journal that this locks, if it does.
    #[must_use]
    pub fn journal(self) -> Option<i64> {
        match self {
            Self::Journal(org) => Some(org),
            Self::Schema | Self::User(_) | Self::Creations(_) => None,
        }
    }

    /// The number under which PostgreSQL knows the lock, class and identifier; a journal is locked by its head.
    fn number(self) -> Option<i64> {
        match self {
            Self::Schema => Some(1 << 56),
            Self::User(id) => Some((2 << 56) | id),
            Self::Journal(_) | Self::Creations(_) => None,
        }
    }
}

/// A transaction: the only way to the data.
pub struct Tx<'c> {
    conn: Conn<'c>,
    observed: &'c Observed,
    writes: bool,
    /// Whether what is found now is found again before anything is decided on it.
    guesses: bool,
    /// Whether a statement has failed: from then on the engines differ in what the transaction still holds.
    failed: bool,
    /// Why all of it has to be run again, if anything that it did has found that.
    rerun: Option<Rerun>,
    /// What was made from the same snapshot before, where that is kept.
    memory: Option<Memory<'c>>,
    /// What the answer is made of.
    makes_of: MadeOf,
    /// What is written before the commit; none of what only reads.
    collected: Option<&'c mut Collected>,
}

pub(super) enum Conn<'c> {
    Sqlite(&'c mut (dyn Statements + 'c)),
    Postgres(&'c mut Connection),
    /// PostgreSQL, as far as memory knows it: a statement has to be run elsewhere.
    Nothing,
}

impl<'c> Tx<'c> {
    pub(super) fn reading(conn: Conn<'c>, observed: &'c Observed) -> Self {
        Self {
            conn,
            observed,
            writes: false,
            guesses: false,
            failed: false,
            rerun: None,
            memory: None,
            makes_of: MadeOf::Anything,
            collected: None,
        }
    }

    pub(super) fn writing(conn: Conn<'c>, observed: &'c Observed, collected: &'c mut Collected) -> Self {
        Self { writes: true, collected: Some(collected), ..Self::reading(conn, observed) }
    }

    /// Whether what is read here may never come to be, since it is not committed yet.
    #[must_use]
    pub fn writes(&self) -> bool {
        self.writes
    }

    /// Whether a statement has failed.
    pub(super) fn has_failed(&self) -> bool {
        self.failed
    }

    /// Has the door run all of this again on newer data, because what it has read has changed. The error ends this run.
    pub fn run_again(&mut self) -> Error {
        self.rerun = Some(Rerun::OnNewer);
        Error::Unavailable("the data has changed meanwhile".into())
    }

    /// Has the door run all of this again where it may wait. The error ends this run.
    pub fn run_elsewhere(&mut self) -> Error {
        self.rerun = Some(Rerun::Elsewhere);
        not_in_memory()
    }

    /// Why all of this has to be run again, whatever came of it.
    pub(super) fn rerun(&self) -> Option<Rerun> {
        self.rerun.or(match &self.conn {
            Conn::Postgres(conn) => conn.rerun(),
            Conn::Sqlite(_) | Conn::Nothing => None,
        })
    }

    /// Runs a closure that writes. One that goes on after a failed statement is not kept: PostgreSQL would have
    /// forgotten all of it, SQLite a part or nothing.
    pub(super) fn carry_out<R>(&mut self, work: &mut impl FnMut(&mut Tx<'_>) -> Result<R>) -> Result<R> {
        let done = work(self)?;
        if self.failed { Err(Error::Bug("a write went on after a failed statement".into())) } else { Ok(done) }
    }

    /// What this transaction collects until its commit: the same of every request that shares it.
    pub fn at_commit<T: AtCommit + Default>(&mut self) -> Result<&mut T> {
        let collected = self.collected.as_mut().ok_or_else(|| Error::Bug("a read has no commit".into()))?;
        collected.of().ok_or_else(|| Error::Bug("a collection is of another kind than it was".into()))
    }

    /// Writes what was collected; nothing else may follow.
    pub(super) fn write_collected(&mut self) -> Result<()> {
        let Some(collected) = self.collected.take() else { return Ok(()) };
        self.note_if_light(collected);
        let statements = collected.statements(self.is_remote());
        let statements: Vec<_> = statements.iter().map(|(sql, params)| (*sql, params.as_slice())).collect();
        self.run_together(&statements)
    }

    /// The one row that must be there.
    pub fn one<T: FromRow>(&mut self, sql: &'static str, params: Params<'_>) -> Result<T> {
        self.maybe(sql, params)?.ok_or_else(|| Error::Bug(format!("no row from {sql}")))
    }

    /// The first row, if there is one.
    pub fn maybe<T: FromRow>(&mut self, sql: &'static str, params: Params<'_>) -> Result<Option<T>> {
        let mut found = None;
        self.each(sql, params, |row| {
            if found.is_none() {
                found = Some(T::from_row(row)?);
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// The word in the column of the one row there may be, which by the schema is one of these.
    pub fn word(
        &mut self,
        sql: &'static str,
        params: Params<'_>,
        words: &[&'static str],
    ) -> Result<Option<&'static str>> {
        let mut found = None;
        self.each(sql, params, |row| {
            found = row.word(0, words)?;
            Ok(())
        })?;
        Ok(found)
    }

    /// All rows.
    pub fn all<T: FromRow>(&mut self, sql: &'static str, params: Params<'_>) -> Result<Vec<T>> {
        let mut rows = Vec::new();
        self.each(sql, params, |row| {
            rows.push(T::from_row(row)?);
            Ok(())
        })?;
        Ok(rows)
    }

    /// The first row of a query that may be all that a read asks. On PostgreSQL its last column is the text of its snapshot,
    /// so that it takes neither a transaction nor its end.
    pub fn maybe_alone<T: FromRow>(&mut self, sql: &'static str, params: Params<'_>) -> Result<Option<T>> {
        let mut found = None;
        // Only then it is checked that statements of different transactions have seen the same.
        let checked = matches!(self.memory, Some(Memory::Shared { .. }));
        if !checked {
            return self.maybe(sql, params);
        }
        self.statement(sql, |conn| match conn {
            Conn::Postgres(conn) => conn.each_alone(sql, params, |row| {
                found = Some(T::from_row(row)?);
                Ok(())
            }),
            _ => Ok(()),
        })?;
        // Without a row nothing says of which snapshot that is true.
        if found.is_some() { Ok(found) } else { self.maybe(sql, params) }
    }

    /// Has a query sent together with the next statement, because it will be asked next. PostgreSQL answers both in one
    /// round trip.
    pub fn ahead(&mut self, sql: &'static str, params: Vec<Box<dyn Bind + Send>>) {
        if let Conn::Postgres(conn) = &mut self.conn {
            conn.ahead(sql, params);
        }
    }

    /// Whether there is any row.
    pub fn any(&mut self, sql: &'static str, params: Params<'_>) -> Result<bool> {
        let mut any = false;
        self.each(sql, params, |_| {
            any = true;
            Ok(())
        })?;
        Ok(any)
    }

    /// Calls a function for each row.
    pub fn each(
        &mut self,
        sql: &'static str,
        params: Params<'_>,
        mut row: impl FnMut(&Row<'_>) -> Result<()>,
    ) -> Result<()> {
        self.statement(sql, |conn| match conn {
            Conn::Sqlite(conn) => conn.each(sql, params, &mut row),
            Conn::Postgres(conn) => conn.each(sql, params, row),
            Conn::Nothing => Err(not_in_memory()),
        })
    }

    /// Calls a function for each row of a statement that is run for one key after the other.
    pub(super) fn each_of(
        &mut self,
        sql: &'static str,
        keys: &[impl Bind],
        mut row: impl FnMut(&Row<'_>) -> Result<()>,
    ) -> Result<()> {
        self.statement(sql, |conn| match conn {
            Conn::Sqlite(conn) => conn.each_of(sql, &mut keys.iter().map(|key| key as &dyn Bind), &mut row),
            Conn::Postgres(conn) => keys.iter().try_for_each(|key| conn.each(sql, &[key], &mut row)),
            Conn::Nothing => Err(not_in_memory()),
        })
    }

    /// Whether every statement is a round trip to a server.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        !matches!(self.conn, Conn::Sqlite(_))
    }

    /// Whether it may wait for others. One that is served from memory may not: other requests wait behind it.
    #[must_use]
    pub fn may_wait(&self) -> bool {
        !matches!(self.conn, Conn::Nothing)
    }

    /// Runs a statement that returns no rows; how many rows it changed.
    pub fn run(&mut self, sql: &'static str, params: Params<'_>) -> Result<u64> {
        self.statement(sql, |conn| match conn {
            Conn::Sqlite(conn) => conn.run(sql, params),
            Conn::Postgres(conn) => conn.run(sql, params),
            Conn::Nothing => Err(not_in_memory()),
        })
    }

    /// Runs statements that return no rows, none of which needs the outcome of another. PostgreSQL gets all of them before
    /// it has answered the first.
    pub fn run_together(&mut self, statements: &[(&'static str, Params<'_>)]) -> Result<()> {
        if let ([_, _, ..], Conn::Postgres(_)) = (statements, &self.conn) {
            let (first, rest) = (statements[0].0, &statements[1..]);
            rest.iter().try_for_each(|(sql, _)| self.observed.before(sql)).inspect_err(|_| self.failed = true)?;
            return self.statement(first, |conn| match conn {
                Conn::Postgres(conn) => conn.run_together(statements),
                _ => Ok(()),
            });
        }
        statements.iter().try_for_each(|(sql, params)| self.run(sql, params).map(drop))
    }

    /// After a failure nothing more is run: a full disk may have ended the transaction of SQLite, and each further
    /// statement would be kept on its own.
    fn statement<R>(&mut self, sql: &'static str, run: impl FnOnce(&mut Conn<'c>) -> Result<R>) -> Result<R> {
        if matches!(self.conn, Conn::Nothing) {
            self.failed = true;
            return Err(self.run_elsewhere());
        }
        if self.failed {
            return Err(Error::Unavailable("an earlier statement of the transaction failed".into()));
        }
        let done = self.observed.before(sql).and_then(|()| run(&mut self.conn));
        // An error says something of its snapshot too.
        let agreed = self.agree();
        let done = done.and_then(|done| agreed.map(|()| done));
        self.failed = done.is_err();
        done
    }

    /// Takes an advisory lock; what is read afterwards is newer than the lock. A journal has none: its head is locked.
    pub fn lock(&mut self, lock: Lock) -> Result<()> {
        match lock.number().filter(|_| self.has_locks()) {
            Some(number) => self.any("SELECT 1 FROM pg_advisory_xact_lock($1)", &[&number]).map(drop),
            None => Ok(()),
        }
    }

    /// Whether locks mean anything here, so that what to lock is not looked up in vain.
    #[must_use]
    pub fn has_locks(&self) -> bool {
        !matches!(self.conn, Conn::Sqlite(_))
    }

    /// Runs the statements of a migration, with the substituted words of the portable dialect.
    pub(super) fn batch(&mut self, sql: &str) -> Result<()> {
        match &mut self.conn {
            Conn::Sqlite(conn) => conn.batch(sql),
            Conn::Postgres(conn) => conn.batch(sql),
            Conn::Nothing => Err(not_in_memory()),
        }
    }

    /// The time of the server in microseconds since 1970; none where the store has no clock of its own.
    pub fn server_time(&mut self) -> Result<Option<i64>> {
        const TIME: &str = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)";
        match self.conn {
            Conn::Sqlite(_) => Ok(None),
            Conn::Postgres(_) | Conn::Nothing => self.one::<(i64,)>(TIME, &[]).map(|(time,)| Some(time)),
        }
    }

    /// What the engine itself finds wrong with its file, in its own words; PostgreSQL watches over its data itself.
    pub fn damage(&mut self) -> Result<Vec<String>> {
        self.statement("PRAGMA integrity_check", |conn| match conn {
            Conn::Sqlite(conn) => conn.damage(),
            Conn::Postgres(_) | Conn::Nothing => Ok(Vec::new()),
        })
    }

    /// The names of the tables that are there.
    pub(super) fn tables(&mut self) -> Result<Vec<String>> {
        let sql = match self.conn {
            Conn::Sqlite(_) => "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
            Conn::Postgres(_) | Conn::Nothing => {
                "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()"
            }
        };
        Ok(self.all::<(String,)>(sql, &[])?.into_iter().map(|(name,)| name).collect())
    }
}

fn not_in_memory() -> Error {
    Error::Unavailable("not in memory".into())
}
