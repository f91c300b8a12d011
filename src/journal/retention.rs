//! Retention: old entries and facts are trimmed in steps. The head keeps the number of trimmed entries and the hash of
//! the last one, sealed with the key. What deliveries have not read yet is kept. Implements decision 47.

use super::{chain, cursors, heads};
use crate::clock::Time;
use crate::db::{Lock, Tx};
use crate::error::Result;

/// The number of entries that one step looks at, so that no write waits for long.
const STEP: i64 = 500;

/// The times before which nothing is kept.
#[derive(Debug, Clone, Copy)]
pub struct Cutoff {
    /// For entries.
    pub entries: Time,
    /// For the facts of events.
    pub facts: Time,
}

impl Cutoff {
    /// The cutoff for these numbers of days.
    #[must_use]
    pub fn of_days(now: Time, entries: u32, facts: u32) -> Self {
        let before = |days: u32| now.plus_seconds(-i64::from(days) * 24 * 60 * 60);
        Self { entries: before(entries), facts: before(facts) }
    }
}

/// The next journal after this one.
pub fn next(tx: &mut Tx, after: i64) -> Result<Option<i64>> {
    let next: Option<(i64,)> = tx.maybe(NEXT, &[&after])?;
    Ok(next.map(|(org,)| org))
}

const NEXT: &str = "SELECT org_id FROM journal_heads WHERE org_id > $1 ORDER BY org_id LIMIT 1";

/// True if there is anything to trim in a journal.
pub fn is_due(tx: &mut Tx, org: i64, cutoff: Cutoff) -> Result<bool> {
    Ok(facts_due(tx, org, cutoff)?.is_some() || entries_due(tx, org, cutoff)?.is_some())
}

/// Trims a journal by one step.
pub fn trim(tx: &mut Tx, key: &[u8; 32], org: i64, cutoff: Cutoff) -> Result<()> {
    heads::lock(tx, &[Lock::Journal(org)])?;
    let entries = entries_due(tx, org, cutoff)?;
    let facts = facts_due(tx, org, cutoff)?;
    if let Some(last) = facts.max(entries.as_ref().map(|(last, _)| *last)) {
        tx.run("DELETE FROM journal_facts WHERE org_id = $1 AND entry <= $2", &[&org, &last])?;
    }
    let Some((last, mut hash)) = entries else { return Ok(()) };
    let seal = chain::of_trimmed(key, org, last, &hash)?;
    hash.extend(seal);
    tx.run("DELETE FROM journal WHERE org_id = $1 AND entry <= $2", &[&org, &last])?;
    tx.run(SEAL, &[&org, &(last + 1), &last, &hash])?;
    cursors::pass(tx, org, last)
}

const SEAL: &str = "
    UPDATE journal_heads SET first_entry = $2, trimmed = $3, trimmed_hash = $4 WHERE org_id = $1";

fn facts_due(tx: &mut Tx, org: i64, cutoff: Cutoff) -> Result<Option<i64>> {
    let through = cursors::read_through(tx, org)?;
    let last: Option<(i64,)> = tx.maybe(FACTS_DUE, &[&org, &STEP, &cutoff.facts.0, &through])?;
    Ok(last.map(|(entry,)| entry))
}

const FACTS_DUE: &str = "
    SELECT x.entry FROM (
        SELECT f.entry, j.at FROM journal_facts f JOIN journal j ON j.org_id = f.org_id AND j.entry = f.entry
        WHERE f.org_id = $1 AND f.entry <= $4 ORDER BY f.entry LIMIT $2
    ) x
    WHERE x.at < $3 ORDER BY x.entry DESC LIMIT 1";

fn entries_due(tx: &mut Tx, org: i64, cutoff: Cutoff) -> Result<Option<(i64, Vec<u8>)>> {
    let through = cursors::read_through(tx, org)?;
    tx.maybe(ENTRIES_DUE, &[&org, &STEP, &cutoff.entries.0, &through])
}

/// The newest entry stays, because the clock is checked against it.
const ENTRIES_DUE: &str = "
    SELECT x.entry, x.hash FROM (
        SELECT j.entry, j.at, j.hash FROM journal_heads h JOIN journal j ON j.org_id = h.org_id AND j.entry < h.entry
        WHERE h.org_id = $1 AND j.entry <= $4 ORDER BY j.entry LIMIT $2
    ) x
    WHERE x.at < $3 ORDER BY x.entry DESC LIMIT 1";
