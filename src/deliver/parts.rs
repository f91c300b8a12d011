//! The parts that a worker and its runs need.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;

use super::lease::Node;
use super::measured::Measured;
use super::steps::Steps;
use super::{Channels, Retry};
use crate::clock::Time;
use crate::db::Db;
use crate::error::Result;

/// The parts that a worker needs.
pub struct Parts {
    /// The store.
    pub db: Db,
    /// Notifies the worker of commits.
    pub changed: Arc<Notify>,
    /// The time; an error while the clock is not trusted.
    pub now: Box<dyn Fn() -> Result<Time> + Send + Sync>,
    /// The means of sending to receivers.
    pub channels: Channels,
    /// The key of the journals' chains. The identifiers of events are derived from it.
    pub key: [u8; 32],
    /// The retries of a delivery.
    pub retry: Retry,
    /// This node.
    pub node: Node,
    /// The interval at which the worker looks for commits of other processes.
    pub poll: Duration,
    /// The longest pause between two steps when there is something to do; for tests, which wait for a step.
    pub pause: Duration,
    /// Counts the steps.
    pub steps: Steps,
    /// The metrics.
    pub measured: Measured,
}
