//! How busy the store is, for the metrics.

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;

use crate::error::{Error, Result};

/// Upper bounds of the numbers of writes in a commit that are told apart.
const BATCHES: [f64; 9] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];

/// What the store says of its work; clones share it.
#[derive(Debug, Clone)]
pub struct Load {
    /// Requests that wait for the store or that it carries out, other than reads on SQLite, which never wait.
    pub waiting: Gauge,
    /// How many writes a commit had.
    pub batches: Histogram,
    /// Requests that failed because of the database.
    pub errors: Counter,
}

impl Default for Load {
    fn default() -> Self {
        Self { waiting: Gauge::default(), batches: Histogram::new(BATCHES), errors: Counter::default() }
    }
}

impl Load {
    /// One request more, until the answer of this is dropped.
    pub(super) fn wait(&self) -> Waiting {
        self.waiting.inc();
        Waiting(self.waiting.clone())
    }

    /// Counts a result that is the database's fault.
    pub(super) fn note<R>(&self, result: Result<R>) -> Result<R> {
        if let Err(Error::Unavailable(_)) = &result {
            self.errors.inc();
        }
        result
    }
}

pub(super) struct Waiting(Gauge);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.dec();
    }
}
