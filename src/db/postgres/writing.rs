//! Carries writes out: those of a lane in one transaction, and each that lost a race with another transaction again, by
//! itself. A commit of which it is not known whether it happened is never repeated blindly: PostgreSQL is asked.

use std::time::{Duration, Instant};

use super::connection::Connection;
use super::lanes::Queued;
use super::shared::{Server, Shared};
use super::{ATTEMPTS, Wait, Worker};
use crate::db::at_commit::Collected;
use crate::db::breaker::Breaker;
use crate::db::memo::Memo;
use crate::db::tx::{Conn, Memory, Tx};
use crate::db::writer::{self, Job, Session};
use crate::error::{Error, Result};

/// What begins a transaction. It also asks for the number by which the outcome of its commit can be found out.
const BEGIN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED; SELECT CAST(pg_current_xact_id() AS TEXT)";

/// For how long it is tried to find out whether a commit happened.
const UNKNOWN: Duration = Duration::from_secs(2);

/// The pause between two questions for that.
const PAUSE: Duration = Duration::from_millis(20);

const STATUS: &str = "SELECT pg_xact_status(CAST(CAST($1 AS TEXT) AS xid8))";

const MARK: &str = "SELECT 1 FROM pg_logical_emit_message(TRUE, 'guildhall', '')";

/// A transaction on a connection.
struct Turn<'w> {
    connection: &'w mut Connection,
    breaker: &'w Breaker,
    shared: &'w Shared,
    /// That of the connection.
    incarnation: u64,
    found: Memo,
    wait: Wait,
    /// The transaction whose commit was not answered.
    unknown: Option<String>,
}

impl Session for Turn<'_> {
    fn begin(&mut self) -> Result<()> {
        self.found = Memo::default();
        self.connection.begin(BEGIN, usize::MAX, self.wait.left());
        Ok(())
    }

    fn commit(&mut self) -> Result<()> {
        let number = self.connection.snapshot().map(str::to_owned);
        let committed = self.connection.commit();
        if committed.is_err() && self.connection.is_closed() {
            self.unknown = number;
        }
        committed
    }

    fn roll_back(&mut self) {
        if !self.connection.is_closed()
            && let Err(error) = self.connection.end("ROLLBACK")
        {
            tracing::warn!(%error, "cannot roll back a transaction");
        }
    }

    fn divide(&mut self, sql: &'static str) -> Result<()> {
        self.connection.divide(sql)
    }

    fn with<R>(&mut self, collected: &mut Collected, work: impl FnOnce(&mut Tx<'_>) -> R) -> R {
        let conn = Conn::Postgres(&mut *self.connection);
        let memory = Memory::Writing { found: &mut self.found, recent: self.shared, incarnation: self.incarnation };
        work(&mut Tx::writing(conn, self.breaker, collected).remembering(memory))
    }

    fn take_changed(&mut self) -> bool {
        self.connection.take_changed()
    }

    fn forget(&mut self) {
        self.found.forget();
    }

    fn has_ended(&self) -> bool {
        self.connection.is_closed()
    }
}

impl Worker {
    /// Carries out what waits in a lane, and answers it.
    pub(super) fn write(&mut self, mut writes: Vec<Queued>) {
        let Some(wait) = writes.first().map(|write| write.wait) else { return };
        writes.sort_by_key(|write| write.person);
        let mut batch: Vec<Box<dyn Job>> = writes.into_iter().map(|write| write.job).collect();
        self.share(wait, &mut batch);
        let (stale, done): (Vec<_>, Vec<_>) = batch.into_iter().partition(|job| job.is_stale());
        writer::answer(done);
        for job in stale {
            self.write_alone(wait, job);
        }
    }

    /// Carries these out in as few transactions as it takes. Some may be stale afterwards.
    fn share(&mut self, wait: Wait, batch: &mut Vec<Box<dyn Job>>) {
        let (mut failed, mut reconnected, mut attempts) = (Vec::new(), false, 0);
        let ended = loop {
            if batch.is_empty() {
                break Ok(());
            }
            let done = self.transaction(wait, &mut Collected::default(), batch, !failed.is_empty());
            // A kept connection may have died of a restart. Nothing was committed.
            let lost = self.connection.is_none() && !reconnected && self.reach.held().is_ok();
            match done {
                Ok(None) => break Ok(()),
                Ok(Some(_)) if lost => reconnected = true,
                Ok(Some(place)) => failed.push(batch.remove(place)),
                Err(Error::Stale) if attempts < ATTEMPTS => attempts += 1,
                Err(error) => break Err(error),
            }
        };
        self.batches.observe(f64::from(u32::try_from(batch.len()).unwrap_or(u32::MAX)));
        if let Err(error) = ended {
            refuse(batch, &error);
        }
        batch.append(&mut failed);
    }

