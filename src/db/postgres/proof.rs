//! The proof of freshness: one connection does nothing but ask PostgreSQL for its current snapshot. All waiting readers
//! share the result. If the snapshot has not changed, the cache is still valid and no other connection is needed.
//!
//! A question is sent only after all who share its answer have registered. A reader that arrives while a question is in
//! progress waits for the next one. So the answer is at least as new as every write that was acknowledged before the
//! reader arrived.

use std::sync::Arc;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use tokio::runtime::{Handle, Runtime};
use tokio::sync::oneshot;
use tokio_postgres::Config;

use super::connection::Connection;
use super::reach::Reach;
use super::shared::Shared;
use super::timeouts::Timeouts;
use crate::db::statements::Statements;
use crate::error::{Error, Result};

const QUESTION: &str = "SELECT CAST(pg_current_snapshot() AS TEXT), pg_is_in_recovery()";

/// The pause after a failed attempt to connect.
const PAUSE: Duration = Duration::from_secs(1);

/// The result of a question: the number of the cached version, or none if nothing was proven.
type Proven = Option<i64>;

struct Waiting {
    answer: oneshot::Sender<Proven>,
    runtime: Option<Handle>,
}

/// Asks for proofs. Clones share a connection.
#[derive(Clone)]
pub(super) struct Proof(mpsc::Sender<Waiting>);

struct Asking {
    config: Arc<Config>,
    runtime: Arc<Runtime>,
    shared: Shared,
    reach: Reach,
    /// The connection, and the incarnation that began with it.
    connection: Option<(Connection, u64)>,
    failed_at: Option<Instant>,
}

impl Proof {
    /// Starts the thread that asks. It connects at the first question.
    pub(super) fn start(config: Arc<Config>, runtime: Arc<Runtime>, shared: Shared, reach: Reach) -> Result<Self> {
        let (questions, asked) = mpsc::channel();
        let mut asking = Asking { config, runtime, shared, reach, connection: None, failed_at: None };
        let run = move || {
            while let Ok(first) = asked.recv() {
                // If all cores are busy, readers that are about to ask get to run first, and share the answer.
                std::thread::yield_now();
                let all: Vec<Waiting> = std::iter::once(first).chain(asked.try_iter()).collect();
                let proven = asking.ask();
                #[cfg(debug_assertions)]
                let all = asking.with_late(all, &asked);
                answer(all, proven);
            }
        };
        let thread = std::thread::Builder::new().name("db-proof".into()).spawn(run);
        thread.map_err(|e| Error::Unavailable(e.to_string()))?;
        Ok(Self(questions))
    }

    /// True if this incarnation continues. If so, the server has not crashed since the incarnation began.
    pub(super) async fn goes_on(&self, shared: &Shared, incarnation: u64) -> bool {
        self.version().await.is_some() && shared.incarnation() == incarnation
    }

    /// The number of the current version, if it was proven.
    pub(super) async fn version(&self) -> Proven {
        let (answer, receiver) = oneshot::channel();
        self.0.send(Waiting { answer, runtime: Handle::try_current().ok() }).ok()?;
        // This needs no deadline of its own, which would cost time in each read. Each wait of the asking thread has
        // one, and after its first timeout the server counts as unreachable.
        receiver.await.ok().flatten()
    }
}

/// Answers all of them from within the runtime. To wake each of them from here takes longer than the answer itself.
fn answer(waiting: Vec<Waiting>, proven: Proven) {
    let send = move |waiting: Vec<Waiting>| {
        // The caller may be gone.
        for waiting in waiting {
            _ = waiting.answer.send(proven);
        }
    };
    match waiting.first().and_then(|first| first.runtime.clone()).filter(|_| waiting.len() > 1) {
        Some(runtime) => drop(runtime.spawn(async move { send(waiting) })),
        None => send(waiting),
    }
}

impl Asking {
    /// With this fault, adds readers that arrived after the question was sent.
    #[cfg(debug_assertions)]
    fn with_late(&self, mut all: Vec<Waiting>, asked: &mpsc::Receiver<Waiting>) -> Vec<Waiting> {
        if self.shared.suffers(crate::db::Flaw::ShareLate) {
            all.extend(asked.try_iter());
        }
        all
    }

    fn ask(&mut self) -> Proven {
        // A restart may have closed the connection since it was last used.
        let again = self.connection.is_some();
        let proven = self.question().or_else(|error| if again { self.question() } else { Err(error) });
        proven.inspect_err(|error| tracing::debug!(%error, "freshness is not proven")).ok()
    }

    fn question(&mut self) -> Result<i64> {
        let asked = self.connect().and_then(|connection| {
            let mut seen = (String::new(), true);
            connection.each(QUESTION, &[], &mut |row| {
                seen = row.read()?;
                Ok(())
            })?;
            Ok(seen)
        });
        self.reach.note(self.connection.as_ref().and_then(|(connection, _)| connection.given_up()));
        match asked {
            Ok((text, false)) => {
                let began = self.connection.as_ref().map_or(0, |(_, began)| *began);
                let ended = || Error::Unavailable("PostgreSQL has failed over".into());
                self.shared.at(began, &text).ok_or_else(ended)
            }
            Ok((_, true)) => {
                self.connection = None;
                Err(Error::Unavailable("PostgreSQL is a standby".into()))
            }
            Err(error) => {
                self.connection = None;
                Err(error)
            }
        }
    }

    fn connect(&mut self) -> Result<&mut Connection> {
        if self.connection.as_ref().is_none_or(|(_, began)| *began != self.shared.incarnation()) {
            self.connection = None;
            self.reach.held()?;
            if self.failed_at.is_some_and(|at| at.elapsed() < PAUSE) {
                return Err(Error::Unavailable("a connection could not be opened a moment ago".into()));
            }
            let timeouts = Timeouts::Request;
            let opened = Connection::open(&self.config, &self.runtime, timeouts, timeouts.connect());
            self.failed_at = opened.is_err().then(Instant::now);
            let opened = opened?;
            let began = self.shared.begin(opened.server().clone());
            self.connection = Some((opened, began));
        }
        self.connection.as_mut().map(|(connection, _)| connection).ok_or_else(|| Error::Bug("no connection".into()))
    }
}
