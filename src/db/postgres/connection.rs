//! One connection to PostgreSQL with its kept statements. Every wait for the server has a deadline, after which the
//! connection is given up: what a server that has stopped answering is asked for may happen or not.

mod ahead;
mod asking;

use std::collections::{HashMap, VecDeque};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::Duration;

use ahead::Aheads;
use tokio::runtime::Runtime;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Config, SimpleQueryMessage, Statement};

use super::patience::Patience;
use super::shared::Server;
use super::wire::{Socket, connect, unreachable};
use crate::db::row::Params;
use crate::error::{Error, Result};

pub(in crate::db) struct Connection {
    runtime: Arc<Runtime>,
    client: Client,
    /// None once it has ended or was given up.
    socket: Option<Socket>,
    given_up: bool,
    /// Whether the server has warned since this was looked at last.
    warned: Arc<AtomicBool>,
    /// Whether this transaction may have changed something since this was looked at last.
    changed: bool,
    /// Whether this transaction has run anything but queries.
    written: bool,
    patience: Patience,
    statements: HashMap<&'static str, Statement>,
    aheads: Aheads,
    server: Server,
    /// What begins the transaction, until its first statement is sent: both take one round trip.
    beginning: Option<Beginning>,
    /// Within what time the statement is answered that a read begins with.
    hurry: Option<Duration>,
    /// The text of the transaction's snapshot, if what began it asked for that.
    snapshot: Option<String>,
    /// How many bytes of rows this transaction may still read.
    left: usize,
}

/// A transaction that is to begin, within this time.
#[derive(Clone, Copy)]
struct Beginning {
    sql: &'static str,
    within: Duration,
}

/// What is acknowledged survives a crash, whatever the default of the server.
const DURABLE: &str = "
    SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')";

/// The wait for a standby is not cut short: it would end with a warning, as if nothing had happened.
const COMMIT: &str = "SET LOCAL statement_timeout = 0; COMMIT";

/// Which server this is: standbys do not show the newest data, and snapshots of two servers cannot be compared.
const IDENTIFY: &str = "
    SELECT CASE WHEN pg_is_in_recovery() THEN NULL
                ELSE system_identifier || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END
    FROM pg_control_system()";

impl Connection {
    /// Connects to a primary, within this time.
    pub(super) fn open(config: &Config, runtime: &Arc<Runtime>, patience: Patience, within: Duration) -> Result<Self> {
        let connecting = async { tokio::time::timeout(within, connect(config)).await };
        let Ok(connected) = runtime.block_on(connecting) else {
            return Err(unreachable(config, &format!("no answer within {} s", within.as_secs_f64())));
        };
        let (client, socket, warned) = connected?;
        let runtime = Arc::clone(runtime);
        let mut made = Self {
            runtime,
            client,
            socket: Some(socket),
            given_up: false,
            warned,
            changed: false,
            written: false,
            patience,
            statements: HashMap::new(),
            aheads: Aheads::default(),
            server: Server(String::new()),
            beginning: None,
            hurry: None,
            snapshot: None,
            left: usize::MAX,
        };
        let session = format!("{}; {DURABLE}; {IDENTIFY}", patience.session());
        let answer = made.wait(IDENTIFY, within, async |client| client.simple_query(&session).await)?;
        made.server = Server(last_value(&answer).ok_or_else(|| unreachable(config, "it is a standby"))?);
        Ok(made)
    }

    /// The server at the other end.
    pub(super) fn server(&self) -> &Server {
        &self.server
    }

    /// The text of the snapshot that this transaction reads, once it has begun and if it asked for that.
    pub(in crate::db) fn snapshot(&self) -> Option<&str> {
        self.snapshot.as_deref()
    }

    /// Whether it has ended, or was given up.
    pub(super) fn is_closed(&self) -> bool {
        self.socket.is_none() || self.client.is_closed()
    }

    /// Whether the server has not answered in time.
    pub(super) fn was_given_up(&self) -> bool {
        self.given_up
    }

    /// Has the patience of this caller from now on.
    pub(super) fn serve(&mut self, patience: Patience, within: Duration) -> Result<()> {
        if self.patience != patience {
            self.patience = patience;
            self.send(patience.session(), within)?;
        }
        Ok(())
    }

