//! One connection to PostgreSQL with its kept statements. Every wait for the server has a deadline, after which the
//! connection is given up: what a server that has stopped answering is asked for may happen or not.

use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use futures_core::Stream;
use tokio::runtime::Runtime;
use tokio_postgres::config::SslMode;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Config, NoTls, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::patience::Patience;
use crate::db::row::{Params, Row};
use crate::error::{Error, Result};
use crate::trust;

/// The work of the socket, done only while something is waited for.
type Socket = Pin<Box<dyn Future<Output = std::result::Result<(), tokio_postgres::Error>> + Send>>;

pub(in crate::db) struct Connection {
    runtime: Arc<Runtime>,
    client: Client,
    /// None once it has ended or was given up.
    socket: Option<Socket>,
    given_up: bool,
    patience: Patience,
    statements: HashMap<&'static str, Statement>,
    /// What begins the transaction, until its first statement is sent: both take one round trip.
    beginning: Option<Beginning>,
    /// How many bytes of rows this transaction may still read.
    left: usize,
}

/// A transaction that is to begin, within this time.
#[derive(Clone, Copy)]
struct Beginning {
    sql: &'static str,
    within: Duration,
}

impl Connection {
    /// Connects, within this time.
    pub(super) fn open(config: &Config, runtime: &Arc<Runtime>, patience: Patience, within: Duration) -> Result<Self> {
        let connecting = async { tokio::time::timeout(within, connect(config)).await };
        let Ok(connected) = runtime.block_on(connecting) else {
            return Err(unreachable(config, &format!("no answer within {} s", within.as_secs_f64())));
        };
        let (client, socket) = connected?;
        let runtime = Arc::clone(runtime);
        let mut made = Self {
            runtime,
            client,
            socket: Some(socket),
            given_up: false,
            patience,
            statements: HashMap::new(),
            beginning: None,
            left: usize::MAX,
        };
        made.send(patience.session(), within)?;
        Ok(made)
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
        self.beginning = Some(Beginning { sql, within });
    }

    /// Ends the transaction. One without statements has never begun.
    pub(super) fn end(&mut self, sql: &str) -> Result<()> {
        self.refuse_if_closed()?;
        if self.beginning.is_some() { Ok(()) } else { self.send(sql, self.patience.statement()) }
    }

    /// Ends a transaction that has only read. No answer is waited for, because nothing depends on it.
    pub(super) fn end_read(&mut self) -> Result<()> {
        self.refuse_if_closed()?;
        let Self { runtime, client, socket, beginning, .. } = self;
        let Some(work) = socket.as_mut().filter(|_| beginning.is_none()) else { return Ok(()) };
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

    /// Whether the server has answered that the transaction has begun. To be asked when it has ended.
    pub(super) fn had_begun(&mut self) -> bool {
        self.beginning.take().is_none()
    }

    /// Passes each row on as it arrives, so that no more than one is held here; `Error::Budget` when they are too many.
    pub(in crate::db) fn each(
        &mut self,
        sql: &'static str,
        params: Params<'_>,
        mut row: impl FnMut(&Row<'_>) -> Result<()>,
    ) -> Result<()> {
        let statement = self.statement(sql)?;
        let values = values(params);
        let mut left = self.left;
        let mut take = |next: &tokio_postgres::Row| {
            left = left.checked_sub(next.raw_size_bytes()).ok_or(Error::Budget)?;
            row(&Row::Postgres(next))
        };
        let passed_on = self.wait(sql, self.patience.statement(), async |client| {
            let mut rows = pin!(client.query_raw(&statement, values.iter().copied()).await?);
            while let Some(next) = poll_fn(|cx| rows.as_mut().poll_next(cx)).await.transpose()? {
                if let Err(error) = take(&next) {
                    return Ok(Err(error));
                }
            }
            Ok(Ok(()))
        });
        self.left = left;
        passed_on?
    }

    pub(in crate::db) fn run(&mut self, sql: &'static str, params: Params<'_>) -> Result<u64> {
        let statement = self.statement(sql)?;
        let values = values(params);
        self.wait(sql, self.patience.statement(), async |client| client.execute(&statement, &values).await)
    }

    pub(in crate::db) fn batch(&mut self, sql: &str) -> Result<()> {
        let sql = sql
            .replace("{id}", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY")
            .replace("{bytes}", "BYTEA")
            .replace("{binary}", "\"C\"")
            .replace("{keyed}", "")
            .replace("{postgres}", "")
            .replace("{sqlite}", "-- ");
        self.send(&sql, self.patience.statement())
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
        let Self { runtime, client, socket, given_up, beginning, .. } = self;
        let within = beginning.map_or(within, |begin| within.min(begin.within));
        let answered = runtime.block_on(async {
            let mut asked = pin!(async {
                let Some(begin) = beginning else { return ask(client).await };
                // Both are sent before either is answered.
                let (ready, answer) = tokio::join!(biased; client.batch_execute(begin.sql), ask(client));
                ready?;
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
            return answer.map_err(|e| fault(sql, &e));
        }
        (*socket, *given_up) = (None, true);
        Err(Error::Unavailable(format!("PostgreSQL has not answered within {} s", within.as_secs_f64())))
    }
}

async fn connect(config: &Config) -> Result<(Client, Socket)> {
    let failed = |error: tokio_postgres::Error| unreachable(config, &cause(&error));
    if config.get_ssl_mode() == SslMode::Require {
        let (client, socket) = config.connect(MakeRustlsConnect::new(trust::verified()?)).await.map_err(failed)?;
        return Ok((client, Box::pin(socket)));
    }
    let (client, socket) = config.connect(NoTls).await.map_err(failed)?;
    Ok((client, Box::pin(socket)))
}

fn values(params: Params<'_>) -> Vec<&(dyn ToSql + Sync)> {
    params.iter().map(|value| *value as &(dyn ToSql + Sync)).collect()
}

fn cause(error: &tokio_postgres::Error) -> String {
    use std::error::Error as _;
    error.source().map_or_else(|| error.to_string(), |source| format!("{error}: {source}"))
}

fn unreachable(config: &Config, cause: &str) -> Error {
    let database = config.get_dbname().unwrap_or("(no name)");
    Error::Unavailable(format!(
        "cannot connect to the PostgreSQL database {database}: {cause}; check that the server is running and that the URL in --database is correct"
    ))
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
