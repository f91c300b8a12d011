//! A letter of a stored mail, made of the rows as they are when it is sent.

use serde::de::DeserializeOwned;

use super::plan::{OfAcceptance, OfInvitation, OfPost};
use super::{hook_off, invitation, post};
use crate::clock::Time;
use crate::db::{FromRow, Row, Tx};
use crate::error::{Error, Result};
use crate::links::Links;
use crate::mail::letter::{Letter, Organization};

/// What letters depend on beside the data.
#[derive(Debug, Clone)]
pub struct Composing {
    /// How URLs begin.
    pub links: Links,
    /// The key of the tokens in links.
    pub key: [u8; 32],
}

/// The letter to a recipient; none if it has become pointless, or its recipient has no address.
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
        "mail.accepted" => invitation::accepted(tx, composing, read::<OfAcceptance>(payload)?, to),
        "mail.post" => post::letter(tx, composing, &read::<OfPost>(payload)?, to),
        "mail.hook_off" => hook_off::letter(tx, composing, read(payload)?, to),
        other => Err(Error::Bug(format!("there is no letter for {other}"))),
    }
}

fn read<T: DeserializeOwned>(payload: &str) -> Result<T> {
    serde_json::from_str(payload).map_err(|error| Error::Bug(error.to_string()))
}

/// A person whom a letter goes to.
pub(super) struct Addressee {
    pub name: Option<String>,
    pub address: String,
}

impl FromRow for Addressee {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        let (login, name): (String, Option<String>) = (row.get(0)?, row.get(1)?);
        Ok(Self { name: name.filter(|name| !name.is_empty()).or(Some(login)), address: row.get(2)? })
    }
}

/// A person who can get mail: not suspended, and with a primary address that is verified.
pub(super) fn addressee(tx: &mut Tx, user: i64) -> Result<Option<Addressee>> {
    tx.maybe(ADDRESSEE, &[&user])
}

const ADDRESSEE: &str = "
    SELECT u.login, u.name, e.email
    FROM users u JOIN emails e ON e.user_id = u.id AND e.is_primary = TRUE AND e.verified = TRUE
    WHERE u.id = $1 AND u.suspended = FALSE
    ORDER BY e.id LIMIT 1";

/// An organization as letters name it; none if it is gone.
pub(super) fn organization(tx: &mut Tx, links: &Links, id: i64) -> Result<Option<Organization>> {
    let found: Option<(String, Option<String>)> = tx.maybe("SELECT login, name FROM orgs WHERE id = $1", &[&id])?;
    Ok(found.map(|(login, name)| named(links, login, name)))
}

/// The same of its login and name.
pub(super) fn named(links: &Links, login: String, name: Option<String>) -> Organization {
    let name = name.filter(|name| !name.trim().is_empty()).unwrap_or_else(|| login.clone());
    Organization { url: links.html(&format!("/orgs/{login}")), login, name }
}
