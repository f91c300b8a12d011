//! Deliveries: how far journals are read, and that all stored data is valid (decisions 44 and 45).

use super::{Finding, RESTORE, Report, STEP};
use crate::clock::Time;
use crate::db::{Db, Tx};
use crate::deliver::{HOLDS_UP, guid, stored};
use crate::error::Result;

/// Checks the deliveries.
pub(super) async fn check(db: &Db, key: [u8; 32], report: &mut Report) -> Result<()> {
    let (findings, rows) = db.read(cursors).await?;
    report.add(findings, rows);
    let (mut findings, mut rows, mut after) = (Vec::new(), 0, 0);
    loop {
        let step = db.read(move |tx| events(tx, after, &key)).await?;
        rows += step.rows;
        findings.extend(step.findings);
        let Some(next) = step.next else { break };
        after = next;
    }
    report.add(findings, rows);
    super::walk(db, waiting, report).await?;
    report.notes.extend(db.read(backlog).await?);
    Ok(())
}

/// Checks that no cursor is beyond the end of its journal or before its beginning. Returns also the number of cursors.
fn cursors(tx: &mut Tx<'_>) -> Result<(Vec<Finding>, usize)> {
    let cursors: Vec<(i64, i64, i64, i64)> = tx.all(CURSORS, &[])?;
    let wrong = |(org, cursor, first, head): &(i64, i64, i64, i64)| {
        let what = if cursor > head {
            format!("deliveries of organization {org} are at entry {cursor}, but its journal ends at {head}")
        } else if cursor + 1 < *first {
            format!(
                "entries {} to {} of organization {org} were deleted before they were delivered",
                cursor + 1,
                first - 1
            )
        } else {
            return None;
        };
        Some(Finding::new(what, RESTORE))
    };
    Ok((cursors.iter().filter_map(wrong).collect(), cursors.len()))
}

const CURSORS: &str = "
    SELECT c.org_id, c.entry, coalesce(h.first_entry, 1), coalesce(h.entry, 0)
    FROM delivery_cursors c LEFT JOIN journal_heads h ON h.org_id = c.org_id";

/// Checks that each event has the right identifier.
fn events(tx: &mut Tx<'_>, after: i64, key: &[u8; 32]) -> Result<super::Step> {
    let rows: Vec<(i64, i64, i64, i64, String)> = tx.all(EVENTS, &[&after, &STEP])?;
    let mut findings = Vec::new();
    for (id, org, entry, part, stored) in &rows {
        if *stored != guid(key, *org, *entry, *part)? {
            let what = format!("event {id} of deliveries has an identifier that this service did not give it");
            findings.push(Finding::new(what, RESTORE));
        }
    }
    Ok(super::Step::new(findings, rows.iter().map(|row| row.0)))
}

const EVENTS: &str = "
    SELECT id, org_id, entry, part, guid FROM delivery_events WHERE id > $1 ORDER BY id LIMIT $2";

/// Checks that no delivery waits too long for the one before it.
fn waiting(tx: &mut Tx<'_>, after: i64) -> Result<super::Step> {
    let rows: Vec<(i64, i64, i64, i64)> = tx.all(WAITING, &[&after, &STEP])?;
    let stuck = rows.iter().filter(|(_, created_at, next_at, attempts)| {
        *attempts == 0 && *next_at > Time(*created_at).plus_seconds(HOLDS_UP).0
    });
    let finding = |(id, ..): &(i64, i64, i64, i64)| {
        let what = format!("delivery {id} waits for the one before it for more than an hour");
        Finding::new(what, "run `guildhall deliveries retry` with its identifier")
    };
    Ok(super::Step::new(stuck.map(finding).collect(), rows.iter().map(|row| row.0)))
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
