//! What a worker and its runs work with.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;

use super::lease::Node;
use super::measured::Measured;
use super::{Channels, Retry};
use crate::clock::Time;
use crate::db::Db;
use crate::error::Result;

/// What a worker works with.
pub struct Parts {
    /// The store.
    pub db: Db,
    /// Says that something was committed.
    pub changed: Arc<Notify>,
    /// The time, unless the clock is not trusted.
    pub now: Box<dyn Fn() -> Result<Time> + Send + Sync>,
    /// How receivers are reached.
    pub channels: Channels,
    /// The key of the chains. The identifiers of events are derived from it.
    pub key: [u8; 32],
    /// How often a delivery is tried again.
    pub retry: Retry,
    /// The node.
    pub node: Node,
    /// After what time the worker looks for what other processes have committed.
    pub poll: Duration,
    /// What is measured.
    pub measured: Measured,
}
