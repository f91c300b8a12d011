//! The limits on asking for codes (decision 61): for an e-mail address, and from a network. A browser in which the
//! person signed in before has an allowance of its own, so that strangers lock no one out. An address without an account
//! is counted like any other.

use super::sign_in::New;
use crate::clock::Time;
use crate::db::Tx;
use crate::error::{Error, Result};

const HOUR: i64 = 60 * 60;

const DAY: i64 = 24 * HOUR;

/// The number of codes that may be asked for in so many seconds, for one e-mail address.
const FOR_ADDRESS: [(usize, i64); 2] = [(5, HOUR), (20, DAY)];

/// The same from one network.
const FROM_NETWORK: [(usize, i64); 1] = [(30, HOUR)];

/// Refuses a sign-in that would be one too many.
pub(super) fn check(tx: &mut Tx, new: &New<'_>, now: Time) -> Result<()> {
    let since = now.plus_seconds(-DAY).0;
    let wait = if new.is_known {
        wait(&tx.all(OF_KNOWN_BROWSER, &[&new.browser, &since])?, &FOR_ADDRESS, now)
    } else {
        let address = wait(&tx.all(OF_ADDRESS, &[&new.email_key, &since])?, &FOR_ADDRESS, now);
        let network = wait(&tx.all(OF_NETWORK, &[&new.network, &since])?, &FROM_NETWORK, now);
        address.max(network)
    };
    match wait {
        Some(seconds) => Err(Error::Abuse { retry_after: u32::try_from(seconds).unwrap_or(1).max(1) }),
        None => Ok(()),
    }
}

/// The newest are enough: no allowance is longer.
const OF_ADDRESS: &str = "
    SELECT asked_at FROM sign_ins WHERE email_key = $1 AND asked_at > $2 AND is_known = FALSE
    ORDER BY asked_at DESC LIMIT 20";

const OF_NETWORK: &str = "
    SELECT asked_at FROM sign_ins WHERE network = $1 AND asked_at > $2 AND is_known = FALSE
    ORDER BY asked_at DESC LIMIT 30";

const OF_KNOWN_BROWSER: &str = "
    SELECT asked_at FROM sign_ins WHERE browser = $1 AND asked_at > $2 AND is_known = TRUE
    ORDER BY asked_at DESC LIMIT 20";

/// The seconds until every allowance has room again, if one has none. The times begin with the newest.
fn wait(asked: &[Time], allowances: &[(usize, i64)], now: Time) -> Option<i64> {
    let waits = allowances.iter().filter_map(|(most, lasts)| {
        let room = asked.get(most - 1)?.plus_seconds(*lasts);
        (room > now).then(|| (room.0 - now.0 + 999_999) / 1_000_000)
    });
    waits.max()
}

#[cfg(test)]
mod tests {
    use super::{DAY, FOR_ADDRESS, HOUR, Time, wait};

    #[test]
    fn the_wait_ends_when_the_oldest_that_counts_is_old_enough() {
        let at = |seconds: i64| Time(seconds * 1_000_000);
        let asked: Vec<Time> = (0..5).rev().map(|n| at(n * 60)).collect();
        assert_eq!(wait(&asked[1..], &FOR_ADDRESS, at(300)), None);
        assert_eq!(wait(&asked, &FOR_ADDRESS, at(300)), Some(HOUR - 300));
        assert_eq!(wait(&asked, &FOR_ADDRESS, at(HOUR)), None);
        let many: Vec<Time> = (0..20).rev().map(|n| at(n * HOUR)).collect();
        assert_eq!(wait(&many, &FOR_ADDRESS, at(20 * HOUR)), Some(DAY - 20 * HOUR));
    }
}
