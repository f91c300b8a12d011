//! The limits of the device flow: the codes that a network asks for, and the wrong ones that a person types (decision 62).

use super::windows::{self, HOUR};
use crate::clock::Time;
use crate::db::Tx;
use crate::error::Result;

/// The codes that are asked for from one network in an hour.
pub(super) const ASKED: [(i64, i64); 1] = [(HOUR, 60)];

/// The wrong codes that one person types in an hour.
pub(super) const WRONG_BY_PERSON: [(i64, i64); 1] = [(HOUR, 10)];

/// The same from one network.
pub(super) const WRONG_FROM_NETWORK: [(i64, i64); 1] = [(HOUR, 50)];

/// Counts a code that is asked for from this network, or refuses it.
pub fn count_asked(tx: &mut Tx, network: &str, now: Time) -> Result<()> {
    windows::trim(tx, now)?;
    windows::count(tx, &format!("device codes from {network}"), &ASKED, now)
}

/// Refuses any code, right or wrong, of a person or from a network with too many wrong ones.
pub fn refuse_guessing(tx: &mut Tx, person: i64, network: &str, now: Time) -> Result<()> {
    windows::trim(tx, now)?;
    windows::refuse_full(tx, &by(person), &WRONG_BY_PERSON, now)?;
    windows::refuse_full(tx, &from(network), &WRONG_FROM_NETWORK, now)
}

/// Counts a wrong code, after [`refuse_guessing`].
pub fn count_wrong(tx: &mut Tx, person: i64, network: &str, now: Time) -> Result<()> {
    windows::count(tx, &by(person), &WRONG_BY_PERSON, now)?;
    windows::count(tx, &from(network), &WRONG_FROM_NETWORK, now)
}

fn by(person: i64) -> String {
    format!("wrong device codes by {person}")
}

fn from(network: &str) -> String {
    format!("wrong device codes from {network}")
}
