//! Builds the part of the server that answers requests from a store and its settings.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use ipnet::IpNet;

use super::edge::Edge;
use super::metrics::Metrics;
use super::routes::Routes;
use crate::clock::{self, Clock};
use crate::db::Db;
use crate::dispatch::{Limits, Service};
use crate::error::Result;
use crate::graphql;
use crate::identity::Provider;
use crate::instruments::Instruments;
use crate::operation::Site;
use crate::operations::operations;
use crate::page_operations;
use crate::pages::Forms;
use crate::sync;

/// The parts that a server needs besides its store.
pub struct Parts {
    /// Settings and state in memory.
    pub site: Site,
    /// The clock.
    pub clock: Clock,
    /// The networks whose forwarded headers are trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// The base URL that the operator has set.
    pub public_url: Option<String>,
    /// The site's identity provider, if people may sign in there.
    pub provider: Option<Provider>,
    /// The instruments of its operators.
    pub instruments: Instruments,
    /// The metrics, if they are configured.
    pub metrics: Option<Arc<Metrics>>,
    /// The memory that requests may hold.
    pub memory: Limits,
}

/// A server without its socket.
pub fn edge(db: Db, parts: Parts) -> Result<Arc<Edge>> {
    let mut operations = operations();
    operations.extend(sync::routes::operations());
    let routes = Routes::new(&operations)?;
    // These have no path.
    operations.extend(page_operations::page_operations());
    let rules = graphql::rules(&operations)?;
    let Parts { site, clock, trusted_proxies, public_url, provider, instruments, metrics, memory } = parts;
    let service = Service::new(db.for_requests(), site, operations, clock, memory);
    Ok(Arc::new(Edge {
        service: Arc::new(service),
        routes,
        rules: Arc::new(rules),
        trusted_proxies,
        public_url,
        provider,
        instruments,
        metrics,
        forms: Forms::default(),
        instance: u64::from_le_bytes(clock::random()?),
        requests: AtomicU64::new(0),
    }))
}
