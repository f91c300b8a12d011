//! A transaction. The domain uses it in the same way on both engines.

mod cached;
mod memory;

use super::at_commit::{AtCommit, Collected};
use super::memo::MadeOf;
use super::observer::Observed;
use super::rerun::Rerun;
use super::row::{Bind, FromRow, Params, Row, word_or_none};
use super::statements::{OnRow, Statements};
use crate::error::{Error, Result};

pub(super) use memory::{Findings, Memory};

/// The lock that a write takes before it reads the data that it decides on. SQLite has one writer and needs no locks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lock {
    /// The schema.
    Schema,
    /// A person's account.
    User(i64),
    /// Everything that is recorded in the journal of an organization, or of the site.
    Journal(i64),
    /// A person's counts of what they have created. The statement that counts locks its row.
    Creations(i64),
}

impl Lock {
    /// The journal that this lock covers, if any.
    #[must_use]
    pub fn journal(self) -> Option<i64> {
        match self {
            Self::Journal(org) => Some(org),
            Self::Schema | Self::User(_) | Self::Creations(_) => None,
        }
    }

    /// The key of the advisory lock on PostgreSQL, made of class and identifier. A journal is locked by its head
    /// instead.
    fn number(self) -> Option<i64> {
        match self {
            Self::Schema => Some(1 << 56),
            Self::User(id) => Some((2 << 56) | id),
            Self::Journal(_) | Self::Creations(_) => None,
        }
    }
}

/// The kind of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Work {
    Write,
    /// On a thread of the store.
    Read,
    /// On the thread of a connection, where other requests wait behind it.
    InlineRead,
}

/// A transaction: the only way to the data.
pub struct Tx<'c> {
    /// None if it only has what is cached of PostgreSQL. A statement must run elsewhere.
    conn: Option<Conn<'c>>,
    observed: &'c Observed,
    /// The number of statements that it has run.
    asked: u32,
    work: Work,
    /// True if what is found now will be looked up again before anything is decided on it.
    guesses: bool,
    /// True if a statement has failed. From then on, the engines differ in what the transaction still contains.
    failed: bool,
    /// The reason why all of it must run again, if any part of it found one.
    rerun: Option<Rerun>,
    /// The values that were computed from the same snapshot before, if they are cached.
    memory: Option<Memory<'c>>,
    /// The data that the response is made of.
    makes_of: MadeOf,
    /// The changes to be written before the commit. A read has none.
    collected: Option<&'c mut Collected>,
}

