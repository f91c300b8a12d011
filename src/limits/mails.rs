//! The limits of e-mails with a link: to one e-mail address, by all people together, and by one person (decision 72).
//!
//! An address is counted as its keyed hash, and alike whether an account has it or not.

use super::windows::{self, DAY, HOUR};
use crate::clock::Time;
use crate::db::Tx;
use crate::error::Result;

/// The e-mails to one address in an hour and in a day.
pub(super) const TO_ADDRESS: [(i64, i64); 2] = [(HOUR, 5), (DAY, 20)];

/// The e-mails that one person asks for in a day.
pub(super) const BY_PERSON: [(i64, i64); 1] = [(DAY, 20)];

/// Counts an e-mail to the address with this hash that is asked for by, or for, this person; or refuses it.
pub fn count(tx: &mut Tx, address: &str, person: i64, now: Time) -> Result<()> {
    windows::trim(tx, now)?;
    windows::count(tx, address, &TO_ADDRESS, now)?;
    windows::count(tx, &format!("person {person}"), &BY_PERSON, now)
}
