//! The rows of deliveries: adds them to the queue, removes them, and releases the next one of a lane.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::stored::State;
use super::{HOLDS_UP, Kind, Lane, Target, lease};
use crate::clock::Time;
use crate::db::{Bind, Bulk, Tx, row, select};
use crate::error::{Error, Result};

/// A delivery to be queued.
#[derive(Debug, Clone, Copy)]
pub(super) struct New<'a> {
    pub lane: Lane,
    pub event: i64,
    /// The change whose events the receiver gets in order.
    pub change: Option<&'a str>,
    /// The team of the post, if this is an e-mail about one.
    pub team: Option<i64>,
}

/// Queues deliveries, in this order. Each waits for the one before it in its lane, and for the one before it of its
/// change.
pub(super) fn put(tx: &mut Tx, new: &[New<'_>], now: Time, expires: Time, redelivery: bool) -> Result<()> {
    // The time when the next delivery of each lane no longer waits for the one before.
    let mut free = BTreeMap::new();
    let mut changes = Changes::default();
    let mut at = Vec::with_capacity(new.len());
    let blocked = now.plus_seconds(HOLDS_UP).0;
    for New { lane, change, .. } in new {
        let next = match free.get(lane) {
            Some(next) => *next,
            None => free_at(tx, *lane)?.unwrap_or(now.0),
        };
        let follows = change.map_or(Ok(false), |change| changes.follows(tx, *lane, change))?;
        at.push(if follows { blocked } else { next });
        free.insert(*lane, blocked);
    }
    let words: Vec<&str> = new.iter().map(|new| new.lane.target.kind.word()).collect();
    let rows = new.iter().zip(&words).zip(&at);
    let rows: Vec<[&dyn Bind; 12]> = rows
        .map(|((New { lane, event, team, change }, word), next)| -> [&dyn Bind; 12] {
            let (Target { id, .. }, now, expires) = (&lane.target, &now.0, &expires.0);
            [event, word, id, &lane.key, &"waiting", &0_i64, next, now, expires, &redelivery, team, change]
        })
        .collect();
    PUT.run(tx, &rows)
}

static PUT: Bulk<12> = Bulk::new(
    "INSERT INTO deliveries (event_id, kind, target_id, order_key, state, attempts, next_at, created_at, expires_at,
                             redelivery, team_id, change_id)
     VALUES {rows}",
);

/// The time when the last waiting delivery of a lane no longer blocks the next one; none if no delivery waits.
fn free_at(tx: &mut Tx, lane: Lane) -> Result<Option<i64>> {
    let last: Option<(i64,)> = tx.maybe(LAST, &[&lane.target.kind.word(), &lane.target.id, &lane.key])?;
    Ok(last.map(|(created_at,)| Time(created_at).plus_seconds(HOLDS_UP).0))
}

const LAST: &str = "
    SELECT created_at FROM deliveries
    WHERE state = 'waiting' AND kind = $1 AND target_id = $2 AND order_key = $3
    ORDER BY id DESC LIMIT 1";

/// The lanes with waiting deliveries of each change.
#[derive(Default)]
struct Changes<'a>(BTreeMap<(Target, &'a str), BTreeSet<i64>>);

impl<'a> Changes<'a> {
    /// True if a delivery of this change already waits in another lane of the receiver. Adds one in this lane.
    fn follows(&mut self, tx: &mut Tx, lane: Lane, change: &'a str) -> Result<bool> {
        let keys = match self.0.entry((lane.target, change)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                // The change may have begun in an earlier step.
                let keys: Vec<(i64,)> = tx.all(KEYS, &[&lane.target.kind.word(), &lane.target.id, &change])?;
                new.insert(keys.into_iter().map(|(key,)| key).collect())
            }
        };
        let follows = keys.iter().any(|key| *key != lane.key);
        keys.insert(lane.key);
        Ok(follows)
    }
}

const KEYS: &str = "
    SELECT DISTINCT order_key FROM deliveries
    WHERE state = 'waiting' AND kind = $1 AND target_id = $2 AND change_id = $3";

/// Releases the delivery after this one in its lane, because this one is finished.
pub(super) fn release(tx: &mut Tx, lane: Lane, finished: i64, now: Time) -> Result<()> {
    let Lane { target: Target { kind, id }, key } = lane;
    tx.run(RELEASE, &[&kind.word(), &id, &key, &finished, &now.0, &blocking_since(now)]).map(drop)
}

