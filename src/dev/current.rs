//! The current generation, which requests share, and the reset that replaces it (docs/decisions/0030).

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedRwLockReadGuard, RwLock, RwLockWriteGuard, watch};

use super::generation::{Generation, Plan};
use crate::error::{Error, Result};

/// The time that a reset waits for requests under way.
const WAIT: Duration = Duration::from_secs(5);

/// The generation that answers requests.
pub struct Current {
    plan: Plan,
    /// None once the server has stopped.
    generation: Arc<RwLock<Option<Generation>>>,
    /// Tells requests that wait because of a fault that a reset has begun.
    resets: watch::Sender<u64>,
}

/// Keeps a generation alive for a request. A reset waits until this is dropped.
pub type Held = OwnedRwLockReadGuard<Option<Generation>, Generation>;

impl Current {
    /// Begins the first generation.
    pub async fn begin(plan: Plan) -> Result<Self> {
        let generation = Generation::begin(&plan).await?;
        let generation = Arc::new(RwLock::new(Some(generation)));
        Ok(Self { plan, generation, resets: watch::Sender::new(0) })
    }

    /// The URL of the server.
    pub fn url(&self) -> &str {
        &self.plan.url
    }

    /// Holds the current generation for a request. A request that arrives during a reset waits, and gets the next
    /// generation. A request that arrives after the end waits until its connection is closed.
    pub async fn enter(&self) -> Held {
        let held = Arc::clone(&self.generation).read_owned().await;
        match OwnedRwLockReadGuard::try_map(held, Option::as_ref).ok() {
            Some(held) => held,
            None => std::future::pending().await,
        }
    }

    /// Waits until a reset begins. Call this while holding the generation.
    pub fn next_reset(&self) -> impl Future<Output = ()> + use<> {
        let mut resets = self.resets.subscribe();
        async move { _ = resets.changed().await }
    }

    /// Goes back to the seed. Concurrent resets run one after the other. If this fails, nothing has changed.
    pub async fn reset(&self) -> Result<()> {
        let mut generation = self.alone().await?;
        let next = Generation::begin(&self.plan).await?;
        if let Some(previous) = generation.replace(next) {
            // Closing the database takes a moment. Nothing waits for it.
            drop(previous.end().await);
        }
        Ok(())
    }

    /// Ends the generation when the server stops, and waits until its database is closed. The folder may be removed then.
    pub async fn end(&self) -> Result<()> {
        let ended = self.alone().await?.take();
        if let Some(generation) = ended {
            let closed = generation.end().await.await;
            closed.map_err(|error| Error::Bug(format!("the database could not be closed: {error}")))?;
        }
        Ok(())
    }

    /// Interrupts requests that wait because of a fault, and waits for the others.
    async fn alone(&self) -> Result<RwLockWriteGuard<'_, Option<Generation>>> {
        self.resets.send_modify(|resets| *resets += 1);
        let waited = tokio::time::timeout(WAIT, self.generation.write()).await;
        waited.map_err(|_| {
            let text = format!("a request is still under way after {} seconds", WAIT.as_secs());
            Error::Unavailable(text)
        })
    }
}
