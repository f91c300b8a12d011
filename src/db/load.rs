//! The load of the store, for the metrics.

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;

use crate::error::{Error, Result};

/// Upper bounds of the histogram of writes per commit.
const BATCHES: [f64; 9] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];

/// The metrics of the store. Clones share them.
#[derive(Debug, Clone)]
pub struct Load {
    /// Requests that the store is running or that wait for it. Reads on SQLite never wait and are not counted.
    pub waiting: Gauge,
    /// The number of writes in each commit.
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
    /// Counts one more waiting request until the returned value is dropped.
    pub(super) fn wait(&self) -> Waiting {
        self.waiting.inc();
        Waiting(self.waiting.clone())
    }

    /// Counts an error that the database caused.
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
