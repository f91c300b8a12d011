//! The current generation, which requests share, and the reset that replaces it (docs/decisions/0030).

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedRwLockReadGuard, RwLock, watch};

use super::generation::{Generation, Plan};
use crate::error::{Error, Result};

/// How long a reset waits for requests under way.
const WAIT: Duration = Duration::from_secs(5);

/// The generation that answers requests.
pub struct Current {
    plan: Plan,
    generation: Arc<RwLock<Generation>>,
    /// Tells requests that wait because of a fault that a reset has begun.
    resets: watch::Sender<u64>,
}

/// Keeps a generation alive for a request. A reset waits until this is dropped.
pub type Held = OwnedRwLockReadGuard<Generation>;

impl Current {
    /// Begins the first generation.
    pub async fn begin(plan: Plan) -> Result<Self> {
        let generation = Generation::begin(&plan).await?;
        Ok(Self { plan, generation: Arc::new(RwLock::new(generation)), resets: watch::Sender::new(0) })
    }

    /// The URL of the server.
    pub fn url(&self) -> &str {
        &self.plan.url
    }

    /// Holds the current generation for a request. A request that arrives during a reset waits, and gets the next
    /// generation.
    pub async fn enter(&self) -> Held {
        Arc::clone(&self.generation).read_owned().await
    }

    /// Waits until a reset begins. Call this while holding the generation.
    pub fn next_reset(&self) -> impl Future<Output = ()> + use<> {
        let mut resets = self.resets.subscribe();
        async move { _ = resets.changed().await }
    }

    /// Goes back to the seed. Concurrent resets run one after the other. If this fails, nothing has changed.
    pub async fn reset(&self) -> Result<()> {
        self.resets.send_modify(|resets| *resets += 1);
        let waited = tokio::time::timeout(WAIT, self.generation.write()).await;
        let mut generation = waited.map_err(|_| {
            let text = format!("a request is still under way after {} seconds", WAIT.as_secs());
            Error::Unavailable(text)
        })?;
        let next = Generation::begin(&self.plan).await?;
        std::mem::replace(&mut *generation, next).end().await;
        Ok(())
    }
}