/// A connection of one of the two engines.
pub(super) type Conn<'c> = &'c mut (dyn Statements + 'c);

impl<'c> Tx<'c> {
    pub(super) fn reading(conn: Option<Conn<'c>>, observed: &'c Observed) -> Self {
        Self {
            conn,
            observed,
            asked: 0,
            work: Work::Read,
            guesses: false,
            failed: false,
            rerun: None,
            memory: None,
            makes_of: MadeOf::Anything,
            collected: None,
        }
    }

    pub(super) fn writing(conn: Conn<'c>, observed: &'c Observed, collected: &'c mut Collected) -> Self {
        Self { work: Work::Write, collected: Some(collected), ..Self::reading(Some(conn), observed) }
    }

    /// The same read on the thread of a connection, where it waits for no other request.
    pub(super) fn without_waiting(self) -> Self {
        Self { work: Work::InlineRead, ..self }
    }

    /// True if this transaction writes. What it reads may then never be committed.
    #[must_use]
    pub fn writes(&self) -> bool {
        self.work == Work::Write
    }

    /// The number of statements that it has run so far. What was in memory took none.
    #[must_use]
    pub fn asked(&self) -> u32 {
        self.asked
    }

    /// True if a statement has failed.
    pub(super) fn has_failed(&self) -> bool {
        self.failed
    }

    /// Makes the door run all of this again on newer data. The returned error ends the current run.
    pub fn run_again(&mut self) -> Error {
        self.rerun = Some(Rerun::OnNewer);
        Error::Unavailable("the data has changed meanwhile".into())
    }

    /// Makes the door run all of this again where it may wait. The returned error ends the current run.
    pub fn run_elsewhere(&mut self) -> Error {
        self.rerun = Some(Rerun::Elsewhere);
        not_in_memory()
    }

    /// The reason why all of this must run again, whatever its result is.
    pub(super) fn rerun(&self) -> Option<Rerun> {
        self.rerun.or_else(|| self.conn.as_ref()?.rerun())
    }

    /// Runs a closure that writes. If the closure continues after a failed statement, its changes are dropped:
    /// PostgreSQL would have lost all of them, and SQLite some of them or none.
    pub(super) fn carry_out<R>(&mut self, work: &mut impl FnMut(&mut Tx<'_>) -> Result<R>) -> Result<R> {
        let done = work(self)?;
        if self.failed { Err(Error::Bug("a write went on after a failed statement".into())) } else { Ok(done) }
    }

    /// The collection of this kind that is written at the commit. All requests that share the transaction share this.
    pub fn at_commit<T: AtCommit + Default>(&mut self) -> Result<&mut T> {
        let collected = self.collected.as_mut().ok_or_else(|| Error::Bug("a read has no commit".into()))?;
        collected.of().ok_or_else(|| Error::Bug("a collection is of another kind than it was".into()))
    }

    /// Writes what was collected. Nothing else may follow.
    pub(super) fn write_collected(&mut self) -> Result<()> {
        let Some(collected) = self.collected.take() else { return Ok(()) };
        self.note_if_light(collected);
        let statements = collected.statements(self.is_remote());
        let statements: Vec<_> = statements.iter().map(|(sql, params)| (*sql, params.as_slice())).collect();
        self.run_together(&statements)
    }

    /// The only row, which must exist.
    pub fn one<T: FromRow>(&mut self, sql: &'static str, params: Params<'_>) -> Result<T> {
        self.maybe(sql, params)?.ok_or_else(|| Error::Bug(format!("no row from {sql}")))
    }

    /// The first row, if there is one.
    pub fn maybe<T: FromRow>(&mut self, sql: &'static str, params: Params<'_>) -> Result<Option<T>> {
        let mut found = None;
        self.each(sql, params, first(&mut found))?;
        Ok(found)
    }

    /// The word in the column of the only row, if that row exists. The schema restricts the column to these words.
    pub fn word(
        &mut self,
        sql: &'static str,
        params: Params<'_>,
        words: &'static [&'static str],
    ) -> Result<Option<&'static str>> {
        let held: Option<Option<String>> = self.maybe(sql, params)?.map(|(held,)| held);
        word_or_none(words)(held.flatten())
    }

    /// All rows.
    pub fn all<T: FromRow>(&mut self, sql: &'static str, params: Params<'_>) -> Result<Vec<T>> {
        let mut rows = Vec::new();
        self.each(sql, params, every(&mut rows))?;
        Ok(rows)
    }

    /// The first row of a statement that may be the only one of a read. On PostgreSQL its last column is the text of
    /// the snapshot, so that the read needs neither `BEGIN` nor `COMMIT`. A write learns from it which values of readers
    /// it may use.
    pub fn maybe_alone<T: FromRow>(&mut self, sql: &'static str, params: Params<'_>) -> Result<Option<T>> {
        let mut found = None;
        // A check ensures that statements of different transactions have seen the same data. If they have not, the read
        // runs again, in one transaction. An observer counts the same statements each time only if nothing runs again.
        let optimistic =
            matches!(self.memory, Some(Memory::Shared { presumes: true, .. })) && !self.observed.is_active();
        if self.writes() {
            return self.maybe_comparing(sql, params);
        }
        if !optimistic {
            return self.maybe(sql, params);
        }
        let take = |row: &Row<'_>| {
            found = Some(T::from_row(row)?);
            Ok(())
        };
        self.rows(sql, take, |conn, row| conn.each_alone(sql, params, row))?;
        // Without a row, the snapshot for which that is true is unknown.
        if found.is_some() { Ok(found) } else { self.maybe(sql, params) }
    }

    /// Sends a statement together with the next statement, because its result will be needed next. PostgreSQL answers
    /// both in one round trip.
    pub fn ahead(&mut self, sql: &'static str, params: Vec<Box<dyn Bind + Send>>) {
        if let Some(conn) = &mut self.conn {
            conn.ahead(sql, params);
        }
    }

    /// True if there is any row.
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
        row: impl FnMut(&Row<'_>) -> Result<()>,
    ) -> Result<()> {
        self.rows(sql, row, |conn, row| conn.each(sql, params, row))
    }

    /// Calls a function for each row of a statement that runs once for each key.
    pub(super) fn each_of(
        &mut self,
        sql: &'static str,
        keys: &[impl Bind],
        row: impl FnMut(&Row<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut keys = keys.iter().map(|key| key as &dyn Bind);
        self.rows(sql, row, |conn, row| conn.each_of(sql, &mut keys, row))
    }

    /// True if each statement is a round trip to a server. Other transactions write there at the same time, so that
    /// locks must be taken.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        self.conn.as_ref().is_none_or(|conn| conn.is_remote())
    }

    /// True if it may wait for other requests: it runs on a thread of the store, and not on that of a connection.
    #[must_use]
    pub fn may_wait(&self) -> bool {
        self.conn.is_some() && self.work != Work::InlineRead
    }

    /// Runs a statement that returns no rows. Returns the number of changed rows.
    pub fn run(&mut self, sql: &'static str, params: Params<'_>) -> Result<u64> {
        self.statement(sql, |conn| conn.run(sql, params))
    }

    /// Runs a statement that changes rows. Returns the only row that it returns.
    pub fn run_one<T: FromRow>(&mut self, sql: &'static str, params: Params<'_>) -> Result<T> {
        let mut found = None;
        self.rows(sql, first(&mut found), |conn, row| conn.run_each(sql, params, row))?;
        found.ok_or_else(|| Error::Bug(format!("no row from {sql}")))
    }

    /// Runs a statement that changes rows. Returns the rows that it returns.
    pub fn run_all<T: FromRow>(&mut self, sql: &'static str, params: Params<'_>) -> Result<Vec<T>> {
        let mut rows = Vec::new();
        self.rows(sql, every(&mut rows), |conn, row| conn.run_each(sql, params, row))?;
        Ok(rows)
    }

    /// Runs statements that return no rows and do not need each other's results. PostgreSQL receives all of them before
    /// it answers the first.
    pub fn run_together(&mut self, statements: &[(&'static str, Params<'_>)]) -> Result<()> {
        let Some(((first, _), rest)) = statements.split_first() else { return Ok(()) };
        rest.iter().try_for_each(|(sql, _)| self.observed.before(sql)).inspect_err(|_| self.failed = true)?;
        self.statement(first, |conn| conn.run_together(statements))
    }

    /// Runs a statement that returns rows, and tells the observer how many there were.
    fn rows(
        &mut self,
        sql: &'static str,
        mut row: impl FnMut(&Row<'_>) -> Result<()>,
        run: impl FnOnce(&mut Conn<'c>, OnRow<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut rows = 0;
        let mut count = |next: &Row<'_>| {
            rows += 1;
            row(next)
        };
        let done = self.statement(sql, |conn| run(conn, &mut count));
        self.observed.after(rows);
        done
    }

    /// After a failure no further statement runs. A full disk may have ended the transaction of SQLite, so each further
    /// statement would be committed on its own.
    fn statement<R>(&mut self, sql: &'static str, run: impl FnOnce(&mut Conn<'c>) -> Result<R>) -> Result<R> {
        let Some(conn) = &mut self.conn else {
            self.failed = true;
            return Err(self.run_elsewhere());
        };
        if self.failed {
            return Err(Error::Unavailable("an earlier statement of the transaction failed".into()));
        }
        self.asked += 1;
        let done = self.observed.before(sql).and_then(|()| run(conn));
        // An error, too, depends on the snapshot that it was found in.
        let agreed = self.agree();
        let done = done.and_then(|done| agreed.map(|()| done));
        self.failed = done.is_err();
        done
    }

    /// Takes an advisory lock. What is read afterwards is newer than the lock. A journal has no such lock, because its
    /// head is locked.
    pub fn lock(&mut self, lock: Lock) -> Result<()> {
        match lock.number().filter(|_| self.is_remote()) {
            Some(number) => self.any("SELECT 1 FROM pg_advisory_xact_lock($1)", &[&number]).map(drop),
            None => Ok(()),
        }
    }

    /// Runs the statements of a migration after replacing the words in braces of the portable dialect.
    pub(super) fn batch(&mut self, sql: &str) -> Result<()> {
        self.conn.as_mut().ok_or_else(not_in_memory)?.batch(sql)
    }

    /// The time of the server in microseconds since 1970, or none if the store has no clock of its own.
    pub fn server_time(&mut self) -> Result<Option<i64>> {
        const TIME: &str = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)";
        if self.is_remote() { self.one::<(i64,)>(TIME, &[]).map(|(time,)| Some(time)) } else { Ok(None) }
    }

    /// The size of the database in bytes.
    pub fn size(&mut self) -> Result<i64> {
        const PAGES: &str = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
        const REMOTE: &str = "SELECT pg_database_size(current_database())";
        self.one(if self.is_remote() { REMOTE } else { PAGES }, &[])
    }

    /// Problems that the engine finds in its own file, in the engine's words.
    pub fn damage(&mut self) -> Result<Vec<String>> {
        self.statement("PRAGMA integrity_check", |conn| conn.damage())
    }

    /// The names of all tables.
    pub(super) fn tables(&mut self) -> Result<Vec<String>> {
        let sql = if self.is_remote() {
            "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()"
        } else {
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        };
        Ok(self.all::<(String,)>(sql, &[])?.into_iter().map(|(name,)| name).collect())
    }
}

/// Reads the first row.
fn first<T: FromRow>(found: &mut Option<T>) -> impl FnMut(&Row<'_>) -> Result<()> {
    move |row| {
        if found.is_none() {
            *found = Some(T::from_row(row)?);
        }
        Ok(())
    }
}

/// Reads every row.
fn every<T: FromRow>(rows: &mut Vec<T>) -> impl FnMut(&Row<'_>) -> Result<()> {
    move |row| {
        rows.push(T::from_row(row)?);
        Ok(())
    }
}

fn not_in_memory() -> Error {
    Error::Unavailable("not in memory".into())
}
