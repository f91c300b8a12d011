//! Metrics in the text format of Prometheus.

use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;

use super::process::Process;
use crate::clock::Time;
use crate::db::{Db, newest_schema};
use crate::deliver::measured::Measured;
use crate::error::{Error, Result, Scarce};

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    operation: &'static str,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Named {
    operation: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Limited {
    limit: &'static str,
}

/// The metrics, while they are configured.
pub struct Metrics {
    registry: Registry,
    requests: Family<Answered, Counter>,
    seconds: Family<Named, Histogram>,
    refusals: Family<Limited, Counter>,
    connections: Gauge,
    ready: Gauge,
}

/// Upper bounds of the buckets of durations, in seconds.
const BOUNDS: [f64; 10] = [0.000_1, 0.000_3, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0];

/// The limits that refuse, as the label names them.
const LIMITS: [&str; 9] = [
    "rate",
    "abuse",
    Scarce::Memory.name(),
    Scarce::ClientMemory.name(),
    Scarce::ClientResponses.name(),
    Scarce::ClientReaders.name(),
    Scarce::Readers.name(),
    "connections",
    "connections_per_address",
];

impl Metrics {
    /// Measures this store and a process that started at this time. The function returns how many log lines were
    /// dropped.
    #[must_use]
    pub fn new(db: &Db, deliveries: &Measured, began: Time, log_lines_dropped: fn() -> u64) -> Self {
        let (requests, refusals) = (Family::default(), Family::default());
        let seconds = Family::new_with_constructor((|| Histogram::new(BOUNDS)) as fn() -> Histogram);
        let (connections, ready, load) = (Gauge::default(), Gauge::default(), db.load());
        let mut registry = Registry::default();
        registry.register_collector(Box::new(Process { began: began.seconds(), log_lines_dropped }));
        let own = registry.sub_registry_with_prefix("guildhall");
        let engine = if db.file().is_some() { "sqlite" } else { "postgres" };
        let build = [
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            ("schema", newest_schema().to_string()),
            ("engine", engine.to_owned()),
        ];
        own.register("build", "Version and database engine of the running program", Info::new(build.to_vec()));
        own.register("ready", "Whether the service is ready, as reported by /readyz", ready.clone());
        own.register("connections", "Open client connections", connections.clone());
        own.register("requests", "Requests answered", requests.clone());
        own.register("request_duration_seconds", "Time to answer a request", seconds.clone());
        own.register("limit_refusals", "Requests and connections refused by a limit", refusals.clone());
        own.register("store_waiting", "Requests waiting for or using the database", load.waiting.clone());
        own.register("store_batch_size", "Writes per commit", load.batches.clone());
        own.register("store_errors", "Requests that failed because of the database", load.errors.clone());
        register_deliveries(own, deliveries);
        let metrics = Self { registry, requests, seconds, refusals, connections, ready };
        for limit in LIMITS {
            drop(metrics.refusals.get_or_create(&Limited { limit }));
        }
        metrics
    }

    /// Counts a request.
    pub fn note(&self, operation: &'static str, status: u16, took: Duration) {
        self.requests.get_or_create(&Answered { operation, status }).inc();
        self.seconds.get_or_create(&Named { operation }).observe(took.as_secs_f64());
    }

    /// Counts a refusal by a limit.
    pub fn refused(&self, limit: &'static str) {
        self.refusals.get_or_create(&Limited { limit }).inc();
    }

    /// Records how many connections are open.
    pub fn open(&self, connections: usize) {
        self.connections.set(i64::try_from(connections).unwrap_or(i64::MAX));
    }

    /// Everything that was counted, as text.
    pub fn text(&self, ready: bool) -> Result<String> {
        self.ready.set(ready.into());
        let mut text = String::new();
        encode(&mut text, &self.registry).map_err(|e| Error::Bug(format!("metrics: {e}")))?;
        Ok(text)
    }
}

fn register_deliveries(own: &mut Registry, deliveries: &Measured) {
    let Measured { delivered, failed, given_up, waiting, dead, behind, oldest } = deliveries.clone();
    own.register("deliveries", "Deliveries accepted by their receivers", delivered);
    own.register("delivery_failures", "Failed attempts to deliver", failed);
    own.register("deliveries_given_up", "Deliveries given up after the last attempt", given_up);
    own.register("deliveries_waiting", "Deliveries waiting for an attempt", waiting);
    own.register("deliveries_dead", "Deliveries given up and not yet retried or dropped", dead);
    own.register("delivery_entries_behind", "Changes not yet turned into deliveries", behind);
    own.register("delivery_oldest_seconds", "Age of the oldest change or delivery that waits", oldest);
}
