//! Turns of long reads: those that take long on SQLite, and those that load much from PostgreSQL.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::{Error, Result, Scarce};

/// The time for which a request waits for its turn.
const WAIT: Duration = Duration::from_millis(4_500);

/// The longest turn of a request on SQLite, which cannot refuse a statement that takes too long.
const LIMIT: Duration = Duration::from_secs(10);

/// The turns of one kind of caller. Clones share them.
#[derive(Clone)]
pub(super) struct LongReads {
    turns: Arc<Semaphore>,
    /// The longest turn on SQLite, if there is a limit.
    pub limit: Option<Duration>,
}

impl LongReads {
    /// So many at a time, each for as long as it takes.
    pub fn new(turns: usize) -> Self {
        Self { turns: Arc::new(Semaphore::new(turns)), limit: None }
    }

    /// The same turns, with the limits of requests.
    pub fn for_requests(self) -> Self {
        Self { limit: Some(LIMIT), ..self }
    }

    /// Waits for a turn.
    pub async fn turn(&self) -> Result<OwnedSemaphorePermit> {
        let turn = Arc::clone(&self.turns).acquire_owned();
        let turn = match self.limit {
            Some(_) => tokio::time::timeout(WAIT, turn).await.map_err(|_| Error::Busy(Scarce::Readers))?,
            None => turn.await,
        };
        turn.map_err(|_| Error::Busy(Scarce::Readers))
    }
}
