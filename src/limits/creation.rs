//! The abuse limit: how many posts, comments and invitations a person may create or edit, with all tokens and on all
//! nodes.
//!
//! Implements limit 5 and decision 39. The count is stored in the database and is part of the transaction that creates.
//! That is why a refused or failed request leaves no trace, and parallel requests cannot exceed the limit together. A
//! person has a window of a minute and one of an hour, each starting with the first creation in it. They need one row,
//! whatever they do.

use crate::clock::Time;
use crate::db::{Lock, Tx, row, select};
use crate::error::{Error, Result};
use crate::journal;

const SECOND: i64 = 1_000_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;

/// The message of a refusal, which tells clients that it is this limit.
pub const REFUSAL: &str = "You have exceeded a secondary rate limit (abuse detection) and have been temporarily blocked \
                           from content creation. Please retry your request again later.";

/// The number of things that a person may create: posts, comments and invitations together (limit 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CreationLimit {
    /// In a minute.
    pub per_minute: u32,
    /// In an hour.
    pub per_hour: u32,
}

/// Counts one creation or edit of this person, or refuses it. Call it in the transaction that writes, when nothing else
/// can refuse the request any more (decision 20).
pub fn count(tx: &mut Tx, person: i64, limit: CreationLimit, now: Time) -> Result<()> {
    let (minute, hour) = (i64::from(limit.per_minute), i64::from(limit.per_hour));
    journal::lock(tx, &[Lock::Creations(person)])?;
    if tx.run(COUNT, &[&person, &now.0, &minute, &hour])? > 0 {
        return Ok(());
    }
    let used: Used = tx.one(USED, &[&person])?;
    Err(Error::Abuse { retry_after: used.wait(now.0, minute, hour) })
}

/// A window is over a minute or an hour after its start, and also that long before its start: a clock that was set back
/// must not lock out a user for days. `$3` and `$4` are the limits of a minute and of an hour.
const COUNT: &str = "
    INSERT INTO creations (user_id, minute_from, in_minute, hour_from, in_hour) VALUES ($1, $2, 1, $2, 1)
    ON CONFLICT (user_id) DO UPDATE SET
        minute_from = CASE WHEN abs(excluded.minute_from - creations.minute_from) >= 60000000
                           THEN excluded.minute_from ELSE creations.minute_from END,
        in_minute = CASE WHEN abs(excluded.minute_from - creations.minute_from) >= 60000000
                         THEN 1 ELSE creations.in_minute + 1 END,
        hour_from = CASE WHEN abs(excluded.hour_from - creations.hour_from) >= 3600000000
                         THEN excluded.hour_from ELSE creations.hour_from END,
        in_hour = CASE WHEN abs(excluded.hour_from - creations.hour_from) >= 3600000000
                       THEN 1 ELSE creations.in_hour + 1 END
    WHERE (creations.in_minute < $3 OR abs(excluded.minute_from - creations.minute_from) >= 60000000)
      AND (creations.in_hour < $4 OR abs(excluded.hour_from - creations.hour_from) >= 3600000000)";

const USED: &str = select!(Used from "creations c WHERE c.user_id = $1");

row! {
    /// The number of things that a person has created in their current windows.
    struct Used from "c" {
        minute_from: i64,
        in_minute: i64,
        hour_from: i64,
        in_hour: i64,
    }
}

impl Used {
    /// Seconds until a creation is allowed again, at least one.
    fn wait(&self, now: i64, per_minute: i64, per_hour: i64) -> u32 {
        let left = |full: bool, from: i64, lasts: i64| if full { from + lasts - now } else { 0 };
        let minute = left(self.in_minute >= per_minute, self.minute_from, MINUTE);
        let hour = left(self.in_hour >= per_hour, self.hour_from, HOUR);
        let seconds = (minute.max(hour) + SECOND - 1) / SECOND;
        u32::try_from(seconds).unwrap_or(1).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_is_that_for_the_later_of_the_full_windows() {
        let used = Used { minute_from: 0, in_minute: 3, hour_from: 0, in_hour: 5 };
        assert_eq!(used.wait(0, 3, 9), 60);
        assert_eq!(used.wait(59 * SECOND, 3, 9), 1);
        assert_eq!(used.wait(59 * SECOND + 1, 3, 9), 1, "a part of a second is a whole one");
        assert_eq!(used.wait(10 * SECOND, 3, 5), 3_590);
        assert_eq!(used.wait(10 * SECOND, 9, 5), 3_590);
    }
}
