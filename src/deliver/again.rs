//! Sends a webhook again what it has already received: one delivery, or everything since a time or a delivery (decision
//! 44).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::queue::{self, New};
use super::{Kind, Lane, Target, log};
use crate::clock::Time;
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::hooks::HasHooks;
use crate::hooks::stored as hooks;
use crate::journal::Change;
use crate::operation::{Cx, Record};
use crate::policy::Granted;

/// The largest number of events in one replay.
const MOST: i64 = 5_000;

/// The request was accepted and will be carried out.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "queued")]
pub struct Queued {}

/// Redeliver a delivery of a webhook, with the same payload and the same ID of the event.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Redeliver {
    /// Id of the webhook.
    pub hook_id: i64,
    /// Id of the delivery.
    pub delivery_id: i64,
}

/// Sends an event again.
pub fn redeliver<S: HasHooks>(cx: &mut Cx, of: Granted<S>, p: Redeliver) -> Result<Record<Queued, 202>> {
    let hook = hooks::one(cx.tx, of.journal(), p.hook_id)?;
    let (event, guid) = log::event_of(cx.tx, hook.id, p.delivery_id)?;
    queue::again(cx.tx, event, hook.id, cx.now()?, cx.site.retry_seconds)?;
    let after = json!({ "hook_id": hook.id, "delivery": p.delivery_id, "guid": guid });
    cx.record(of.journal(), Change::new("hook.redeliver", &json!(null), &after))?;
    Ok(Queued {}.into())
}

/// The deliveries that a replay sends.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "replay")]
pub struct Replayed {
    /// Number of events that will be sent again.
    pub events: i64,
}

/// Replay what a webhook was sent since a time or a delivery: each event once more, in order, with the same payload and
/// the same ID. Events that still wait to be delivered are left out.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Replay {
    /// Id of the webhook.
    pub hook_id: i64,
    /// Only what was attempted at this time or later, such as `2026-01-31T12:00:00Z`. Required unless `since_delivery`
    /// is given.
    #[schemars(extend("x-function-validates" = true))]
    pub since: Option<String>,
    /// Only the delivery with this ID and those after it.
    pub since_delivery: Option<i64>,
}

/// Look up if a replay of what a webhook was sent since a delivery would send something.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Look {
    /// Id of the webhook.
    pub hook_id: i64,
    /// ID of the first delivery.
    pub since_delivery: i64,
}

/// The effect that a replay would have.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Replayable {
    /// True if it would send an event: not all of them wait to be delivered already.
    pub sends: bool,
}

/// Looks for an event that a replay would send.
pub fn look<S: HasHooks>(cx: &mut Cx, of: Granted<S>, p: Look) -> Result<Record<Replayable>> {
    let hook = hooks::one(cx.tx, of.journal(), p.hook_id)?;
    let sends = cx.tx.any(SINCE, &[&hook.id, &i64::MIN, &p.since_delivery, &1_i64])?;
    Ok(Replayable { sends }.into())
}

/// Sends everything again.
pub fn replay<S: HasHooks>(cx: &mut Cx, of: Granted<S>, p: Replay) -> Result<Record<Replayed, 202>> {
    let hook = hooks::one(cx.tx, of.journal(), p.hook_id)?;
    let since = Since { time: p.since.as_deref().map(read_time).transpose()?, delivery: p.since_delivery };
    if since.time.is_none() && since.delivery.is_none() {
        return Err(Error::Invalid(vec!["\"since\" or \"since_delivery\" wasn't supplied.".into()]));
    }
    let events = again(cx.tx, hook.id, since, cx.now()?, cx.site.retry_seconds)?;
    if events > 0 {
        record(cx, of.journal(), hook.id, since, events)?;
    }
    Ok(Replayed { events }.into())
}

/// Records that a webhook is sent events again.
pub fn record(cx: &mut Cx, org: i64, hook: i64, since: Since, events: i64) -> Result<()> {
    let Since { time, delivery } = since;
    let after = json!({ "hook_id": hook, "since": time, "since_delivery": delivery, "events": events });
    cx.record(org, Change::new("hook.replay", &json!(null), &after))
}

fn read_time(text: &str) -> Result<Time> {
    let message = "Use a time in UTC, such as 2026-01-31T12:00:00Z.";
    Time::read(text).ok_or_else(|| Error::explained("HookDelivery", "invalid", "since", message))
}

/// The start of a replay. Both conditions apply.
#[derive(Debug, Clone, Copy, Default)]
pub struct Since {
    /// Attempts at this time or later.
    pub time: Option<Time>,
    /// This attempt and later ones.
    pub delivery: Option<i64>,
}

/// Queues every event that a webhook was sent since then once more, each after the one before it of its team and of its
/// change. Returns their number; 422 if there are too many.
pub fn again(tx: &mut Tx, hook: i64, since: Since, now: Time, retry_seconds: i64) -> Result<i64> {
    let (at, id) = (since.time.map_or(i64::MIN, |time| time.0), since.delivery.unwrap_or(0));
    let events: Vec<(i64, i64, Option<String>)> = tx.all(SINCE, &[&hook, &at, &id, &(MOST + 1)])?;
    let count = i64::try_from(events.len()).unwrap_or(i64::MAX);
    if count > MOST {
        return Err(Error::sentence(format!("More than {MOST} events were sent since then. Choose a later time.")));
    }
    let target = Target { kind: Kind::Hook, id: hook };
    let new = events.iter().map(|(event, key, change)| {
        let lane = Lane { target, key: *key };
        New { lane, event: *event, team: None, change: change.as_deref() }
    });
    let new: Vec<New<'_>> = new.collect();
    queue::put(tx, &new, now, now.plus_seconds(retry_seconds), true)?;
    Ok(count)
}

/// Attempts of a webhook are found by its index. Events that are still waiting are not sent twice.
const SINCE: &str = "
    SELECT DISTINCT e.id, e.order_key, (SELECT max(c.change_id) FROM deliveries c WHERE c.event_id = e.id)
    FROM delivery_attempts a JOIN delivery_events e ON e.id = a.event_id
    WHERE a.target_id = $1 AND a.at >= $2 AND a.id >= $3 AND NOT EXISTS
        (SELECT 1 FROM deliveries d
         WHERE d.event_id = e.id AND d.kind = 'hook' AND d.target_id = $1 AND d.state = 'waiting')
    ORDER BY e.id LIMIT $4";
