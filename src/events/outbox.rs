//! The outbox: one row per event, in the transaction of the change.

use super::Event;
use crate::db::{Bind, Bulk};
use crate::error::{Error, Result};
use crate::operation::Cx;

/// Puts an event of an organization among what is to be told.
pub fn emit(cx: &mut Cx, org: i64, event: &Event) -> Result<()> {
    let facts = serde_json::to_string(event).map_err(|e| Error::Bug(e.to_string()))?;
    let actor = cx.caller.person.as_ref().map(|person| person.id);
    cx.tx.run(EMIT, &[&org, &cx.now.0, &cx.request_id, &actor, &event.name(), &facts])?;
    Ok(())
}

const EMIT: &str = "
    INSERT INTO outbox (org_id, at, request_id, actor_id, event, facts)
    VALUES ($1, $2, $3, $4, $5, $6)";

/// The same for many events at once.
pub fn emit_all(cx: &mut Cx, org: i64, events: &[Event]) -> Result<()> {
    let texts = events.iter().map(|event| serde_json::to_string(event).map(|facts| (event.name(), facts)));
    let texts: Vec<_> = texts.collect::<serde_json::Result<_>>().map_err(|e| Error::Bug(e.to_string()))?;
    let (at, request) = (cx.now.0, cx.request_id);
    let actor = cx.caller.person.as_ref().map(|person| person.id);
    let row = |(name, facts)| -> [&dyn Bind; 6] { [&org, &at, &request, &actor, name, facts] };
    let rows: Vec<_> = texts.iter().map(|(name, facts)| row((name, facts))).collect();
    EMIT_ALL.run(cx.tx, &rows)
}

static EMIT_ALL: Bulk<6> =
    Bulk::new("INSERT INTO outbox (org_id, at, request_id, actor_id, event, facts) VALUES {rows}");