/// Releases the delivery after this one of its change.
pub(super) fn release_change(tx: &mut Tx, target: Target, change: &str, finished: i64, now: Time) -> Result<()> {
    let Target { kind, id } = target;
    tx.run(RELEASE_CHANGE, &[&kind.word(), &id, &change, &finished, &now.0, &blocking_since(now)]).map(drop)
}

/// A delivery that was queued earlier blocks no other.
fn blocking_since(now: Time) -> i64 {
    now.plus_seconds(-HOLDS_UP).0
}

/// Releases the next delivery with the same value in this column, unless one before it blocks it: in its lane, or of its
/// change.
macro_rules! release {
    ($column:literal) => {
        concat!(
            "UPDATE deliveries SET next_at = $5
             WHERE attempts = 0 AND next_at > $5 AND id =
                 (SELECT min(d.id) FROM deliveries d
                  WHERE d.state = 'waiting' AND d.kind = $1 AND d.target_id = $2 AND d.",
            $column,
            " = $3 AND d.id > $4)
             AND NOT EXISTS
                 (SELECT 1 FROM deliveries p
                  WHERE p.state = 'waiting' AND p.kind = $1 AND p.target_id = $2
                    AND p.order_key = deliveries.order_key AND p.id < deliveries.id AND p.created_at > $6)
             AND NOT EXISTS
                 (SELECT 1 FROM deliveries p
                  WHERE p.state = 'waiting' AND p.kind = $1 AND p.target_id = $2
                    AND p.change_id = deliveries.change_id AND p.id < deliveries.id AND p.created_at > $6)"
        )
    };
}

const RELEASE: &str = release!("order_key");
const RELEASE_CHANGE: &str = release!("change_id");

row! {
    /// A delivery that is due.
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Due from "d" {
        pub id: i64,
        pub key: i64 = "d.order_key",
        pub attempts: i64,
    }
}

/// The largest number of due deliveries of a receiver that are read at once.
const DUE_AT_ONCE: i64 = 256;

/// The due deliveries of a receiver. Those that have been due longest come first.
pub(super) fn due(tx: &mut Tx, target: Target, now: Time) -> Result<Vec<Due>> {
    tx.all(DUE, &[&target.kind.word(), &target.id, &now.0, &DUE_AT_ONCE])
}

const DUE: &str = select!(Due from
    "deliveries d
     WHERE d.state = 'waiting' AND d.kind = $1 AND d.target_id = $2 AND d.next_at <= $3
     ORDER BY d.next_at LIMIT $4");

/// The receivers with a delivery that is due.
pub(super) fn targets(tx: &mut Tx, now: Time) -> Result<Vec<Target>> {
    let mut targets = Vec::new();
    for kind in Kind::ALL {
        let due: Vec<(i64,)> = tx.all(TARGETS, &[&kind.word(), &now.0])?;
        targets.extend(due.into_iter().map(|(id,)| Target { kind, id }));
    }
    Ok(targets)
}

/// Goes from receiver to receiver by the index: a list of all waiting deliveries would be read to its end.
const TARGETS: &str = "
    WITH RECURSIVE targets (id) AS (
        SELECT (SELECT min(first.target_id) FROM deliveries first WHERE first.state = 'waiting' AND first.kind = $1)
        UNION ALL
        SELECT (SELECT min(next.target_id) FROM deliveries next
                WHERE next.state = 'waiting' AND next.kind = $1 AND next.target_id > t.id)
        FROM targets t WHERE t.id IS NOT NULL
    )
    SELECT t.id FROM targets t
    WHERE t.id IS NOT NULL AND EXISTS
        (SELECT 1 FROM deliveries d
         WHERE d.state = 'waiting' AND d.kind = $1 AND d.target_id = t.id AND d.next_at <= $2)";

row! {
    /// A delivery as it is sent.
    #[derive(Debug)]
    pub(super) struct Item from "d" {
        pub id: i64,
        pub event_id: i64,
        pub attempts: i64,
        pub expires_at: i64,
        pub redelivery: bool,
        pub guid: String = "e.guid",
        pub event: String = "e.event",
        pub payload: String = "e.payload",
        pub change: Option<String> = "d.change_id",
        /// True if it waits for a delivery of its change in another lane.
        pub is_blocked: bool = "
            EXISTS (SELECT 1 FROM deliveries p
                    WHERE p.state = 'waiting' AND p.kind = $1 AND p.target_id = $2 AND p.change_id = d.change_id
                      AND p.id < d.id AND p.order_key <> d.order_key AND p.created_at > $6)",
    }
}

/// The waiting deliveries of a lane from this one on, in order.
pub(super) fn items(tx: &mut Tx, lane: Lane, from: i64, limit: i64, now: Time) -> Result<Vec<Item>> {
    let Lane { target: Target { kind, id }, key } = lane;
    tx.all(ITEMS, &[&kind.word(), &id, &key, &from, &limit, &blocking_since(now)])
}

const ITEMS: &str = select!(Item from
    "deliveries d JOIN delivery_events e ON e.id = d.event_id
     WHERE d.state = 'waiting' AND d.kind = $1 AND d.target_id = $2 AND d.order_key = $3 AND d.id >= $4
     ORDER BY d.id LIMIT $5");

/// The number of deliveries to a deleted receiver that are dropped in one step.
const DROPPED_AT_ONCE: i64 = 500;

/// Drops waiting deliveries to a receiver that is deleted or switched off.
pub(super) fn forget(tx: &mut Tx, target: Target) -> Result<u64> {
    tx.run(FORGET, &[&target.kind.word(), &target.id, &DROPPED_AT_ONCE])
}

const FORGET: &str = "
    DELETE FROM deliveries WHERE id IN
        (SELECT id FROM deliveries WHERE state = 'waiting' AND kind = $1 AND target_id = $2 ORDER BY next_at LIMIT $3)";

/// Sends an event to a webhook again, independently of its waiting deliveries.
pub fn again(tx: &mut Tx, event: i64, hook: i64, now: Time, retry_seconds: i64) -> Result<()> {
    let target = Target { kind: Kind::Hook, id: hook };
    // No team has a negative ID.
    let lane = Lane { target, key: -event };
    put(tx, &[New { lane, event, team: None, change: None }], now, now.plus_seconds(retry_seconds), true)
}

row! {
    /// A waiting or dead delivery, with what is needed to retry or drop it.
    struct Held from "d" {
        lane: Lane = "d.kind, d.target_id, d.order_key" => lane,
        change: Option<String> = "d.change_id",
        waiting: bool = "d.state = 'waiting'",
    }
}

fn lane((word, id, key): (String, i64, i64)) -> Result<Lane> {
    let kind = Kind::of(&word).ok_or_else(|| Error::Bug(format!("deliveries have the unknown kind {word}")))?;
    Ok(Lane { target: Target { kind, id }, key })
}

const HELD: &str = select!(Held from "deliveries d WHERE d.id = $1 AND d.state IN ('waiting', 'dead')");

/// Makes a dead delivery, or also one in the other state, due at once, with the retries of a new one. Returns whether there
/// is one.
pub(super) fn retry(tx: &mut Tx, id: i64, or: State, now: Time, retry_seconds: i64) -> Result<bool> {
    let retried = tx.run(RETRY, &[&id, &now.0, &now.plus_seconds(retry_seconds).0, &or.word()])?;
    Ok(retried > 0)
}

const RETRY: &str = "
    UPDATE deliveries SET state = 'waiting', attempts = 0, next_at = $2, expires_at = $3, finished_at = NULL
    WHERE id = $1 AND (state = 'dead' OR state = $4)";

/// Removes a waiting or dead delivery. Returns whether there was one.
pub(super) fn drop_one(tx: &mut Tx, id: i64, now: Time) -> Result<bool> {
    let Some(held) = tx.maybe::<Held>(HELD, &[&id])? else { return Ok(false) };
    tx.run("DELETE FROM deliveries WHERE id = $1", &[&id])?;
    if held.waiting {
        lease::lock(tx, held.lane.target)?;
        release(tx, held.lane, id, now)?;
        held.change.map_or(Ok(()), |change| release_change(tx, held.lane.target, &change, id, now))?;
    }
    Ok(true)
}