    /// Begins a transaction with its first statement. Its statements may return this many bytes of rows in all, and the
    /// first is answered within this time.
    pub(super) fn begin(&mut self, sql: &'static str, most: usize, within: Duration) {
        self.left = most;
        self.snapshot = None;
        self.written = false;
        self.aheads.forget();
        self.beginning = Some(Beginning { sql, within });
    }

    /// Ends the transaction. One without statements has never begun.
    pub(super) fn end(&mut self, sql: &str) -> Result<()> {
        self.refuse_if_closed()?;
        if self.beginning.take().is_some() { Ok(()) } else { self.send(sql, self.patience.statement()) }
    }

    /// Commits the transaction. If the server does not wait for its standby until the end, that is a failure: a write
    /// that is acknowledged survives the loss of either.
    pub(super) fn commit(&mut self) -> Result<()> {
        self.warned.store(false, Ordering::SeqCst);
        self.end(COMMIT)?;
        if self.warned.load(Ordering::SeqCst) {
            return Err(Error::Unavailable("PostgreSQL has committed a write without its standby".into()));
        }
        Ok(())
    }

    /// Runs a statement on savepoints.
    pub(super) fn divide(&mut self, sql: &'static str) -> Result<()> {
        self.send(sql, self.patience.statement())
    }

    /// Whether the transaction may have changed something, or has failed, since this was asked last.
    pub(super) fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// Whether the transaction may have changed something.
    pub(in crate::db) fn has_written(&self) -> bool {
        self.written
    }

    /// Ends a transaction that has only read. No answer is waited for, because nothing depends on it.
    pub(super) fn end_read(&mut self) -> Result<()> {
        self.refuse_if_closed()?;
        let Self { runtime, client, socket, beginning, .. } = self;
        let begun = beginning.take().is_none();
        let Some(work) = socket.as_mut().filter(|_| begun) else { return Ok(()) };
        let ended = runtime.block_on(async {
            let mut asked = pin!(client.batch_execute("COMMIT"));
            poll_fn(|cx| {
                // The first puts it into the queue of the socket, the second sends it.
                _ = asked.as_mut().poll(cx);
                Poll::Ready(work.as_mut().poll(cx).is_ready())
            })
            .await
        });
        if ended {
            *socket = None;
        }
        Ok(())
    }

    fn refuse_if_closed(&self) -> Result<()> {
        let lost = || Error::Unavailable("the connection to PostgreSQL was lost".into());
        if self.is_closed() { Err(lost()) } else { Ok(()) }
    }

    pub(in crate::db) fn run(&mut self, sql: &'static str, params: Params<'_>) -> Result<u64> {
        let statement = self.statement(sql)?;
        let values = values(params);
        self.change();
        self.wait(sql, self.patience.statement(), async |client| client.execute(&statement, &values).await)
    }

    /// Runs statements without waiting for each other's answers; the first failure counts.
    pub(in crate::db) fn run_together(&mut self, statements: &[(&'static str, Params<'_>)]) -> Result<()> {
        let prepared: Vec<Statement> = statements.iter().map(|(sql, _)| self.statement(sql)).collect::<Result<_>>()?;
        let values: Vec<_> = statements.iter().map(|(_, params)| values(params)).collect();
        self.change();
        let names = || statements.iter().map(|(sql, _)| *sql).collect::<Vec<_>>().join("; ");
        self.wait(&names(), self.patience.statement(), async |client| {
            let asked = prepared.iter().zip(&values).map(|(sql, values)| Box::pin(client.execute(sql, values)));
            let mut asked: VecDeque<_> = asked.collect();
            poll_fn(|cx| {
                // Polling all of them sends all of them; they are answered in order.
                let mut answered = 0;
                for (number, one) in asked.iter_mut().enumerate() {
                    match one.as_mut().poll(cx) {
                        Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                        Poll::Ready(Ok(_)) => answered = number + 1,
                        Poll::Pending => {}
                    }
                }
                asked.drain(..answered);
                if asked.is_empty() { Poll::Ready(Ok(())) } else { Poll::Pending }
            })
            .await
        })
    }

