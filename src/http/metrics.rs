//! Counters and durations of requests, in the text format of Prometheus.

use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

use crate::error::{Error, Result};

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    operation: &'static str,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Named {
    operation: &'static str,
}

/// What is measured while the address of metrics is configured.
pub struct Metrics {
    registry: Registry,
    requests: Family<Answered, Counter>,
    seconds: Family<Named, Histogram>,
}

/// Upper bounds of the durations that are told apart, in seconds.
const BOUNDS: [f64; 10] = [0.000_1, 0.000_3, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0];

impl Default for Metrics {
    fn default() -> Self {
        let requests = Family::default();
        let seconds = Family::new_with_constructor((|| Histogram::new(BOUNDS)) as fn() -> Histogram);
        let mut registry = Registry::with_prefix("guildhall");
        registry.register("requests", "Requests answered", requests.clone());
        registry.register("request_duration_seconds", "Time to answer a request", seconds.clone());
        Self { registry, requests, seconds }
    }
}

impl Metrics {
    /// Counts a request.
    pub fn note(&self, operation: &'static str, status: u16, took: Duration) {
        self.requests.get_or_create(&Answered { operation, status }).inc();
        self.seconds.get_or_create(&Named { operation }).observe(took.as_secs_f64());
    }

    /// Everything that was counted, as text.
    pub fn text(&self) -> Result<String> {
        let mut text = String::new();
        encode(&mut text, &self.registry).map_err(|e| Error::Bug(format!("metrics: {e}")))?;
        Ok(text)
    }
}
