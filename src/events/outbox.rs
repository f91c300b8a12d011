//! The outbox: one row per event, in the transaction of the change.

use super::Event;
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
