//! A letter for a stored e-mail, composed from the rows as they are when it is sent.

use serde::de::DeserializeOwned;

use super::addressee::Composing;
use super::plan::{self, OfAcceptance, OfInvitation, OfPost};
use super::{application, email, ending, hook_off, invitation, joining, post, sign_in};
use crate::clock::Time;
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::mail::letter::Letter;

/// The letter to a recipient; none if it is no longer needed, or if its recipient has no e-mail address.
pub fn compose(
    tx: &mut Tx,
    composing: &Composing,
    (event, payload, to): (&str, &str, i64),
    now: Time,
) -> Result<Option<Letter>> {
    match event {
        "mail.invitation" => {
            let OfInvitation { invitation, generation } = read(payload)?;
            invitation::letter(tx, composing, (invitation, generation), false, now)
        }
        "mail.reminder" => {
            let OfInvitation { invitation, generation } = read(payload)?;
            invitation::letter(tx, composing, (invitation, generation), true, now)
        }
        "mail.membership_ends" => ending::letter(tx, composing, &read(payload)?, to, now),
        "mail.accepted" => invitation::accepted(tx, composing, read::<OfAcceptance>(payload)?, to),
        plan::POST => post::letter(tx, composing, &read::<OfPost>(payload)?, to, false),
        plan::LAST_POST => post::letter(tx, composing, &read::<OfPost>(payload)?, to, true),
        "mail.email_added" => email::asked(tx, composing, &read(payload)?, to),
        "mail.email_changed" => email::changed(tx, read(payload)?, to),
        "mail.sign_in" => sign_in::letter(tx, composing, &read(payload)?, now),
        "mail.application" => application::letter(tx, composing, &read(payload)?, to),
        "mail.join_asked" => joining::asked(tx, composing, &read(payload)?, to),
        "mail.join_decided" => joining::decided(tx, composing, &read(payload)?, to),
        "mail.hook_off" => hook_off::letter(tx, composing, &read(payload)?, to),
        other => Err(Error::Bug(format!("there is no letter for {other}"))),
    }
}

fn read<T: DeserializeOwned>(payload: &str) -> Result<T> {
    serde_json::from_str(payload).map_err(|error| Error::Bug(error.to_string()))
}
