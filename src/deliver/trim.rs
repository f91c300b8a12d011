//! Retention of deliveries (decision 47): delivered and dead deliveries are deleted after a while, in steps.

use crate::clock::Time;
use crate::db::{Db, Tx};
use crate::error::Result;

/// The number of rows that a step reads, so that no write waits for long.
const STEP: i64 = 500;

/// The times before which rows are deleted. Waiting deliveries are never deleted.
#[derive(Debug, Clone, Copy)]
pub struct Cutoff {
    /// For events, their deliveries, and attempts.
    pub delivered: Time,
    /// For deliveries that were given up, and their events.
    pub dead: Time,
}

impl Cutoff {
    /// The cutoff for these numbers of days.
    #[must_use]
    pub fn of_days(now: Time, delivered: u32, dead: u32) -> Self {
        let before = |days: u32| now.plus_seconds(-i64::from(days) * 24 * 60 * 60);
        Self { delivered: before(delivered), dead: before(dead) }
    }
}

/// One of the tables: how a step finds its last row, and how it deletes rows.
struct Walk {
    last: &'static str,
    delete: fn(&mut Tx<'_>, i64, i64, Cutoff) -> Result<()>,
}

/// Events are deleted after the deliveries that they belong to.
const WALKS: [Walk; 3] = [
    Walk { last: LAST_DELIVERY, delete: deliveries },
    Walk { last: LAST_EVENT, delete: events },
    Walk { last: LAST_ATTEMPT, delete: attempts },
];

/// Deletes everything that is too old.
pub async fn trim(db: &Db, cutoff: Cutoff) -> Result<()> {
    let newest = cutoff.delivered.max(cutoff.dead);
    for Walk { last, delete } in WALKS {
        let mut after = 0;
        loop {
            let next = db.read(move |tx| tx.one::<(Option<i64>,)>(last, &[&after, &STEP, &newest.0])).await?;
            let Some(through) = next.0 else { break };
            db.write(move |tx| delete(tx, after, through, cutoff)).await?;
            after = through;
        }
    }
    // A receiver that got nothing for so long does not need the same node again.
    db.write(move |tx| tx.run("DELETE FROM delivery_leases WHERE until < $1", &[&cutoff.delivered.0]).map(drop)).await
}

const LAST_DELIVERY: &str = "
    SELECT max(x.id) FROM (SELECT id, created_at FROM deliveries WHERE id > $1 ORDER BY id LIMIT $2) x
    WHERE x.created_at < $3";
const LAST_EVENT: &str = "
    SELECT max(x.id) FROM (SELECT id, created_at FROM delivery_events WHERE id > $1 ORDER BY id LIMIT $2) x
    WHERE x.created_at < $3";
const LAST_ATTEMPT: &str = "
    SELECT max(x.id) FROM (SELECT id, at FROM delivery_attempts WHERE id > $1 ORDER BY id LIMIT $2) x
    WHERE x.at < $3";

fn deliveries(tx: &mut Tx, after: i64, through: i64, cutoff: Cutoff) -> Result<()> {
    tx.run(DELIVERIES, &[&after, &through, &cutoff.delivered.0, &cutoff.dead.0]).map(drop)
}

const DELIVERIES: &str = "
    DELETE FROM deliveries
    WHERE id > $1 AND id <= $2
      AND (state = 'delivered' AND finished_at < $3 OR state = 'dead' AND finished_at < $4)";

fn events(tx: &mut Tx, after: i64, through: i64, cutoff: Cutoff) -> Result<()> {
    tx.run(EVENTS, &[&after, &through, &cutoff.delivered.0]).map(drop)
}

const EVENTS: &str = "
    DELETE FROM delivery_events
    WHERE id > $1 AND id <= $2 AND created_at < $3
      AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event_id = delivery_events.id)";

fn attempts(tx: &mut Tx, after: i64, through: i64, cutoff: Cutoff) -> Result<()> {
    tx.run(
        "DELETE FROM delivery_attempts WHERE id > $1 AND id <= $2 AND at < $3",
        &[&after, &through, &cutoff.delivered.0],
    )
    .map(drop)
}