    /// Runs a write until no other transaction has changed what it decides on, and answers it.
    fn write_alone(&mut self, wait: Wait, job: Box<dyn Job>) {
        let (mut batch, mut collected) = (vec![job], Collected::default());
        for _ in 0..ATTEMPTS {
            if let Err(error) = self.transaction(wait, &mut collected, &mut batch, false) {
                match error {
                    Error::Stale => continue,
                    error => refuse(&mut batch, &error),
                }
            }
            if !batch.iter().any(|job| job.is_stale()) {
                return writer::answer(batch);
            }
        }
        refuse(&mut batch, &Error::Unavailable("other requests kept changing the same data".into()));
        writer::answer(batch);
    }

    /// One transaction, with what came of its commit. `Error::Stale` if it has to be run again.
    fn transaction(
        &mut self,
        wait: Wait,
        collected: &mut Collected,
        batch: &mut [Box<dyn Job>],
        apart: bool,
    ) -> Result<Option<usize>> {
        let (breaker, reach, shared) = (self.breaker.clone(), self.reach.clone(), self.shared.clone());
        let (connection, incarnation) = self.connect(wait)?;
        let mut turn = Turn {
            connection,
            breaker: &breaker,
            shared: &shared,
            incarnation,
            found: Memo::default(),
            wait,
            unknown: None,
        };
        let done = writer::transaction(&mut turn, collected, batch, apart);
        let unknown =
            turn.unknown.take().map(|number| Unknown { number, server: connection.server().clone(), incarnation });
        let (given_up, closed) = (connection.was_given_up(), connection.is_closed());
        if closed {
            self.connection = None;
        }
        if given_up {
            let error = Error::Unavailable("PostgreSQL has not answered in time".into());
            reach.lost(&error);
            return done;
        }
        match unknown {
            None => done,
            Some(unknown) if self.was_committed(wait, &unknown)? => {
                tracing::info!("a commit whose answer was lost has happened");
                Ok(None)
            }
            Some(_) => Err(Error::Stale),
        }
    }

    /// Finds out, over another connection, whether a transaction was committed.
    fn was_committed(&mut self, wait: Wait, of: &Unknown) -> Result<bool> {
        let deadline = Instant::now() + UNKNOWN;
        loop {
            match self.status(wait, of) {
                Ok(Some(status)) if status == "committed" => break,
                Ok(Some(status)) if status == "aborted" => return Ok(false),
                Ok(None) => return Err(unknown("PostgreSQL does not know the transaction any more")),
                Err(error) if Instant::now() > deadline => return Err(unknown(&error.to_string())),
                _ if Instant::now() > deadline => return Err(unknown("it has not ended")),
                _ => std::thread::sleep(PAUSE),
            }
        }
        self.await_standby(wait)?;
        // A crash forgets numbers that were given to transactions without a trace, and gives them to others.
        let Some(proof) = &self.proof else { return Err(unknown("PostgreSQL may have crashed since")) };
        let lasts = proof.goes_on(&self.shared, of.incarnation);
        if self.runtime.block_on(lasts) { Ok(true) } else { Err(unknown("PostgreSQL may have crashed since")) }
    }

    /// What PostgreSQL says of a transaction; nothing if it is too old.
    fn status(&mut self, wait: Wait, of: &Unknown) -> Result<Option<String>> {
        let (connection, _) = self.connect(wait)?;
        if *connection.server() != of.server {
            return Err(unknown("PostgreSQL has failed over"));
        }
        let mut status: Option<String> = None;
        connection.each(STATUS, &[&of.number], |row| {
            status = row.get(0)?;
            Ok(())
        })?;
        Ok(status)
    }

    /// Commits something of no consequence: once the standby has that, it has everything that was committed before.
    fn await_standby(&mut self, wait: Wait) -> Result<()> {
        let (connection, _) = self.connect(wait)?;
        connection.begin("BEGIN", usize::MAX, wait.left());
        let marked = connection.each(MARK, &[], |_| Ok(())).and_then(|()| connection.commit());
        marked.map_err(|error| unknown(&error.to_string()))
    }
}

/// A transaction whose commit was not answered.
struct Unknown {
    number: String,
    server: Server,
    /// The incarnation that it began in.
    incarnation: u64,
}

fn unknown(why: &str) -> Error {
    Error::Unavailable(format!("it is not known whether a write was committed: {why}"))
}

fn refuse(batch: &mut [Box<dyn Job>], error: &Error) {
    tracing::debug!(%error, "a batch of writes was not committed");
    for job in batch {
        job.fail(Error::Unavailable(error.to_string()));
    }
}
