//! One connection to PostgreSQL, with its prepared statements. Every wait for the server has a deadline, after which
//! the connection is given up. If a server has stopped responding, what it was asked to do may or may not happen.

mod ahead;
mod asking;
mod fault;

use std::borrow::Cow;
use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::{Duration, Instant};

use ahead::Aheads;
use fault::{fault, has_lost_race};
use tokio::runtime::Runtime;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Config, SimpleQueryMessage, Statement};

use super::shared::Server;
use super::timeouts::Timeouts;
use super::wire::{Socket, connect, unreachable};
use crate::db::rerun::Rerun;
use crate::db::row::Params;
use crate::error::{Error, Result};

pub(in crate::db) struct Connection {
    runtime: Arc<Runtime>,
    client: Client,
    /// None once it has ended or was given up.
    socket: Option<Socket>,
    given_up: Option<GivenUp>,
    /// True if the server has sent a warning since the last check.
    warned: Arc<AtomicBool>,
    /// True if this transaction may have changed something since the last check.
    changed: bool,
    /// True if this transaction has run anything except reads.
    written: bool,
    timeouts: Timeouts,
    statements: HashMap<&'static str, Statement>,
    aheads: Aheads,
    server: Server,
    /// True if each transaction may get a different session of the server, so that it must set the session's settings
    /// itself.
    pooled: bool,
    /// The statements that begin the transaction, until its first statement is sent. Both take one round trip.
    beginning: Option<Beginning>,
    /// The timeout of a read's first statement.
    hurry: Option<Duration>,
    /// The text of the transaction's snapshot, if the beginning statements asked for it.
    snapshot: Option<String>,
    /// The number of further bytes of rows that this transaction may read.
    left: usize,
    /// The reason why the current work must run again, if a statement has shown that.
    rerun: Option<Rerun>,
}

/// The reason why a connection was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GivenUp {
    /// The server has stopped. It had longer than it needs to cancel a statement itself.
    Silent,
    /// The server may have stopped. It had less time than that, or it was waiting for its standby.
    Doubtful,
}

/// A transaction that is about to begin, and its timeout.
#[derive(Clone, Copy)]
struct Beginning {
    sql: &'static str,
    within: Duration,
}

/// Makes acknowledged changes survive a crash, whatever the server's default is.
const DURABLE: &str = "
    SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')";

/// The same for one transaction.
const DURABLE_NOW: &str = "
    SELECT set_config('synchronous_commit', 'on', true)
    WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')";

/// The wait for a standby is not cut short, because it would end with a warning and look like success.
const COMMIT: &str = "SET LOCAL statement_timeout = 0; COMMIT";

/// Identifies the server. Standbys do not show the newest data, and snapshots of two servers cannot be compared.
const IDENTIFY: &str = "
    SELECT CASE WHEN pg_is_in_recovery() THEN NULL
                ELSE system_identifier || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END
    FROM pg_control_system()";

