//! The positions up to which the journals have been read for deliveries. From the first start of a server, all journals
//! are followed: a new one from its first entry, and the others from the end that they had then. Implements decision
//! 45.

use super::EventEntry;
use crate::clock::Time;
use crate::db::{Tx, row, select};
use crate::error::Result;

row! {
    /// A position in a journal: all entries up to this one have been read, and this many parts of the next one.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Place from "c" {
        /// The last entry that was read completely.
        pub entry: i64,
        /// The number of parts of the next entry that were read.
        pub part: i64,
    }
}

row! {
    /// A followed journal that has entries after its cursor.
    #[derive(Debug, Clone, Copy)]
    pub struct Behind from "c" {
        /// The organization, or the site.
        pub org: i64 = "c.org_id",
        /// The cursor.
        pub cursor: Place = Place::COLUMNS,
        /// The newest entry.
        pub head: i64 = "h.entry",
    }
}

/// Follows every journal that is not followed yet, from its current end. From now on, each new organization is followed
/// from its first entry.
pub fn follow_all(tx: &mut Tx) -> Result<()> {
    if tx.any(FOLLOWS_ALL, &[])? {
        return Ok(());
    }
    tx.run(FOLLOW_ALL, &[]).map(drop)
}

const FOLLOWS_ALL: &str = "SELECT 1 FROM delivery_cursors WHERE org_id = 0";

const FOLLOW_ALL: &str = "
    INSERT INTO delivery_cursors (org_id, entry, part)
    SELECT org_id, entry, 0 FROM journal_heads WHERE 1 = 1
    ON CONFLICT (org_id) DO NOTHING";

/// Follows a journal that was just created, if the site's is followed.
pub(super) fn follow_new(tx: &mut Tx, org: i64) -> Result<()> {
    tx.run(FOLLOW_NEW, &[&org]).map(drop)
}

const FOLLOW_NEW: &str = "
    INSERT INTO delivery_cursors (org_id, entry, part)
    SELECT CAST($1 AS BIGINT), 0, 0 FROM delivery_cursors WHERE org_id = 0";

/// True if any journal is followed.
pub fn any(tx: &mut Tx) -> Result<bool> {
    tx.any("SELECT 1 FROM delivery_cursors LIMIT 1", &[])
}

/// The followed journals that have entries after their cursors.
pub fn behind(tx: &mut Tx) -> Result<Vec<Behind>> {
    tx.all(BEHIND, &[])
}

const BEHIND: &str = select!(Behind from
    "delivery_cursors c JOIN journal_heads h ON h.org_id = c.org_id AND h.entry > c.entry
     ORDER BY c.org_id");

/// The next entries with events after this one, in order.
pub fn events(tx: &mut Tx, org: i64, after: i64, through: i64, limit: i64) -> Result<Vec<EventEntry>> {
    tx.all(EVENTS, &[&org, &after, &through, &limit])
}

const EVENTS: &str = select!(EventEntry from
    "journal_facts f JOIN journal j ON j.org_id = f.org_id AND j.entry = f.entry
     WHERE f.org_id = $1 AND f.entry > $2 AND f.entry <= $3
     ORDER BY f.entry LIMIT $4");

/// Moves a cursor from one position to another. Returns false if another node has moved it from the first one.
pub fn advance(tx: &mut Tx, org: i64, from: Place, to: Place) -> Result<bool> {
    let moved = tx.run(ADVANCE, &[&org, &from.entry, &from.part, &to.entry, &to.part])?;
    Ok(moved > 0)
}

const ADVANCE: &str = "
    UPDATE delivery_cursors SET entry = $4, part = $5 WHERE org_id = $1 AND entry = $2 AND part = $3";

/// The time of the oldest unread entry in these journals, given these positions.
pub fn oldest(tx: &mut Tx, places: &[(i64, i64)]) -> Result<Option<Time>> {
    let mut oldest = None;
    for (org, entry) in places {
        let at: Option<(i64,)> = tx.maybe(AT, &[org, &(entry + 1)])?;
        oldest = oldest.into_iter().chain(at.map(|(at,)| Time(at))).min();
    }
    Ok(oldest)
}

const AT: &str = "SELECT at FROM journal WHERE org_id = $1 AND entry = $2";

/// The last entry of a journal that may be trimmed. Unread entries with events are still needed. The cursor of a quiet
/// organization stays where it is, because moving it would be a write, but that keeps nothing.
pub(super) fn read_through(tx: &mut Tx, org: i64) -> Result<i64> {
    let first: Option<(i64,)> = tx.maybe(FIRST_UNREAD, &[&org])?;
    Ok(first.map_or(i64::MAX, |(entry,)| entry - 1))
}

const FIRST_UNREAD: &str = "
    SELECT f.entry
    FROM delivery_cursors c JOIN journal_facts f ON f.org_id = c.org_id AND f.entry > c.entry
    WHERE c.org_id = $1 ORDER BY f.entry LIMIT 1";

/// Moves the cursor of a journal past what was trimmed.
pub(super) fn pass(tx: &mut Tx, org: i64, trimmed: i64) -> Result<()> {
    tx.run(PASS, &[&org, &trimmed]).map(drop)
}

const PASS: &str = "UPDATE delivery_cursors SET entry = $2, part = 0 WHERE org_id = $1 AND entry < $2";
