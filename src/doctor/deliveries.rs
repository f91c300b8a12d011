//! Deliveries: how far journals are read, and that all stored data is valid (decisions 44 and 45).

use super::{RESTORE, Report, Step};
use crate::clock::Time;
use crate::db::{Db, Tx};
use crate::deliver::{HOLDS_UP, guid, stored};
use crate::error::Result;

/// Checks the deliveries.
pub(super) async fn check(db: &Db, key: [u8; 32], report: &mut Report) -> Result<()> {
    super::walk(db, "Journals and their deliveries", cursors, report).await?;
    let events = move |tx: &mut Tx<'_>, step: &mut Step| events(tx, step, &key);
    super::walk(db, "Identifiers of events", events, report).await?;
    super::walk(db, "Waiting deliveries", waiting, report).await?;
    report.notes.extend(db.read(backlog).await?);
    Ok(())
}

/// No cursor is beyond the end of its journal or before its beginning.
fn cursors(tx: &mut Tx<'_>, step: &mut Step) -> Result<()> {
    let cursors: Vec<(i64, i64, i64, i64)> = tx.all(CURSORS, &[])?;
    step.rows = cursors.len();
    for (org, cursor, first, head) in cursors {
        if cursor > head {
            let what =
                format!("deliveries of organization {org} are at entry {cursor}, but its journal ends at {head}");
            step.found(what, RESTORE);
        } else if cursor + 1 < first {
            let (from, to) = (cursor + 1, first - 1);
            let what = format!("entries {from} to {to} of organization {org} were deleted before they were delivered");
            step.found(what, RESTORE);
        }
    }
    Ok(())
}

const CURSORS: &str = "
    SELECT c.org_id, c.entry, coalesce(h.first_entry, 1), coalesce(h.entry, 0)
    FROM delivery_cursors c LEFT JOIN journal_heads h ON h.org_id = c.org_id";

/// Each event has the right identifier.
fn events(tx: &mut Tx<'_>, step: &mut Step, key: &[u8; 32]) -> Result<()> {
    for (id, (org, entry, part, stored)) in step.rows::<(i64, i64, i64, String)>(tx, EVENTS)? {
        if stored != guid(key, org, entry, part)? {
            step.found(
                format!("event {id} of deliveries has an identifier that this service did not give it"),
                RESTORE,
            );
        }
    }
    Ok(())
}

const EVENTS: &str = "
    SELECT id, org_id, entry, part, guid FROM delivery_events WHERE id > $1 ORDER BY id LIMIT $2";

/// No delivery waits too long for the one before it.
fn waiting(tx: &mut Tx<'_>, step: &mut Step) -> Result<()> {
    for (id, (created_at, next_at, attempts)) in step.rows::<(Time, Time, i64)>(tx, WAITING)? {
        if attempts == 0 && next_at > created_at.plus_seconds(HOLDS_UP) {
            let what = format!("delivery {id} waits for the one before it for more than an hour");
            step.found(what, "run `guildhall deliveries retry` with its identifier");
        }
    }
    Ok(())
}

const WAITING: &str = "
    SELECT id, created_at, next_at, attempts FROM deliveries WHERE state = 'waiting' AND id > $1 ORDER BY id LIMIT $2";

/// Notes for the operator about deliveries that have not reached their receivers. They are no damage.
fn backlog(tx: &mut Tx<'_>) -> Result<Vec<String>> {
    let backlog = stored::backlog(tx)?;
    let mut notes = Vec::new();
    if let Some(oldest) = backlog.oldest {
        let waiting = match backlog.waiting {
            1 => "1 delivery waits".to_owned(),
            many => format!("{many} deliveries wait"),
        };
        notes.push(format!("{waiting}, the oldest since {oldest}"));
    }
    if backlog.dead > 0 {
        let dead = match backlog.dead {
            1 => "1 delivery was given up".to_owned(),
            many => format!("{many} deliveries were given up"),
        };
        notes.push(format!("{dead}; see `guildhall deliveries list`, then retry or drop"));
    }
    Ok(notes)
}