    pub(in crate::db) fn batch(&mut self, sql: &str) -> Result<()> {
        let sql = sql
            .replace("{id}", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY")
            .replace("{bytes}", "BYTEA")
            .replace("{binary}", "\"C\"")
            .replace("{keyed}", "")
            .replace("{postgres}", "")
            .replace("{sqlite}", "-- ");
        self.change();
        self.send(&sql, self.patience.statement())
    }

    fn change(&mut self) {
        (self.changed, self.written) = (true, true);
        self.aheads.forget();
    }

    /// Runs statements without parameters, within this time.
    pub(super) fn send(&mut self, sql: &str, within: Duration) -> Result<()> {
        self.wait(sql, within, async |client| client.batch_execute(sql).await)
    }

    fn statement(&mut self, sql: &'static str) -> Result<Statement> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.wait(sql, self.patience.statement(), async |client| client.prepare(sql).await)?;
        self.statements.insert(sql, statement.clone());
        Ok(statement)
    }

    /// Waits for an answer of the server; without one in time the connection is given up.
    fn wait<T>(
        &mut self,
        sql: &str,
        within: Duration,
        ask: impl AsyncFnOnce(&Client) -> std::result::Result<T, tokio_postgres::Error>,
    ) -> Result<T> {
        let Self { runtime, client, socket, given_up, beginning, snapshot, changed, hurry, .. } = self;
        let first = beginning.map(|begin| begin.within).or(*hurry);
        let within = first.map_or(within, |first| within.min(first));
        let answered = runtime.block_on(async {
            let mut asked = pin!(async {
                let Some(Beginning { sql, .. }) = beginning else { return ask(client).await };
                // Both are sent before either is answered.
                let (begun, answer) = tokio::join!(biased; client.simple_query(sql), ask(client));
                *snapshot = last_value(&begun?);
                *beginning = None;
                answer
            });
            let answer = poll_fn(|cx| {
                // As the socket ends it may still bring the answer.
                if let Some(work) = socket
                    && let Poll::Ready(ended) = work.as_mut().poll(cx)
                {
                    *socket = None;
                    if let Err(error) = ended {
                        return Poll::Ready(Err(error));
                    }
                }
                asked.as_mut().poll(cx)
            });
            tokio::time::timeout(within, answer).await
        });
        if let Ok(answer) = answered {
            if beginning.is_some() {
                // Without a transaction, statements would be kept one by one.
                *socket = None;
            }
            *changed |= answer.is_err();
            return answer.map_err(|e| fault(sql, &e));
        }
        (*socket, *given_up) = (None, true);
        Err(Error::Unavailable(format!("PostgreSQL has not answered within {} s", within.as_secs_f64())))
    }
}

/// The first value of the last row.
fn last_value(answer: &[SimpleQueryMessage]) -> Option<String> {
    let rows = answer.iter().rev().filter_map(|message| match message {
        SimpleQueryMessage::Row(row) => Some(row),
        _ => None,
    });
    rows.take(1).find_map(|row| row.get(0)).map(str::to_owned)
}

fn values(params: Params<'_>) -> Vec<&(dyn ToSql + Sync)> {
    params.iter().map(|value| *value as &(dyn ToSql + Sync)).collect()
}

/// A driver's error in our words.
fn fault(sql: &str, error: &tokio_postgres::Error) -> Error {
    let Some(db) = error.as_db_error() else {
        return Error::Unavailable(format!("PostgreSQL: {error} in {sql}"));
    };
    match *db.code() {
        // What a row was to refer to has been deleted since it was read, under a lock that this request does not take.
        SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED | SqlState::FOREIGN_KEY_VIOLATION => {
            Error::Stale
        }
        SqlState::UNIQUE_VIOLATION => Error::Taken(db.constraint().unwrap_or_default().to_owned()),
        SqlState::LOCK_NOT_AVAILABLE
        | SqlState::QUERY_CANCELED
        | SqlState::ADMIN_SHUTDOWN
        | SqlState::CRASH_SHUTDOWN
        | SqlState::CANNOT_CONNECT_NOW
        | SqlState::TOO_MANY_CONNECTIONS
        | SqlState::DISK_FULL
        | SqlState::OUT_OF_MEMORY
        | SqlState::READ_ONLY_SQL_TRANSACTION => Error::Unavailable(format!("PostgreSQL: {}", db.message())),
        _ => Error::Bug(format!("PostgreSQL: {} ({}) in {sql}", db.message(), db.code().code())),
    }
}
