//! Tells if PostgreSQL responds. While it does not, one thread tries to connect and everything else is refused
//! immediately. When that thread succeeds, all threads serve requests again.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tokio_postgres::Config;

use super::connection::{Connection, GivenUp};
use super::timeouts::Timeouts;
use crate::clock::Minutely;
use crate::error::{Error, Result};

/// While the server is unreachable, the log says so once a minute, whichever part notices it.
pub static OUTAGE: Minutely = Minutely::new();

/// The delay between two attempts to connect while the server is unreachable.
const PAUSE: Duration = Duration::from_millis(250);

/// The time for which a successful attempt counts for later questions.
const PROVEN: Duration = Duration::from_secs(1);

/// The timeout of the question whether the server is reachable. It is longer than an attempt to connect.
pub(super) const ASKED: Duration = Duration::from_millis(1_800);

/// Shared by the threads of a pool.
#[derive(Clone)]
pub(super) struct Reach {
    state: Arc<Mutex<State>>,
    attempts: mpsc::Sender<Attempt>,
}

/// A request for an attempt to connect. The sender, if any, is notified when the attempt has ended.
type Attempt = Option<oneshot::Sender<()>>;

#[derive(Default)]
struct State {
    /// The reason why the server is unreachable, if it is.
    lost: Option<String>,
    /// True if the log says that.
    logged: bool,
    /// The time at which an attempt last succeeded.
    proven: Option<Instant>,
}

impl Reach {
    /// Watches a server until the last clone is dropped.
    pub(super) fn watch(config: Arc<Config>, runtime: Arc<Runtime>) -> Result<Self> {
        let (attempts, asked) = mpsc::channel();
        let state = Arc::<Mutex<State>>::default();
        let watched = Arc::clone(&state);
        let connect = move || Connection::open(&config, &runtime, Timeouts::Request, Timeouts::Request.connect());
        let run = move || attempt(&watched, &asked, || connect().map(drop));
        let thread = std::thread::Builder::new().name("db-reach".into()).spawn(run);
        thread.map_err(|e| Error::Unavailable(e.to_string()))?;
        Ok(Self { state, attempts })
    }

    /// Refuses while the server is unreachable.
    pub(super) fn held(&self) -> Result<()> {
        locked(&self.state, |state| state.lost.clone()).map_or(Ok(()), |why| Err(Error::Unavailable(why)))
    }

    /// Notes that the server has not responded.
    pub(super) fn lost(&self, error: &Error) {
        if lose(&self.state, error) {
            // The thread lives as long as this value.
            drop(self.attempts.send(None));
        }
    }

    /// Checks whether the server is reachable. It is unreachable only if a new connection fails too.
    pub(super) fn doubt(&self) {
        drop(self.attempts.send(None));
    }

    /// Notes why a connection was given up, if it was.
    pub(super) fn note(&self, given_up: Option<GivenUp>) {
        match given_up {
            Some(GivenUp::Silent) => self.lost(&Error::Unavailable("PostgreSQL has not answered in time".into())),
            Some(GivenUp::Doubtful) => self.doubt(),
            None => {}
        }
    }

    /// Succeeds if a new connection can be made now or could be made up to a second ago.
    pub(super) async fn ready(&self) -> Result<()> {
        self.held()?;
        if locked(&self.state, |state| state.proven).is_some_and(|at| at.elapsed() < PROVEN) {
            return Ok(());
        }
        let (answer, answered) = oneshot::channel();
        drop(self.attempts.send(Some(answer)));
        match tokio::time::timeout(ASKED, answered).await {
            Ok(_) => self.held(),
            Err(_) => Err(Error::Unavailable("PostgreSQL did not answer a health check in time".into())),
        }
    }
}

fn locked<R>(state: &Mutex<State>, look: impl FnOnce(&mut State) -> R) -> R {
    look(&mut state.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Notes why the server is unreachable. Returns whether it was reachable before.
fn lose(state: &Mutex<State>, error: &Error) -> bool {
    let Error::Unavailable(why) = error else { return false };
    locked(state, |state| {
        if OUTAGE.is_due() {
            state.logged = true;
            tracing::warn!("PostgreSQL cannot be reached; answering requests with 503: {why}");
        }
        state.proven = None;
        state.lost.replace(why.clone()).is_none()
    })
}

fn find(state: &Mutex<State>) {
    locked(state, |state| {
        state.proven = Some(Instant::now());
        state.lost = None;
        if std::mem::take(&mut state.logged) {
            tracing::info!("PostgreSQL can be reached again");
        }
    });
}

/// Tries to connect when asked to, and repeatedly while the server is unreachable.
fn attempt(state: &Mutex<State>, asked: &mpsc::Receiver<Attempt>, connect: impl Fn() -> Result<()>) {
    loop {
        let lost = locked(state, |state| state.lost.is_some());
        let first = match asked.recv_timeout(if lost { PAUSE } else { Duration::MAX }) {
            Ok(first) => first,
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        match connect() {
            Ok(()) => find(state),
            Err(error) => _ = lose(state, &error),
        }
        for waiting in std::iter::once(first).chain(asked.try_iter()).flatten() {
            // The caller may be gone.
            _ = waiting.send(());
        }
    }
}
