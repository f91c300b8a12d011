//! The device flow (decision 62): a program on a device without a browser shows a code, a person types it on a page, and the
//! program gets a token.
//!
//! The permission of a person belongs to their session, like an authorization code, and ends with it.

mod person;
mod program;

pub use person::{Asked, Entered, answer, enter};
pub(super) use program::redeem;
pub use program::{Begun, begin};

use hmac::Mac;

use super::code::mac;
use super::consent::stored;
use crate::clock::{self, Time};
use crate::db::{Tx, row, select};
use crate::error::Result;
use crate::scope::Scopes;

/// The time for which the codes work, in seconds.
const LASTS: i64 = 15 * 60;

/// The time for which it is known that a code is too old, in seconds.
const KNOWN: i64 = 60 * 60;

/// The letters of a code that people type: no vowels, so that it is no word, and nothing that looks like a digit.
const LETTERS: &[u8; 20] = b"BCDFGHJKLMNPQRSTVWXZ";

/// The number of its letters.
const LENGTH: usize = 8;

row! {
    /// A device that asks to act for a person.
    struct Device from "d" {
        id: i64,
        application: i64 = "d.application_id",
        scopes: Scopes = "d.scopes" => stored,
        /// The network of the program.
        network: String,
        asked_at: Time,
        /// Seconds between two attempts to redeem its code.
        delay: i64,
        /// The time of the last attempt.
        polled_at: Option<Time>,
        /// The session in which a person has allowed it.
        session: Option<i64> = "d.session_id",
        denied: bool,
    }
}

impl Device {
    /// True if its codes still work.
    fn is_open(&self, now: Time) -> bool {
        self.asked_at.plus_seconds(LASTS) > now
    }
}

/// A code for a person, such as `WDJB-MJHT`.
fn user_code() -> Result<String> {
    let mut number = u64::from_le_bytes(clock::random()?);
    let mut letters = [0; LENGTH];
    for letter in &mut letters {
        *letter = LETTERS[usize::try_from(number % 20).unwrap_or_default()];
        number /= 20;
    }
    Ok(spelled(&letters))
}

fn spelled(letters: &[u8]) -> String {
    let (first, last) = letters.split_at(LENGTH / 2);
    [first, b"-", last].concat().into_iter().map(char::from).collect()
}

/// A code as a person typed it: case, spaces and hyphens do not count. None if it can be no code.
fn read(typed: &str) -> Option<String> {
    let letters: String = typed.chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
    let letters = letters.to_ascii_uppercase().into_bytes();
    let is_code = letters.len() == LENGTH && letters.iter().all(|letter| LETTERS.contains(letter));
    is_code.then(|| spelled(&letters))
}

/// The hash of a code for a person. It is keyed, because there are few such codes.
fn hashed(key: &[u8; 32], user_code: &str) -> Result<[u8; 32]> {
    Ok(mac(key, "user code of a device", user_code)?.finalize().into_bytes().into())
}

/// Deletes devices whose codes have long been too old.
pub(super) fn trim(tx: &mut Tx, now: Time) -> Result<()> {
    tx.run("DELETE FROM devices WHERE asked_at < $1", &[&now.plus_seconds(-KNOWN).0]).map(drop)
}

/// The device with this hash of its code.
fn by_hash(tx: &mut Tx, hash: &[u8; 32]) -> Result<Option<Device>> {
    tx.maybe(BY_HASH, &[&hash.as_slice()])
}

const BY_HASH: &str = select!(Device from "devices d WHERE d.hash = $1");

/// The device that waits for a person with this hash of the code that they type.
fn by_user_code(tx: &mut Tx, hash: &[u8; 32], now: Time) -> Result<Option<Device>> {
    let found: Option<Device> = tx.maybe(BY_USER_CODE, &[&hash.as_slice()])?;
    Ok(found.filter(|device| device.is_open(now)))
}

const BY_USER_CODE: &str = select!(Device from
    "devices d WHERE d.user_code = $1 AND d.session_id IS NULL AND d.denied = FALSE");

#[cfg(test)]
mod tests {
    use super::{read, user_code};

    #[test]
    fn a_code_is_read_however_it_is_typed() {
        for typed in ["WDJB-MJHT", "wdjbmjht", " wdjb mjht ", "W-D-J-B-M-J-H-T"] {
            assert_eq!(read(typed).as_deref(), Some("WDJB-MJHT"), "{typed}");
        }
        for wrong in ["", "WDJB-MJH", "WDJB-MJHTT", "WDJB-MJHA", "WDJB-MJH1", "WDJB-MJH\u{e9}", "WDJB_MJHT"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn each_code_is_new_and_can_be_typed() {
        let codes: Vec<String> = (0..200).map(|_| user_code().unwrap()).collect();
        for code in &codes {
            assert_eq!(read(code).as_ref(), Some(code));
        }
        let letters: std::collections::BTreeSet<char> = codes.iter().flat_map(|code| code.chars()).collect();
        assert_eq!(letters.len(), 21, "20 letters and the hyphen");
        assert_eq!(codes.iter().collect::<std::collections::BTreeSet<_>>().len(), 200);
    }
}
