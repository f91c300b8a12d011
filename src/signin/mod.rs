//! Signing in (decision 61): by a code or link in an e-mail, at the site's identity provider, or by a link that the operator
//! prints; and the sessions that follow. Only pages call these operations.
//!
//! Neither codes nor links are stored: they are computed with the key of e-mails from the row of the sign-in.

mod acting;
mod ask;
mod begin;
mod browser;
mod enter;
mod link;
mod operator;
pub mod provider;
mod sessions;
mod sign_in;
mod sign_up;
mod throttle;

pub use acting::{Actable, look as look_to_act, start as act, stop as stop_acting};
pub use ask::{Waiting, ask, waiting};
pub use begin::start;
pub use browser::{network, of as browser_of};
pub use enter::{Entered, enter};
pub use link::{Linked, Opened, look, open};
pub use operator::print;
pub use sessions::{Shown as ShownSession, SignedIn, Visitor, end, end_of_person, list, list_of_person, visitor};

use crate::access::session;
use crate::clock::Time;
use crate::db::Tx;
use crate::error::Result;

/// The time for which rows are kept, in seconds. They are counted for a day.
const KEPT: i64 = 2 * 24 * 60 * 60;

/// The time for which a browser is known after the person last signed in with it, in seconds.
const KNOWN: i64 = 365 * 24 * 60 * 60;

/// Ends all sessions of a person for good, and every code and link that was sent to them.
pub fn end_all(tx: &mut Tx, user: i64) -> Result<u64> {
    tx.run("UPDATE sign_ins SET ended = TRUE WHERE user_id = $1 AND ended = FALSE", &[&user])?;
    session::end(tx, user, None)
}

/// Deletes what has ended and is counted no more.
pub fn trim(tx: &mut Tx, now: Time) -> Result<()> {
    session::trim(tx, now)?;
    provider::trim(tx, now)?;
    tx.run("DELETE FROM sign_ins WHERE asked_at < $1", &[&now.plus_seconds(-KEPT).0])?;
    tx.run("DELETE FROM known_browsers WHERE signed_in_at < $1", &[&now.plus_seconds(-KNOWN).0]).map(drop)
}
