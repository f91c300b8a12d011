//! The first and the last entries of a journal, and those of a time, for reading it as the audit log.

use crate::clock::Time;
use crate::db::{Tx, row, select};
use crate::error::Result;

row! {
    /// The head of a journal: the range of its entries, and the hash of the newest.
    #[derive(Debug)]
    pub struct Head from "h" {
        /// The oldest entry that has not been deleted.
        pub first: i64 = "h.first_entry",
        /// The newest entry; one less than the oldest if there is none.
        pub entry: i64,
        /// The hash of the newest entry.
        pub hash: Vec<u8> => Option::<Vec<u8>>::unwrap_or_default,
    }
}

/// The head of a journal.
pub fn head(tx: &mut Tx, org: i64) -> Result<Head> {
    tx.one(HEAD, &[&org])
}

const HEAD: &str = select!(Head from "journal_heads h WHERE h.org_id = $1");

/// Notes that the clock was set back: from now on, the times of entries are no longer in the order of the entries.
pub fn note_reset(tx: &mut Tx) -> Result<()> {
    tx.run(NOTE_RESET, &[]).map(drop)
}

const NOTE_RESET: &str =
    "INSERT INTO site (name, value) VALUES ('clock_was_reset', 'yes') ON CONFLICT (name) DO NOTHING";

/// True if entries are in the order of their times, except for differences between the clocks of several nodes.
pub fn is_in_order(tx: &mut Tx) -> Result<bool> {
    let reset: Option<(String,)> = tx.maybe("SELECT value FROM site WHERE name = 'clock_was_reset'", &[])?;
    Ok(reset.is_none())
}

/// The position in a part of a journal before which entries are older than this time, if they are in order. A binary
/// search.
pub fn before(tx: &mut Tx, (mut after, mut through): (i64, i64), org: i64, time: Time) -> Result<i64> {
    while after < through {
        // An entry between the two, or the later of the two middle ones.
        let middle = through - (through - after) / 2;
        let at: Option<(i64,)> = tx.maybe(AT, &[&org, &middle])?;
        if at.is_some_and(|(at,)| at < time.0) {
            after = middle;
        } else {
            through = middle - 1;
        }
    }
    Ok(after)
}

const AT: &str = "SELECT at FROM journal WHERE org_id = $1 AND entry = $2";
