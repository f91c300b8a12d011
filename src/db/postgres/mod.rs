//! PostgreSQL: a bounded pool of threads, each with its own connection and its kept prepared statements.
//!
//! House section 16. Reads run in one read-only snapshot; a write takes its locks before it reads
//! what it decides on, and is run again after a serialization failure, a deadlock, or a reference to what has gone.
//! Every wait has a deadline; a write of which it is not known whether it happened is not run again.

mod connection;
mod patience;
mod reach;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;
use tokio::sync::{Semaphore, oneshot};
use tokio_postgres::Config;

pub(super) use connection::Connection;
pub(super) use patience::Patience;

use super::at_commit::Collected;
use super::breaker::Breaker;
use super::memo::Memo;
use super::tx::{Conn, Tx};
use crate::error::{Error, Result};

/// Connections to the server, and requests that may be served beside each other.
const CONNECTIONS: usize = 16;

/// How many bytes of rows a read may have while others are beside it: it is run again in its turn if it needs more.
const READ_BYTES: usize = 4 << 20;

/// How many reads that need more may run beside each other. What they hold is counted by no budget before it is read.
const LONG_READS: usize = 1;

/// How often a request is run again after a failure that another request caused.
const ATTEMPTS: u32 = 8;

/// How long every transaction has to begin and to answer its first statement.
const LEAST: Duration = Duration::from_millis(300);

const STOPPED: &str = "the database threads have stopped";

type Work = Box<dyn FnOnce(&mut Worker) + Send>;

#[derive(Clone)]
pub(super) struct Postgres {
    queue: mpsc::Sender<Work>,
    reach: reach::Reach,
    long_reads: Arc<Semaphore>,
}

/// One thread of the pool, with its connection when it has one.
struct Worker {
    config: Arc<Config>,
    runtime: Arc<Runtime>,
    reach: reach::Reach,
    connection: Option<Connection>,
    breaker: Breaker,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Read,
    /// A read in its turn, of any size.
    LongRead,
    Write,
}

/// How long one request may wait: for each statement, and until when for its transaction to begin.
#[derive(Clone, Copy)]
struct Wait {
    patience: Patience,
    until: Instant,
}

impl Postgres {
    pub(super) fn open(url: &str, breaker: &Breaker) -> Result<Self> {
        let mut config: Config = url.parse().map_err(|e| {
            Error::Unavailable(format!("invalid database URL: {e}; use postgres://USER:PASSWORD@HOST/NAME"))
        })?;
        config.application_name("guildhall");
        // Of several hosts the next one is tried in time.
        let hosts = u32::try_from(config.get_hosts().len().max(1)).unwrap_or(u32::MAX);
        config.connect_timeout(Patience::Request.connect() / hosts);
        let config = Arc::new(config);
        let reach = reach::Reach::watch(Arc::clone(&config), Arc::new(runtime()?))?;
        let (queue, work) = mpsc::channel::<Work>();
        let work = Arc::new(Mutex::new(work));
        for number in 0..CONNECTIONS {
            let work = Arc::clone(&work);
            let mut worker = Worker {
                config: Arc::clone(&config),
                runtime: Arc::new(runtime()?),
                reach: reach.clone(),
                connection: None,
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
        Ok(Self { queue, reach, long_reads: Arc::new(Semaphore::new(LONG_READS)) })
    }

    /// Has each thread of the pool do this, as far as it is free: one that is busy leaves its part to the others.
    pub(super) fn on_each_thread(&self, work: fn()) {
        for _ in 0..CONNECTIONS {
            let part = move |_: &mut Worker| {
                work();
                // Else one thread would do it all before the others wake.
                std::thread::sleep(Duration::from_millis(1));
            };
            // The pool ends with the program.
            drop(self.queue.send(Box::new(part)));
        }
    }

    pub(super) async fn read<R, F>(&self, patience: Patience, work: F) -> Result<R>
    where
        R: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
    {
        // A command runs its reads one after another.
        let mode = if patience == Patience::Request { Mode::Read } else { Mode::LongRead };
        let (answered, work) = self.run(mode, patience, work).await;
        let (Err(Error::Budget), Some(mut work)) = (&answered, work) else { return answered };
        let turn = tokio::time::timeout(patience.turn(), Arc::clone(&self.long_reads).acquire_owned()).await;
        let turn = turn.map_err(|_| Error::Busy)?.map_err(|_| Error::Busy)?;
        // The turn ends with the read, which goes on if its caller goes.
        let in_turn = move |tx: &mut Tx<'_>| {
            let _held = &turn;
            work(tx)
        };
        self.run(Mode::LongRead, patience, in_turn).await.0
    }

    pub(super) async fn write<R, F>(&self, patience: Patience, work: F) -> Result<R>
    where
        R: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
    {
        self.run(Mode::Write, patience, work).await.0
    }

    /// Whether a connection can be made and statements are answered; it is not waited for two seconds.
    pub(super) async fn ready(&self) -> Result<()> {
        let answered = tokio::time::timeout(reach::ASKED, self.read(Patience::Request, |tx| tx.any("SELECT 1", &[])));
        let (reached, answered) = tokio::join!(self.reach.ready(), answered);
        reached?;
        answered.map_err(|_| Error::Unavailable("PostgreSQL does not answer in time".into()))?.map(|_| ())
    }

    /// Runs this on a thread of the pool; what came of it, and the closure if it was run.
    async fn run<R, F>(&self, mode: Mode, patience: Patience, mut work: F) -> (Result<R>, Option<F>)
    where
        R: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<R> + Send + 'static,
    {
        let (answer, mut receiver) = oneshot::channel();
        let wait = Wait { patience, until: Instant::now() + patience.turn() };
        // Whoever sets this first has the request: the thread that begins it, or the caller who gives it up.
        let taken = Arc::new(AtomicBool::new(false));
        let begun = Arc::clone(&taken);
        let task: Work = Box::new(move |worker| {
            if !begun.swap(true, Ordering::SeqCst) {
                // The caller may have gone; a write stays.
                drop(answer.send((worker.serve(mode, wait, &mut work), Some(work))));
            }
        });
        let failed = |why: &str| (Err(Error::Unavailable(why.into())), None);
        if self.queue.send(task).is_err() {
            return failed(STOPPED);
        }
        match tokio::time::timeout_at(wait.until.into(), &mut receiver).await {
            Ok(done) => done.unwrap_or_else(|_| failed(STOPPED)),
            Err(_) if taken.swap(true, Ordering::SeqCst) => receiver.await.unwrap_or_else(|_| failed(STOPPED)),
            Err(_) => failed("no connection to PostgreSQL became free in time"),
        }
    }
}

/// What a thread waits with: each has its own, so that none waits for another.
fn runtime() -> Result<Runtime> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|e| Error::Unavailable(format!("cannot start a database thread: {e}")))
}

