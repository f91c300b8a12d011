//! A run: the deliveries of one lane, sent one after the other until one fails, none is left, or the time is over.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{Mutex, mpsc, watch};

use super::kind::Route;
use super::marks::Outcome;
use super::parts::Parts;
use super::queue::{self, Item};
use super::{Channels, Kind, Lane, Target, lease};
use crate::clock;
use crate::db::Db;
use crate::error::Result;

/// The number of deliveries that are read at a time, with their payloads.
const READ: i64 = 20;

/// The time after which a run ends, so that a change of its receiver is noticed.
const LONGEST: Duration = Duration::from_secs(5);

/// The number of waiting requests from which the store counts as busy.
const BUSY: i64 = 24;

/// The pause between two deliveries of this process while the store is busy.
const PAUSE: Duration = Duration::from_millis(10);

/// A report of a run to the worker.
pub(super) enum Report {
    /// An attempt was made.
    Made(Arc<Outcome>),
    /// The receiver is gone.
    Gone(Target),
    /// The run is over. This is always its last report.
    Ended(Lane),
}

/// Slows deliveries down while requests wait for the store, so that requests come first.
pub(super) struct Throttle {
    db: Db,
    next: Mutex<Instant>,
}

impl Throttle {
    pub(super) fn of(db: &Db) -> Self {
        Self { db: db.clone(), next: Mutex::new(Instant::now()) }
    }

    /// True if requests wait.
    pub(super) fn is_busy(&self) -> bool {
        self.db.load().waiting.get() >= BUSY
    }

    async fn turn(&self) {
        if !self.is_busy() {
            return;
        }
        let mut next = self.next.lock().await;
        tokio::time::sleep_until((*next).into()).await;
        *next = Instant::now() + PAUSE;
    }
}

/// One run.
pub(super) struct Run {
    pub parts: Arc<Parts>,
    pub throttle: Arc<Throttle>,
    pub lane: Lane,
    /// The first delivery.
    pub first: i64,
    /// The time at which the lease ends.
    pub leased: Instant,
    pub stop: watch::Receiver<bool>,
    pub reports: mpsc::UnboundedSender<Report>,
}

/// Reports the end of a run, however it ends.
struct Ending<'r>(Lane, &'r mpsc::UnboundedSender<Report>);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        // A worker that has stopped needs no report.
        _ = self.1.send(Report::Ended(self.0));
    }
}

impl Run {
    pub(super) async fn run(self) {
        let _ending = Ending(self.lane, &self.reports);
        if let Err(error) = self.send_all().await {
            tracing::debug!(%error, "cannot read deliveries");
        }
    }

    async fn send_all(&self) -> Result<()> {
        let (began, mut from) = (Instant::now(), self.first);
        loop {
            let (channels, lane, now) = (self.parts.channels.clone(), self.lane, (self.parts.now)()?);
            let read = self.parts.db.read(move |tx| {
                let Some(route) = channels.route(tx, lane, now)? else { return Ok(None) };
                Ok(Some((route, queue::items(tx, lane, from, READ, now)?)))
            });
            let Some((route, items)) = read.await? else {
                _ = self.reports.send(Report::Gone(lane.target));
                return Ok(());
            };
            if items.is_empty() {
                return Ok(());
            }
            // A person seldom gets a second e-mail at once, so a look for one is not worth a read for each e-mail.
            let is_all = lane.target.kind == Kind::Mail && i64::try_from(items.len()).is_ok_and(|read| read < READ);
            for item in items {
                // A delivery that has failed before has its own time, and one that is blocked will be released.
                let is_due = item.attempts == 0 && !item.is_blocked || item.id == self.first;
                let overdue = item.id != self.first && began.elapsed() >= LONGEST;
                let leased = self.leased.saturating_duration_since(Instant::now()) >= lease::LEAST;
                if !is_due || overdue || !leased || *self.stop.borrow() {
                    return Ok(());
                }
                from = item.id + 1;
                let outcome = self.send(&route, item).await?;
                let failed = outcome.attempt.as_ref().is_some_and(|attempt| !attempt.ok);
                _ = self.reports.send(Report::Made(Arc::new(outcome)));
                if failed {
                    return Ok(());
                }
            }
            if is_all {
                return Ok(());
            }
        }
    }

    async fn send(&self, route: &Route, item: Item) -> Result<Outcome> {
        let Item { id, event_id, attempts, expires_at, redelivery, guid, event, payload, change, .. } = item;
        let drawn = u32::from_le_bytes(clock::random_aside()?);
        self.throttle.turn().await;
        let at = (self.parts.now)()?;
        let attempt = if Channels::takes(route, &event) {
            Some(self.parts.channels.send(route, &guid, (&event, &payload), at).await)
        } else {
            None
        };
        let (lane, deleted) = (self.lane, Channels::is_deleted(route));
        Ok(Outcome { lane, id, event_id, change, attempts, expires_at, redelivery, at, drawn, deleted, attempt })
    }
}
