//! The time that one request may wait.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::timeouts::Timeouts;
use crate::error::{Error, Result};

/// The shortest time that a transaction has to begin and to run its first statement.
const LEAST: Duration = Duration::from_millis(300);

/// The error of a request whose thread has ended.
pub(super) const STOPPED: &str = "the database threads have stopped";

/// The time that one request may wait: for each statement, and for the beginning of its transaction.
#[derive(Clone, Copy)]
pub(super) struct Wait {
    pub timeouts: Timeouts,
    until: Instant,
}

impl Wait {
    /// A wait that begins now.
    pub fn new(timeouts: Timeouts) -> Self {
        Self { timeouts, until: Instant::now() + timeouts.turn() }
    }

    /// True if the time of a request is over. A command has as much time as it needs.
    pub fn is_over(self) -> bool {
        self.timeouts == Timeouts::Request && Instant::now() >= self.until
    }

    /// The remaining time. A request whose turn comes late still has [`LEAST`], so that a busy server does not seem to
    /// have stopped.
    pub fn left(self) -> Duration {
        self.until.saturating_duration_since(Instant::now()).max(LEAST)
    }

    /// Waits for a result. Gives up work that has not begun in time.
    pub async fn answered<T>(self, mut receiver: oneshot::Receiver<T>, taken: &AtomicBool) -> Result<T> {
        let stopped = |_| Error::Unavailable(STOPPED.into());
        match tokio::time::timeout_at(self.until.into(), &mut receiver).await {
            Ok(done) => done.map_err(stopped),
            Err(_) if taken.swap(true, Ordering::SeqCst) => receiver.await.map_err(stopped),
            Err(_) => Err(Error::Unavailable("no connection to PostgreSQL became free in time".into())),
        }
    }
}
