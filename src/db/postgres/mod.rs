//! PostgreSQL: a bounded pool of threads, each with its own connection and its kept prepared statements.
//!
//! House section 16. Reads run in one read-only snapshot; a write takes its advisory locks before it reads
//! what it decides on, and is run again after a serialization failure, a deadlock, or a reference to what has gone.

mod connection;

use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

pub(super) use connection::Connection;

use super::breaker::Breaker;
use super::tx::{Conn, Tx};
use crate::error::{Error, Result};

/// Connections to the server, and requests that may be served beside each other.
const CONNECTIONS: usize = 16;

/// How often a request is run again after a failure that another request caused.
const ATTEMPTS: u32 = 8;

/// The longest pause between two attempts to connect.
const BACK_OFF: Duration = Duration::from_secs(2);

type Work = Box<dyn FnOnce(&mut Worker) + Send>;

#[derive(Clone)]
pub(super) struct Postgres {
    queue: mpsc::Sender<Work>,
}

/// One thread of the pool: its connection, when it has one, and when it may try to get one.
struct Worker {
    config: Arc<postgres::Config>,
    connection: Option<Connection>,
    not_before: Instant,
    pause: Duration,
    breaker: Breaker,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Read,
    Write,
}

impl Postgres {
    pub(super) fn open(url: &str, breaker: &Breaker) -> Result<Self> {
        let mut config: postgres::Config = url.parse().map_err(|e| {
            Error::Unavailable(format!(
                "the database address is not valid: {e}; use postgres://USER:PASSWORD@HOST/NAME"
            ))
        })?;
        config.connect_timeout(Duration::from_secs(5)).application_name("guildhall");
        let config = Arc::new(config);
        let (queue, work) = mpsc::channel::<Work>();
        let work = Arc::new(Mutex::new(work));
        for number in 0..CONNECTIONS {
            let work = Arc::clone(&work);
            let mut worker = Worker {
                config: Arc::clone(&config),
                connection: None,
                not_before: Instant::now(),
                pause: Duration::from_millis(50),
                breaker: breaker.clone(),
            };
            let run = move || {
                while let Some(next) = next(&work) {
                    next(&mut worker);
                }
            };
            let thread = std::thread::Builder::new().name(format!("db-{number}")).spawn(run);
            thread.map_err(|e| Error::Unavailable(e.to_string()))?;
        }
        Ok(Self { queue })
    }

    pub(super) async fn read<R, F>(&self, work: F) -> Result<R>
    where
        R: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
    {
        self.run(Mode::Read, work).await
    }

    pub(super) async fn write<R, F>(&self, work: F) -> Result<R>
    where
        R: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
    {
        self.run(Mode::Write, work).await
    }

    async fn run<R, F>(&self, mode: Mode, mut work: F) -> Result<R>
    where
        R: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
    {
        let (answer, receiver) = oneshot::channel();
        let task: Work = Box::new(move |worker| {
            // Whoever asked may have gone; a write stays.
            drop(answer.send(worker.serve(mode, &mut work)));
        });
        let stopped = || Error::Unavailable("the database threads have stopped".into());
        self.queue.send(task).map_err(|_| stopped())?;
        receiver.await.map_err(|_| stopped())?
    }
}

fn next(work: &Mutex<mpsc::Receiver<Work>>) -> Option<Work> {
    work.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

impl Worker {
    fn serve<R>(&mut self, mode: Mode, work: &mut impl FnMut(&mut Tx<'_>) -> Result<R>) -> Result<R> {
        let mut reconnected = false;
        for _ in 0..ATTEMPTS {
            let attempt = std::panic::AssertUnwindSafe(|| self.attempt(mode, work));
            let (begun, outcome) = std::panic::catch_unwind(attempt).unwrap_or_else(|_| {
                self.connection = None;
                (true, Err(Error::Bug("a request panicked".into())))
            });
            let lost = self.connection.as_ref().is_none_or(Connection::is_closed);
            if lost {
                self.connection = None;
            }
            match outcome {
                Err(Error::Stale) => {}
                // A kept connection may have died of a restart; nothing of this request has happened yet.
                Err(_) if lost && !reconnected && (mode == Mode::Read || !begun) && self.may_connect() => {
                    reconnected = true;
                }
                outcome => return outcome,
            }
        }
        Err(Error::Unavailable("other requests kept changing the same data".into()))
    }

    /// One try; whether its transaction had begun, and how it ended.
    fn attempt<R>(&mut self, mode: Mode, work: &mut impl FnMut(&mut Tx<'_>) -> Result<R>) -> (bool, Result<R>) {
        let breaker = self.breaker.clone();
        let connection = match self.connect() {
            Ok(connection) => connection,
            Err(error) => return (false, Err(error)),
        };
        let begin = match mode {
            Mode::Read => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            Mode::Write => "BEGIN ISOLATION LEVEL READ COMMITTED",
        };
        if let Err(error) = connection.batch(begin) {
            return (false, Err(error));
        }
        let outcome = match mode {
            Mode::Read => work(&mut Tx::reading(Conn::Postgres(connection), &breaker)),
            Mode::Write => Tx::writing(Conn::Postgres(connection), &breaker).carry_out(work),
        };
        let outcome = match outcome {
            Ok(done) => connection.batch("COMMIT").map(|()| done),
            Err(error) => {
                if let Err(error) = connection.batch("ROLLBACK") {
                    tracing::warn!(%error, "a transaction could not be rolled back");
                }
                Err(error)
            }
        };
        (true, outcome)
    }

    fn may_connect(&self) -> bool {
        Instant::now() >= self.not_before
    }

    fn connect(&mut self) -> Result<&mut Connection> {
        if self.connection.is_none() {
            if !self.may_connect() {
                return Err(Error::Unavailable("PostgreSQL cannot be reached".into()));
            }
            match Connection::open(&self.config) {
                Ok(connection) => {
                    self.pause = Duration::from_millis(50);
                    self.connection = Some(connection);
                }
                Err(error) => {
                    self.not_before = Instant::now() + self.pause;
                    self.pause = (self.pause * 2).min(BACK_OFF);
                    return Err(error);
                }
            }
        }
        self.connection.as_mut().ok_or_else(|| Error::Bug("no connection".into()))
    }
}