fn next(work: &Mutex<mpsc::Receiver<Work>>) -> Option<Work> {
    work.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

impl Worker {
    fn serve<R>(&mut self, mode: Mode, wait: Wait, work: &mut impl FnMut(&mut Tx<'_>) -> Result<R>) -> Result<R> {
        let (mut reconnected, mut collected) = (false, Collected::default());
        for _ in 0..ATTEMPTS {
            let attempt = std::panic::AssertUnwindSafe(|| self.attempt(mode, wait, &mut collected, work));
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
                Err(_) if lost && !reconnected && (mode != Mode::Write || !begun) && self.reach.held().is_ok() => {
                    reconnected = true;
                }
                outcome => return outcome,
            }
        }
        Err(Error::Unavailable("other requests kept changing the same data".into()))
    }

    /// One try; whether its transaction had begun, and how it ended.
    fn attempt<R>(
        &mut self,
        mode: Mode,
        wait: Wait,
        collected: &mut Collected,
        work: &mut impl FnMut(&mut Tx<'_>) -> Result<R>,
    ) -> (bool, Result<R>) {
        let (breaker, reach) = (self.breaker.clone(), self.reach.clone());
        let connection = match self.connect(wait) {
            Ok(connection) => connection,
            Err(error) => return (false, Err(error)),
        };
        let begin = match mode {
            Mode::Read | Mode::LongRead => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            Mode::Write => "BEGIN ISOLATION LEVEL READ COMMITTED",
        };
        let most = if mode == Mode::Read { READ_BYTES } else { usize::MAX };
        connection.begin(begin, most, wait.left());
        let outcome = match mode {
            Mode::Read | Mode::LongRead => work(&mut Tx::reading(Conn::Postgres(connection), &breaker)),
            Mode::Write => {
                collected.restart();
                let mut found = Memo::default();
                let tx = Tx::writing(Conn::Postgres(connection), &breaker, collected);
                let mut tx = tx.remembering(&mut found);
                tx.carry_out(work).and_then(|done| tx.write_collected().map(|()| done))
            }
        };
        let ended = match (&outcome, mode) {
            (Ok(_), Mode::Write) => connection.end("COMMIT"),
            (Ok(_), Mode::Read | Mode::LongRead) => connection.end_read(),
            (Err(_), _) if connection.is_closed() => Ok(()),
            (Err(_), _) => connection.end("ROLLBACK").or_else(|error| {
                tracing::warn!(%error, "cannot roll back a transaction");
                Ok(())
            }),
        };
        let outcome = outcome.and_then(|done| ended.map(|()| done));
        if connection.was_given_up()
            && let Err(error) = &outcome
        {
            reach.lost(error);
        }
        (connection.had_begun(), outcome)
    }

    fn connect(&mut self, wait: Wait) -> Result<&mut Connection> {
        if self.connection.is_none() {
            self.reach.held()?;
            let within = wait.patience.connect().min(wait.left());
            let opened = Connection::open(&self.config, &self.runtime, wait.patience, within);
            self.connection = Some(opened.inspect_err(|error| self.reach.lost(error))?);
        }
        let connection = self.connection.as_mut().ok_or_else(|| Error::Bug("no connection".into()))?;
        connection.serve(wait.patience, wait.left())?;
        Ok(connection)
    }
}

impl Wait {
    /// A request whose turn comes late still has [`LEAST`], so that a busy server is not taken for one that has stopped.
    fn left(self) -> Duration {
        self.until.saturating_duration_since(Instant::now()).max(LEAST)
    }
}
