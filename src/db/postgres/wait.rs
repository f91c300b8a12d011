//! How long one request may wait.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::timeouts::Timeouts;
use crate::error::{Error, Result};

/// How long every transaction has to begin and to answer its first statement.
const LEAST: Duration = Duration::from_millis(300);

/// What a request is told whose thread is gone.
pub(super) const STOPPED: &str = "the database threads have stopped";

/// How long one request may wait: for each statement, and until when for its transaction to begin.
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

    /// Whether the time of a request is over. A command goes on for as long as it takes.
    pub fn is_over(self) -> bool {
        self.timeouts == Timeouts::Request && Instant::now() >= self.until
    }

    /// A request whose turn comes late still has [`LEAST`], so that a busy server is not taken for one that has stopped.
    pub fn left(self) -> Duration {
        self.until.saturating_duration_since(Instant::now()).max(LEAST)
    }

    /// Waits for an answer, but gives up what has not begun in time.
    pub async fn answered<T>(self, mut receiver: oneshot::Receiver<T>, taken: &AtomicBool) -> Result<T> {
        let stopped = |_| Error::Unavailable(STOPPED.into());
        match tokio::time::timeout_at(self.until.into(), &mut receiver).await {
            Ok(done) => done.map_err(stopped),
            Err(_) if taken.swap(true, Ordering::SeqCst) => receiver.await.map_err(stopped),
            Err(_) => Err(Error::Unavailable("no connection to PostgreSQL became free in time".into())),
        }
    }
}
