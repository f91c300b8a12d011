//! Applications of OAuth 2 (decision 62): registered by people and by the operator, allowed by people, and the tokens with
//! which they act. Only pages, and the addresses of `src/http/oauth.rs`, call these operations.
//!
//! Authorization codes are not stored: they are computed with the key of e-mails, and belong to the session in which the
//! person allowed the application.

mod application;
mod approval;
mod authorize;
mod check;
mod client;
mod code;
mod consent;
mod device;
mod exchange;
mod issue;
pub mod own_applications;
pub mod own_consents;
mod place;
mod redirect;
mod refusal;
mod registration;
pub mod site_applications;

pub use application::{Application, Registered, all};
pub use approval::{Known, Question, approve, ask, list as of_org, questions, refuse};
pub use authorize::{Allowed, Look, Refused, allow, look};
pub use check::{Checked, check, reset, revoke, revoke_all};
pub use device::{Asked, Begun, Entered, answer as answer_device, begin as begin_device, enter as enter_code};
pub use exchange::{Exchanged, exchange};
pub use place::Place;
pub use refusal::Refusal;
pub use registration::{Made, Owner, Switched, Wanted, create, revoke as remove, update};

use crate::clock::Time;
use crate::db::Tx;
use crate::error::Result;

/// The time for which it is known that a code was used, in seconds.
const KNOWN: i64 = 24 * 60 * 60;

/// Deletes what is too old to be of use.
pub fn trim(tx: &mut Tx, now: Time) -> Result<()> {
    device::trim(tx, now)?;
    tx.run("DELETE FROM used_codes WHERE used_at < $1", &[&now.plus_seconds(-KNOWN).0]).map(drop)
}
