//! A server behind its socket: what answers requests, and what it does besides.

pub mod delivering;
pub mod last_use;
pub mod retention;

use std::sync::Arc;

use crate::clock::Clock;
use crate::config::Settings;
use crate::dispatch::Limits;
use crate::error::Result;
use crate::http::assemble::{self, Parts};
use crate::http::edge::Edge;
use crate::http::metrics::Metrics;
use crate::store::{Store, site};

/// Makes the edge, which answers requests from a store.
pub fn edge(store: Store, settings: &Settings, metrics: Option<Arc<Metrics>>, clock: Clock) -> Result<Arc<Edge>> {
    let parts = Parts {
        site: site(settings, &store.key)?,
        clock,
        trusted_proxies: settings.trusted_proxies.clone(),
        public_url: settings.public_url.clone(),
        metrics,
        memory: Limits {
            process: settings.memory.in_flight,
            bodies: settings.memory.bodies,
            client: settings.memory.per_client,
        },
    };
    assemble::edge(store.db, parts)
}
