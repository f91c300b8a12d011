//! Stores the results of attempts, for many attempts at once.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Channels, Lane, Retry, Target, queue};
use crate::clock::Time;
use crate::db::{Bind, Bulk, Tx};
use crate::error::Result;
use crate::sender::Attempt;

/// The result of one attempt.
#[derive(Debug)]
pub(super) struct Outcome {
    pub lane: Lane,
    pub id: i64,
    pub event_id: i64,
    /// The change that it belongs to.
    pub change: Option<String>,
    /// The number of earlier attempts.
    pub attempts: i64,
    pub expires_at: i64,
    pub redelivery: bool,
    pub at: Time,
    /// A random number for the delay of the next attempt.
    pub drawn: u32,
    /// True if the receiver is deleted.
    pub deleted: bool,
    /// The result; none if the receiver is switched off or deleted.
    pub attempt: Option<Attempt>,
}

/// The state of a delivery after an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    Delivered,
    /// It is retried at this time.
    Retried(Time),
    Dead,
    /// Its receiver is deleted.
    Dropped,
}

impl Outcome {
    pub(super) fn next(&self, retry: &Retry) -> Next {
        match &self.attempt {
            Some(attempt) if attempt.ok => return Next::Delivered,
            Some(attempt) if attempt.permanent => return Next::Dead,
            Some(_) => {}
            None if self.deleted => return Next::Dropped,
            None => return Next::Dead,
        }
        let next = Time(self.at.0.saturating_add(retry.delay(self.attempts + 1, self.drawn)));
        if next.0 > self.expires_at { Next::Dead } else { Next::Retried(next) }
    }
}

/// Stores the results of these attempts, which are in the order in which they were made. The leases of the receivers
/// are locked.
pub(super) fn write(tx: &mut Tx, outcomes: &[Arc<Outcome>], retry: &Retry, now: Time) -> Result<()> {
    let mut finished: BTreeMap<Lane, i64> = BTreeMap::new();
    let mut of_changes: BTreeMap<(Target, &str), i64> = BTreeMap::new();
    for outcome in outcomes {
        let attempts = outcome.attempts + i64::from(outcome.attempt.is_some());
        let status = outcome.attempt.as_ref().map_or(OFF, |attempt| attempt.status.as_str());
        match outcome.next(retry) {
            Next::Retried(next) => {
                tx.run(RETRIED, &[&outcome.id, &attempts, &status, &next.0])?;
                continue;
            }
            Next::Dropped => tx.run("DELETE FROM deliveries WHERE id = $1 AND state = 'waiting'", &[&outcome.id])?,
            end => {
                let state = if end == Next::Delivered { "delivered" } else { "dead" };
                tx.run(FINISHED, &[&outcome.id, &attempts, &status, &state, &now.0])?
            }
        };
        finished.insert(outcome.lane, outcome.id);
        if let Some(change) = &outcome.change {
            let first = of_changes.entry((outcome.lane.target, change)).or_insert(outcome.id);
            *first = outcome.id.min(*first);
        }
    }
    finished.into_iter().try_for_each(|(lane, id)| queue::release(tx, lane, id, now))?;
    of_changes.into_iter().try_for_each(|((target, change), id)| queue::release_change(tx, target, change, id, now))?;
    keep(tx, outcomes)?;
    let mut through: BTreeMap<Target, (bool, Time)> = BTreeMap::new();
    for outcome in outcomes {
        let Some(attempt) = &outcome.attempt else { continue };
        let (ok, at) = through.entry(outcome.lane.target).or_insert((false, outcome.at));
        *ok |= attempt.ok;
        *at = outcome.at.max(*at);
    }
    through.into_iter().try_for_each(|(target, (ok, at))| Channels::note(tx, target, ok, at))
}

/// The status of a delivery to a receiver that is switched off.
const OFF: &str = "the hook is switched off";

const RETRIED: &str =
    "UPDATE deliveries SET attempts = $2, last_status = $3, next_at = $4 WHERE id = $1 AND state = 'waiting'";

const FINISHED: &str = "
    UPDATE deliveries SET attempts = $2, last_status = $3, state = $4, finished_at = $5 WHERE id = $1 AND state = 'waiting'";

/// Stores the attempts for the log of the webhook.
fn keep(tx: &mut Tx, outcomes: &[Arc<Outcome>]) -> Result<()> {
    let made = outcomes.iter().filter_map(|outcome| outcome.attempt.as_ref().map(|attempt| (outcome, attempt)));
    let made: Vec<(&Arc<Outcome>, &Attempt)> = made.collect();
    let numbers = made.iter().map(|(_, attempt)| {
        let took = i64::try_from(attempt.duration.as_millis()).unwrap_or(i64::MAX);
        (took, i64::from(attempt.status_code))
    });
    let numbers: Vec<(i64, i64)> = numbers.collect();
    let rows = made.iter().zip(&numbers).map(|((outcome, attempt), (took, code))| -> [&dyn Bind; 12] {
        let Outcome { lane, id, event_id, redelivery, at, .. } = outcome.as_ref();
        let Attempt { status, ok, request_headers, response_headers, response_body, .. } = attempt;
        let (target, at) = (&lane.target.id, &at.0);
        [id, event_id, target, at, redelivery, took, ok, status, code, request_headers, response_headers, response_body]
    });
    let rows: Vec<[&dyn Bind; 12]> = rows.collect();
    KEEP.run(tx, &rows)
}

static KEEP: Bulk<12> = Bulk::new(
    "INSERT INTO delivery_attempts (delivery_id, event_id, target_id, at, redelivery, duration_ms, ok, status,
                                    status_code, request_headers, response_headers, response_body)
     VALUES {rows}",
);
