//! Runs writes: those of a lane in one transaction. A write that lost a race with another transaction is retried alone.
//! If the outcome of a commit is unknown, PostgreSQL is asked. The commit is never repeated blindly.

use std::time::{Duration, Instant};

use super::connection::Connection;
use super::lanes::{Queued, refuse};
use super::shared::{Server, Shared};
use super::wait::Wait;
use super::{ATTEMPTS, RACES, Worker};
use crate::db::at_commit::Collected;
use crate::db::observer::Observed;
use crate::db::statements::Statements;
use crate::db::tx::{Findings, Memory, Tx};
use crate::db::writer::{self, Ended, Session};
use crate::error::{Error, Result};

/// Begins a transaction and asks for the number that later identifies its commit.
const BEGIN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED; SELECT CAST(pg_current_xact_id() AS TEXT)";

/// The time that is spent on finding out if a commit happened.
const UNKNOWN: Duration = Duration::from_secs(2);

/// The delay between two of these attempts.
const PAUSE: Duration = Duration::from_millis(20);

const STATUS: &str = "SELECT pg_xact_status(CAST(CAST($1 AS TEXT) AS xid8))";

const MARK: &str = "SELECT 1 FROM pg_logical_emit_message(TRUE, 'guildhall', '')";

/// A transaction on a connection.
struct Turn<'w> {
    connection: &'w mut Connection,
    observed: &'w Observed,
    shared: &'w Shared,
    /// The incarnation of the connection.
    incarnation: u64,
    found: Findings,
    span: Span,
    /// The transaction whose commit got no response, and the number of its requests.
    unknown: Option<(String, usize)>,
}

