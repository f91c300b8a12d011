//! Counts in windows of time, of which each begins with the first thing that it counts.
//!
//! The counts are stored in the database and are part of the transaction that counts, like those of `creation`: they hold on
//! all nodes, and a refused or failed request leaves no trace.

use crate::clock::Time;
use crate::db::Tx;
use crate::error::{Error, Result};

const SECOND: i64 = 1_000_000;

/// An hour.
pub(super) const HOUR: i64 = 60 * 60 * SECOND;

/// A day. No window is longer.
pub(super) const DAY: i64 = 24 * HOUR;

/// Windows: how long each lasts, and the most that it counts.
pub(super) type Windows = [(i64, i64)];

/// Deletes windows that are over.
pub(super) fn trim(tx: &mut Tx, now: Time) -> Result<()> {
    tx.run("DELETE FROM mail_counts WHERE ends <= $1", &[&now.0])?;
    // A clock that was set back must not keep a window for longer than a day.
    tx.run("DELETE FROM mail_counts WHERE ends > $1", &[&(now.0 + DAY)]).map(drop)
}

/// Counts once more what has this name, or refuses it. Windows that are over have been deleted.
pub(super) fn count(tx: &mut Tx, counted: &str, windows: &Windows, now: Time) -> Result<()> {
    for (lasts, most) in windows {
        if tx.run(COUNT, &[&counted, lasts, &(now.0 + lasts), most])? == 0 {
            refuse_full(tx, counted, windows, now)?;
        }
    }
    Ok(())
}

/// The table is named after e-mails, which were counted first.
const COUNT: &str = "
    INSERT INTO mail_counts (counted, lasts, ends, times) VALUES ($1, $2, $3, 1)
    ON CONFLICT (counted, lasts) DO UPDATE SET times = mail_counts.times + 1 WHERE mail_counts.times < $4";

/// Refuses what has this name while it cannot be counted once more.
pub(super) fn refuse_full(tx: &mut Tx, counted: &str, windows: &Windows, now: Time) -> Result<()> {
    for (lasts, most) in windows {
        if let Some(ends) = tx.maybe::<i64>(FULL, &[&counted, lasts, most])? {
            let seconds = (ends - now.0 + SECOND - 1) / SECOND;
            return Err(Error::Abuse { retry_after: u32::try_from(seconds).unwrap_or(1).max(1) });
        }
    }
    Ok(())
}

const FULL: &str = "SELECT ends FROM mail_counts WHERE counted = $1 AND lasts = $2 AND times >= $3";
