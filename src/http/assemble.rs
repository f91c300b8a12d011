//! Puts the parts together: a store and what it is set to become something that answers requests.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use ipnet::IpNet;

use super::edge::Edge;
use super::metrics::Metrics;
use super::openapi;
use super::routes::Routes;
use crate::access::token::Used;
use crate::clock::{self, Clock};
use crate::db::Db;
use crate::dispatch::Service;
use crate::error::Result;
use crate::operation::Site;
use crate::operations::operations;
use crate::sync;

/// What a server is made of beside its store.
pub struct Parts {
    /// Settings and state in memory.
    pub site: Site,
    /// Time.
    pub clock: Clock,
    /// Networks whose forwarded headers are believed.
    pub trusted_proxies: Vec<IpNet>,
    /// The key of entity tags.
    pub etag_key: [u8; 192],
    /// What is measured, if anybody asks for it.
    pub metrics: Option<Arc<Metrics>>,
}

/// A server without its socket.
pub fn edge(db: Db, parts: Parts) -> Result<Arc<Edge>> {
    let mut operations = operations();
    let openapi = openapi::document(&operations).to_string().into_bytes();
    operations.extend(sync::routes::operations());
    let routes = Routes::new(&operations)?;
    let Parts { site, clock, trusted_proxies, etag_key, metrics } = parts;
    let service = Service { db, site, operations, clock, used_tokens: Used::default() };
    Ok(Arc::new(Edge {
        service: Arc::new(service),
        routes,
        trusted_proxies,
        etag_key,
        metrics,
        openapi: openapi.into(),
        instance: u64::from_le_bytes(clock::random()?),
        requests: AtomicU64::new(0),
    }))
}