impl Session for Turn<'_> {
    fn begin(&mut self) -> Result<()> {
        self.found = Findings::default();
        self.connection.begin(BEGIN, usize::MAX, self.span.wait.left());
        Ok(())
    }

    fn commit(&mut self, requests: usize) -> Result<()> {
        let number = self.connection.snapshot().map(str::to_owned);
        let committed = self.connection.commit();
        if committed.is_err() && self.connection.is_closed() {
            self.unknown = number.map(|number| (number, requests));
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
        self.connection.begin_request();
        let memory = Memory::Writing { found: &mut self.found, readers: self.shared, incarnation: self.incarnation };
        work(&mut Tx::writing(self.connection, self.observed, collected).with_memory(memory))
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

    fn is_late(&self) -> bool {
        self.span.is_long()
    }
}

/// The time limits of a batch of writes.
#[derive(Clone, Copy)]
struct Span {
    /// The time that its first request may wait.
    wait: Wait,
    since: Instant,
    /// The time during which further requests may begin.
    longest: Duration,
}

impl Span {
    /// True if no further request may begin, so that the finished ones are answered.
    fn is_long(self) -> bool {
        self.since.elapsed() >= self.longest
    }
}

impl Worker {
    /// Runs and answers the queued writes of a lane. Returns those that it had no time to begin.
    pub(super) fn write(&mut self, mut writes: Vec<Queued>) -> Vec<Queued> {
        let Some(wait) = writes.first().map(|write| write.wait) else { return Vec::new() };
        writes.sort_by_key(|write| write.person);
        let rest = self.share(wait, &mut writes);
        let (stale, done): (Vec<_>, Vec<_>) = writes.into_iter().partition(|write| write.job.is_stale());
        writer::answer(done.into_iter().map(|write| write.job).collect());
        for write in stale {
            self.write_alone(write);
        }
        rest
    }

    /// Runs the writes in as few transactions as possible. Returns those that were not begun in time. Some of the
    /// others may be stale afterwards.
    fn share(&mut self, wait: Wait, batch: &mut Vec<Queued>) -> Vec<Queued> {
        let (mut failed, mut rest, mut reconnected, mut attempts) = (Vec::new(), Vec::new(), false, 0);
        let span = Span { wait, since: Instant::now(), longest: self.longest };
        let ended = loop {
            if batch.is_empty() {
                break Ok(());
            }
            let done = self.transaction(span, &mut Collected::default(), batch, !failed.is_empty());
            // After a timeout of one lock, the next request would wait for the same lock.
            let late = span.is_long() || wait.is_over();
            // A restart may have closed an open connection. Nothing was committed.
            let lost = self.connection.is_none() && !reconnected && self.reach.held().is_ok();
            match done {
                Ok(Some(Ended::Committed(number))) => {
                    rest = batch.split_off(number);
                    break Ok(());
                }
                Ok(Some(Ended::Undone(_))) if lost && !late => reconnected = true,
                Ok(Some(Ended::Undone(place))) => {
                    failed.push(batch.remove(place));
                    if late {
                        rest.append(batch);
                    }
                }
                Ok(None) if wait.is_over() => {
                    rest.append(batch);
                    break Ok(());
                }
                Ok(None) if attempts < ATTEMPTS => attempts += 1,
                Ok(None) => break Err(Error::Unavailable(RACES.into())),
                Err(error) => break Err(error),
            }
        };
        self.batches.observe(f64::from(u32::try_from(batch.len()).unwrap_or(u32::MAX)));
        if let Err(error) = ended {
            refuse(std::mem::take(batch), &error);
        }
        batch.append(&mut failed);
        rest
    }

    /// Runs a write until no other transaction has changed the data that it decides on, and answers it.
    fn write_alone(&mut self, write: Queued) {
        let (wait, mut batch, mut collected) = (write.wait, vec![write], Collected::default());
        for attempt in 0..ATTEMPTS {
            if attempt > 0 && wait.is_over() {
                break;
            }
            let span = Span { wait, since: Instant::now(), longest: self.longest };
            match self.transaction(span, &mut collected, &mut batch, false) {
                Ok(None) => continue,
                Ok(Some(_)) => {}
                Err(error) => return refuse(batch, &error),
            }
            if !batch.iter().any(|write| write.job.is_stale()) {
                return writer::answer(batch.into_iter().map(|write| write.job).collect());
            }
        }
        refuse(batch, &Error::Unavailable(RACES.into()));
    }

    /// Runs one transaction. Returns how it ended, or none if it lost a race with another one and must run again.
    fn transaction(
        &mut self,
        span: Span,
        collected: &mut Collected,
        batch: &mut [Queued],
        apart: bool,
    ) -> Result<Option<Ended>> {
        let (observed, reach, shared) = (self.observed.clone(), self.reach.clone(), self.shared.clone());
        let (connection, incarnation) = self.connect(span.wait)?;
        let mut turn = Turn {
            connection,
            observed: &observed,
            shared: &shared,
            incarnation,
            found: Findings::default(),
            span,
            unknown: None,
        };
        let done = writer::transaction(&mut turn, collected, batch, apart);
        let unknown = turn
            .unknown
            .take()
            .map(|(number, requests)| (Unknown { number, server: connection.server().clone(), incarnation }, requests));
        let (given_up, closed) = (connection.given_up(), connection.is_closed());
        let done = match done {
            Err(_) if connection.rerun().is_some() => Ok(None),
            done => done.map(Some),
        };
        if closed {
            self.connection = None;
        }
        reach.note(given_up);
        // It may still be in progress, so its status means nothing yet.
        if given_up.is_some() {
            return done;
        }
        match unknown {
            None => done,
            #[cfg(debug_assertions)]
            Some(_) if shared.suffers(crate::db::Flaw::RepeatBlindly) => Ok(None),
            Some((unknown, requests)) if self.was_committed(span.wait, &unknown)? => {
                tracing::info!("a commit whose answer was lost has happened");
                Ok(Some(Ended::Committed(requests)))
            }
            Some(_) => Ok(None),
        }
    }

    /// Finds out over another connection whether a transaction was committed.
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
        // A crash forgets the numbers of transactions that left no trace, and uses them again.
        let Some(proof) = &self.proof else { return Err(unknown("PostgreSQL may have crashed since")) };
        let lasts = proof.goes_on(&self.shared, of.incarnation);
        if self.runtime.block_on(lasts) { Ok(true) } else { Err(unknown("PostgreSQL may have crashed since")) }
    }

    /// The status of a transaction, or none if it is too old.
    fn status(&mut self, wait: Wait, of: &Unknown) -> Result<Option<String>> {
        let (connection, _) = self.connect(wait)?;
        if *connection.server() != of.server {
            return Err(unknown("PostgreSQL has failed over"));
        }
        let mut status: Option<String> = None;
        connection.each(STATUS, &[&of.number], &mut |row| {
            status = row.read()?;
            Ok(())
        })?;
        Ok(status)
    }

    /// Commits a marker. When the standby has that, it has everything that was committed before.
    fn await_standby(&mut self, wait: Wait) -> Result<()> {
        let (connection, _) = self.connect(wait)?;
        connection.begin("BEGIN", usize::MAX, wait.left());
        let marked = connection.each(MARK, &[], &mut |_| Ok(())).and_then(|()| connection.commit());
        marked.map_err(|error| unknown(&error.to_string()))
    }
}

/// A transaction whose commit got no response.
struct Unknown {
    number: String,
    server: Server,
    /// The incarnation in which it began.
    incarnation: u64,
}

fn unknown(why: &str) -> Error {
    Error::Unavailable(format!("it is not known whether a write was committed: {why}"))
}
