//! Runs reads, each over the connection of its thread, and opens that connection.

use super::connection::Connection;

use super::timeouts::Timeouts;
use super::wait::Wait;
use super::{ATTEMPTS, RACES, Worker};
use crate::db::rerun::{Ran, Rerun};
use crate::db::tx::{Memory, Tx};
use crate::error::{Error, Result};

/// The number of bytes of rows that a read may load while other reads run. If it needs more, it runs again in its turn.
const READ_BYTES: usize = 4 << 20;

/// Begins a read and asks for the version of the data that it sees.
const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT CAST(pg_current_snapshot() AS TEXT)";

/// The conditions under which a read is run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Mode {
    /// True if it has its turn and may load any number of bytes.
    pub long: bool,
    /// True if it authorizes a write whose transaction follows.
    pub authorizes: bool,
    /// True if it presumes that nothing has changed since freshness was last proven.
    pub presumes: bool,
}

impl Worker {
    /// Runs a read, and retries it as long as the data that it reads changes.
    pub(super) fn serve<R>(
        &mut self,
        mode: Mode,
        wait: Wait,
        work: &mut impl FnMut(&mut Tx<'_>) -> Result<R>,
    ) -> Ran<R> {
        let mut reconnected = false;
        for attempt in 0..ATTEMPTS {
            let mode = Mode { presumes: mode.presumes && attempt == 0, ..mode };
            let attempt = std::panic::AssertUnwindSafe(|| self.attempt(mode, wait, work));
            let outcome = std::panic::catch_unwind(attempt).unwrap_or_else(|_| {
                self.connection = None;
                Ok(Err(Error::Bug("a request panicked".into())))
            });
            let lost = self.connection.as_ref().is_none_or(|(connection, _)| connection.is_closed());
            if lost {
                self.connection = None;
            }
            match outcome {
                Err(Rerun::OnNewer) => {}
                // A restart may have closed an open connection.
                Ok(Err(_)) if lost && !reconnected && !wait.is_over() && self.reach.held().is_ok() => {
                    reconnected = true;
                }
                outcome => return outcome,
            }
        }
        Ok(Err(Error::Unavailable(RACES.into())))
    }

    /// One attempt of a read.
    fn attempt<R>(&mut self, mode: Mode, wait: Wait, work: &mut impl FnMut(&mut Tx<'_>) -> Result<R>) -> Ran<R> {
        let (observed, reach, shared) = (self.observed.clone(), self.reach.clone(), self.shared.clone());
        let (connection, incarnation) = match self.connect(wait) {
            Ok(connected) => connected,
            Err(error) => return Ok(Err(error)),
        };
        let most = if mode.long { usize::MAX } else { READ_BYTES };
        connection.begin(BEGIN, most, wait.left());
        let mut tx = Tx::reading(Some(connection), &observed);
        // No proof precedes the reads of commands, so the server may have crashed since the last one.
        if wait.timeouts == Timeouts::Request {
            tx = tx.with_memory(Memory::shared(&shared, incarnation, mode.authorizes, mode.presumes));
        }
        let outcome = tx.look(work);
        let rerun = tx.rerun();
        let ended = match &outcome {
            Ok(_) if rerun.is_none() => connection.end_read(),
            _ if connection.is_closed() => Ok(()),
            _ => connection.end("ROLLBACK").or_else(|error| {
                tracing::warn!(%error, "cannot roll back a transaction");
                Ok(())
            }),
        };
        let outcome = outcome.and_then(|done| ended.map(|()| done));
        reach.note(connection.given_up());
        rerun.map_or(Ok(outcome), Err)
    }

    /// A connection, and the incarnation that it belongs to. A connection of an earlier incarnation may lead to a
    /// server that is no longer the primary.
    pub(super) fn connect(&mut self, wait: Wait) -> Result<(&mut Connection, u64)> {
        self.reach.held()?;
        let incarnation = self.shared.incarnation();
        let is_fresh = |(kept, opened_in): &(Connection, u64)| *opened_in == incarnation && !kept.is_closed();
        if !self.connection.as_ref().is_some_and(is_fresh) {
            self.connection = None;
            let most = wait.timeouts.connect();
            let within = most.min(wait.left());
            let opened = Connection::open(&self.config, &self.runtime, wait.timeouts, within);
            let mut opened =
                opened.inspect_err(|error| if within < most { self.reach.doubt() } else { self.reach.lost(error) })?;
            if self.proof.is_none() {
                opened.expect_pooler();
            }
            // A different server means that there was a failover since freshness was last proven.
            let elsewhere = self.shared.is_elsewhere(opened.server());
            let incarnation = if elsewhere { self.shared.end() } else { incarnation };
            self.connection = Some((opened, incarnation));
        }
        let (connection, incarnation) = self
            .connection
            .as_mut()
            .map(|(connection, opened_in)| (connection, *opened_in))
            .ok_or_else(|| Error::Bug("no connection".into()))?;
        connection.serve(wait.timeouts, wait.left())?;
        Ok((connection, incarnation))
    }
}
