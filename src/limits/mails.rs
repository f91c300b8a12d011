//! The limits of e-mails with a link: to one e-mail address, by all people together, and by one person (decision 72).
//!
//! The counts are stored in the database and are part of the transaction that asks, like those of `creation`. An address
//! is counted as its keyed hash, and alike whether an account has it or not.

use crate::clock::Time;
use crate::db::Tx;
use crate::error::{Error, Result};

const SECOND: i64 = 1_000_000;
const HOUR: i64 = 60 * 60 * SECOND;
const DAY: i64 = 24 * HOUR;

/// The e-mails to one address in an hour and in a day.
const TO_ADDRESS: [(i64, i64); 2] = [(HOUR, 5), (DAY, 20)];

/// The e-mails that one person asks for in a day.
const BY_PERSON: [(i64, i64); 1] = [(DAY, 20)];

/// Counts an e-mail to the address with this hash that is asked for by, or for, this person; or refuses it.
pub fn count(tx: &mut Tx, address: &str, person: i64, now: Time) -> Result<()> {
    tx.run("DELETE FROM mail_counts WHERE ends <= $1", &[&now.0])?;
    // A clock that was set back must not lock an address out for longer than a day.
    tx.run("DELETE FROM mail_counts WHERE ends > $1", &[&(now.0 + DAY)])?;
    take(tx, address, &TO_ADDRESS, now)?;
    take(tx, &format!("person {person}"), &BY_PERSON, now)
}

fn take(tx: &mut Tx, counted: &str, windows: &[(i64, i64)], now: Time) -> Result<()> {
    for (lasts, most) in windows {
        if tx.run(TAKE, &[&counted, lasts, &(now.0 + lasts), most])? == 0 {
            let ends: i64 =
                tx.one("SELECT ends FROM mail_counts WHERE counted = $1 AND lasts = $2", &[&counted, lasts])?;
            let seconds = (ends - now.0 + SECOND - 1) / SECOND;
            return Err(Error::Abuse { retry_after: u32::try_from(seconds).unwrap_or(1).max(1) });
        }
    }
    Ok(())
}

const TAKE: &str = "
    INSERT INTO mail_counts (counted, lasts, ends, times) VALUES ($1, $2, $3, 1)
    ON CONFLICT (counted, lasts) DO UPDATE SET times = mail_counts.times + 1 WHERE mail_counts.times < $4";
