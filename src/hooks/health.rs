//! The health of a webhook. A webhook that no delivery has reached for three days is switched off (decision 44), and a
//! deleted webhook is removed once it has been notified of that.

use serde_json::json;

use super::stored::{self, Hook};
use crate::clock::Time;
use crate::db::{Lock, Tx};
use crate::error::Result;
use crate::journal::{self, Author, Change, Event};

/// The time for which deliveries may fail before a webhook is switched off, in seconds.
const TOLERATED: i64 = 3 * 24 * 60 * 60;

/// Records that a delivery reached a webhook, or since when none has.
pub fn note_outcome(tx: &mut Tx, id: i64, ok: bool, now: Time) -> Result<()> {
    if ok {
        tx.run("UPDATE hooks SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL", &[&id])?;
    } else {
        tx.run("UPDATE hooks SET failing_since = $2 WHERE id = $1 AND failing_since IS NULL", &[&id, &now.0])?;
    }
    Ok(())
}

/// Switches off the webhooks that no delivery has reached for three days, and records that. Returns these webhooks.
pub fn switch_off_failing(tx: &mut Tx, author: &Author<'_>) -> Result<Vec<Hook>> {
    let since = author.at.plus_seconds(-TOLERATED);
    let failing: Vec<(i64, i64)> = tx.all(FAILING, &[&since.0])?;
    let journals: Vec<Lock> = failing.iter().map(|(org, _)| Lock::Journal(*org)).collect();
    journal::lock(tx, &journals)?;
    let mut switched_off = Vec::new();
    for (org, id) in failing {
        if tx.run(SWITCH_OFF, &[&id, &since.0, &author.at.0])? == 0 {
            continue;
        }
        let (before, after) = (json!({ "hook_id": id, "active": true }), json!({ "hook_id": id, "active": false }));
        let change = Change::new("hook.active_changed", &before, &after);
        author.record(tx, org, change.with_event(&Event::HookSwitchedOff { hook: id }).of_hooks())?;
        switched_off.extend(stored::by_id(tx, id)?);
    }
    Ok(switched_off)
}

const FAILING: &str = "
    SELECT org_id, id FROM hooks WHERE active = TRUE AND deleted_at IS NULL AND failing_since <= $1 ORDER BY org_id, id";

const SWITCH_OFF: &str = "
    UPDATE hooks
    SET active = FALSE, failing_since = NULL, updated_at = CASE WHEN updated_at > $3 THEN updated_at ELSE $3 END
    WHERE id = $1 AND active = TRUE AND failing_since <= $2";

/// Removes the webhooks that were deleted before this time, alone or with their organization, and their secrets.
pub fn purge(tx: &mut Tx, before: Time) -> Result<()> {
    tx.run(PURGE, &[&before.0]).map(drop)
}

const PURGE: &str = "
    DELETE FROM hooks WHERE deleted_at < $1 OR org_id IN (SELECT id FROM deleted_orgs WHERE deleted_at < $1)";