impl Connection {
    /// Connects to a primary within this time.
    pub(super) fn open(config: &Config, runtime: &Arc<Runtime>, timeouts: Timeouts, within: Duration) -> Result<Self> {
        let began = Instant::now();
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
            given_up: None,
            warned,
            changed: false,
            written: false,
            timeouts,
            statements: HashMap::new(),
            aheads: Aheads::default(),
            server: Server("".into()),
            pooled: false,
            beginning: None,
            hurry: None,
            snapshot: None,
            left: usize::MAX,
            rerun: None,
        };
        let session = format!("{}; {DURABLE}; {IDENTIFY}", timeouts.session());
        let left = within.saturating_sub(began.elapsed());
        let answer = made.wait(IDENTIFY, left, async |client| client.simple_query(&session).await)?;
        let server = last_value(&answer).ok_or_else(|| unreachable(config, "it is a standby"))?;
        made.server = Server(server.into());
        Ok(made)
    }

    /// Applies the session's settings in each transaction from now on.
    pub(super) fn expect_pooler(&mut self) {
        self.pooled = true;
    }

    /// The server at the other end.
    pub(in crate::db) fn server(&self) -> &Server {
        &self.server
    }

    /// The next request of the same transaction begins. Results of statements sent ahead belonged to the previous
    /// request.
    pub(super) fn begin_request(&mut self) {
        self.rerun = None;
        self.aheads.forget();
    }

    /// True if it has ended or was given up.
    pub(super) fn is_closed(&self) -> bool {
        self.socket.is_none() || self.client.is_closed()
    }

    /// The reason why it was given up, if the server has not responded in time.
    pub(super) fn given_up(&self) -> Option<GivenUp> {
        self.given_up
    }

    /// Uses the timeouts of this kind of caller from now on.
    pub(super) fn serve(&mut self, timeouts: Timeouts, within: Duration) -> Result<()> {
        if self.timeouts != timeouts {
            self.timeouts = timeouts;
            self.send(timeouts.session(), within)?;
        }
        Ok(())
    }

    /// Begins a transaction with its first statement. Its statements may return this many bytes of rows in total, and
    /// the first must be answered within this time.
    pub(super) fn begin(&mut self, sql: &'static str, most: usize, within: Duration) {
        self.left = most;
        self.rerun = None;
        self.snapshot = None;
        self.written = false;
        self.aheads.forget();
        self.beginning = Some(Beginning { sql, within });
    }

    /// Ends the transaction. One without statements has never begun.
    pub(super) fn end(&mut self, sql: &str) -> Result<()> {
        self.refuse_if_closed()?;
        if self.beginning.take().is_some() { Ok(()) } else { self.send(sql, self.timeouts.statement()) }
    }

    /// Commits the transaction. If the server stops waiting for its standby, that is a failure, because an acknowledged
    /// write must survive the loss of either server.
    pub(super) fn commit(&mut self) -> Result<()> {
        self.warned.store(false, Ordering::SeqCst);
        let committed = self.end(COMMIT);
        // The standby may be away while the server responds to everything else.
        self.given_up = self.given_up.map(|_| GivenUp::Doubtful);
        committed?;
        if self.warned.load(Ordering::SeqCst) {
            return Err(Error::Unavailable("PostgreSQL has committed a write without its standby".into()));
        }
        Ok(())
    }

    /// Runs a statement on savepoints.
    pub(super) fn divide(&mut self, sql: &'static str) -> Result<()> {
        self.send(sql, self.timeouts.statement())
    }

    /// True if the transaction may have changed something, or has failed, since the last call.
    pub(super) fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// Ends a transaction that has only read. It does not wait for the response, because nothing depends on it.
    pub(super) fn end_read(&mut self) -> Result<()> {
        self.refuse_if_closed()?;
        let Self { runtime, client, socket, beginning, .. } = self;
        let begun = beginning.take().is_none();
        let Some(work) = socket.as_mut().filter(|_| begun) else { return Ok(()) };
        let ended = runtime.block_on(async {
            let mut asked = pin!(client.batch_execute("COMMIT"));
            poll_fn(|cx| {
                // The first poll puts it into the queue of the socket, the second sends it.
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

    fn change(&mut self) {
        (self.changed, self.written) = (true, true);
        self.aheads.forget();
    }

    /// Runs statements without parameters within this time.
    pub(super) fn send(&mut self, sql: &str, within: Duration) -> Result<()> {
        self.wait(sql, within, async |client| client.batch_execute(sql).await)
    }

    fn statement(&mut self, sql: &'static str) -> Result<Statement> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.wait(sql, self.timeouts.statement(), async |client| client.prepare(sql).await)?;
        self.statements.insert(sql, statement.clone());
        Ok(statement)
    }

    /// Waits for a response of the server. If there is none in time, the connection is given up.
    fn wait<T>(
        &mut self,
        sql: &str,
        within: Duration,
        ask: impl AsyncFnOnce(&Client) -> std::result::Result<T, tokio_postgres::Error>,
    ) -> Result<T> {
        let Self { runtime, client, socket, given_up, timeouts, pooled, beginning, hurry, .. } = self;
        let Self { snapshot, changed, rerun, .. } = self;
        let most = beginning.map(|begin| begin.within).or(*hurry);
        let within = most.map_or(within, |most| within.min(most));
        let silent = if within < timeouts.statement() { GivenUp::Doubtful } else { GivenUp::Silent };
        let first = beginning.map(|begin| if *pooled { with_settings(begin.sql, *timeouts) } else { begin.sql.into() });
        let answered = runtime.block_on(async {
            let mut asked = pin!(async {
                let Some(first) = &first else { return ask(client).await };
                // Both are sent before the response to either arrives.
                let (begun, answer) = tokio::join!(biased; client.simple_query(first), ask(client));
                *snapshot = last_value(&begun?);
                *beginning = None;
                answer
            });
            let answer = poll_fn(|cx| {
                // A socket that ends may still deliver the response.
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
                // Without a transaction, each statement would be committed on its own.
                *socket = None;
            }
            *changed |= answer.is_err();
            return answer.map_err(|e| {
                if has_lost_race(&e) {
                    *rerun = Some(Rerun::OnNewer);
                }
                fault(sql, &e)
            });
        }
        (*socket, *given_up) = (None, Some(silent));
        Err(Error::Unavailable(format!("PostgreSQL has not answered within {} s", within.as_secs_f64())))
    }
}

/// The statements that begin a transaction. The settings of a session follow the first of them.
fn with_settings(begin: &'static str, timeouts: Timeouts) -> Cow<'static, str> {
    let (first, rest) = begin.split_once("; ").unwrap_or((begin, ""));
    format!("{first}; {}; {DURABLE_NOW}; {rest}", timeouts.transaction()).into()
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
