//! Counts the steps of a worker, so that a server for tests can wait until a change has had its effects.

use std::sync::Arc;

use tokio::sync::watch;

/// The steps of one worker.
#[derive(Debug, Clone, Default)]
pub struct Steps(Arc<watch::Sender<Count>>);

#[derive(Debug, Default)]
struct Count {
    /// The number of steps that have begun.
    begun: u64,
    /// The number of the last step that left nothing for the next one.
    settled: u64,
}

impl Steps {
    pub(super) fn begin(&self) {
        self.0.send_modify(|count| count.begun += 1);
    }

    pub(super) fn end(&self, settled: bool) {
        if settled {
            self.0.send_modify(|count| count.settled = count.begun);
        }
    }

    /// Waits until a step that begins after this call leaves nothing for the next one.
    pub async fn settle(&self) {
        let begun = self.0.borrow().begun;
        // The sender lives as long as this.
        drop(self.0.subscribe().wait_for(|count| count.settled > begun).await);
    }
}
