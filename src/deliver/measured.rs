//! The metrics of deliveries.

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;

use super::marks::{Next, Outcome};
use super::{Retry, stored};
use crate::clock::Time;
use crate::db::Tx;
use crate::error::Result;
use crate::journal::cursors;

/// The metrics; clones share them.
#[derive(Debug, Clone, Default)]
pub struct Measured {
    /// Deliveries that were accepted by their receivers.
    pub delivered: Counter,
    /// Attempts that failed.
    pub failed: Counter,
    /// Deliveries that were given up.
    pub given_up: Counter,
    /// Deliveries that are waiting.
    pub waiting: Gauge,
    /// Deliveries that were given up and are still stored.
    pub dead: Gauge,
    /// Journal entries that are not expanded yet.
    pub behind: Gauge,
    /// The age of the oldest waiting delivery or unexpanded entry, in seconds.
    pub oldest: Gauge,
}

/// The values of the gauges.
pub(super) struct Gauges {
    waiting: i64,
    dead: i64,
    oldest: Option<Time>,
}

/// Reads them from the store. `behind` lists the journals that are not read to their ends.
pub(super) fn look(tx: &mut Tx, behind: &[(i64, i64)]) -> Result<Gauges> {
    let backlog = stored::backlog(tx)?;
    let entry = cursors::oldest(tx, behind)?;
    let oldest = backlog.oldest.into_iter().chain(entry).min();
    Ok(Gauges { waiting: backlog.waiting, dead: backlog.dead, oldest })
}

impl Measured {
    pub(super) fn count(&self, outcome: &Outcome, retry: &Retry) {
        match outcome.next(retry) {
            Next::Delivered => drop(self.delivered.inc()),
            Next::Dropped => {}
            Next::Retried(_) => drop(self.failed.inc()),
            Next::Dead => {
                self.failed.inc();
                self.given_up.inc();
            }
        }
    }

    pub(super) fn show(&self, gauges: &Gauges, entries_behind: i64, now: Time) {
        self.waiting.set(gauges.waiting);
        self.dead.set(gauges.dead);
        self.behind.set(entries_behind);
        self.oldest.set(gauges.oldest.map_or(0, |at| (now.seconds() - at.seconds()).max(0)));
    }
}
