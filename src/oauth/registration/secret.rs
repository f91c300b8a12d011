//! The secrets of applications, of which only hashes are stored. There are two while one replaces the other.

use super::{Wanted, invalid};
use crate::access::token_text;
use crate::clock;
use crate::db::Tx;
use crate::error::Result;
use crate::oauth::Application;

/// The most secrets: a new one, and the one that it replaces.
pub(in crate::oauth) const SECRETS: usize = 2;

/// The shortest secret that the operator may choose.
const SHORTEST: usize = 20;

/// The longest one.
const LONGEST: usize = 255;

/// The IDs of an application's secrets, the oldest first.
pub(in crate::oauth) fn all(tx: &mut Tx, application: i64) -> Result<Vec<i64>> {
    tx.all("SELECT id FROM application_secrets WHERE application_id = $1 ORDER BY id", &[&application])
}

/// Stores the secret that is wanted, and returns it if it was made. Of three secrets, the oldest goes; a public
/// application has none.
pub(super) fn put(tx: &mut Tx, application: &Application, wanted: &Wanted, is_public: bool) -> Result<Option<String>> {
    if is_public {
        tx.run("DELETE FROM application_secrets WHERE application_id = $1", &[&application.id])?;
        return Ok(None);
    }
    let made = match &wanted.secret {
        None if wanted.new_secret => Some(token_text::hashed_hex(&clock::random()?)),
        _ => None,
    };
    if let Some(secret) = wanted.secret.as_ref().or(made.as_ref()) {
        if !(SHORTEST..=LONGEST).contains(&secret.len()) || !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(invalid("secret", format!("A secret has {SHORTEST} to {LONGEST} visible ASCII characters.")));
        }
        tx.run(PUT, &[&application.id, &token_text::hash(secret).as_slice()])?;
    }
    let secrets = all(tx, application.id)?;
    if secrets.is_empty() {
        return Err(invalid("secret", "An application that is not public needs a secret."));
    }
    secrets.iter().rev().skip(SECRETS).try_for_each(|id| tx.run(REMOVE, &[&application.id, id]).map(drop))?;
    Ok(made)
}

const PUT: &str = "
    INSERT INTO application_secrets (application_id, hash) VALUES ($1, $2)
    ON CONFLICT (application_id, hash) DO NOTHING";

/// Removes a secret of an application, which keeps another one. False if it does not have that secret.
pub(super) fn remove(tx: &mut Tx, application: &Application, id: i64) -> Result<bool> {
    let secrets = all(tx, application.id)?;
    if secrets == [id] {
        return Err(invalid("secret", "This is its only secret. Make a new one first."));
    }
    Ok(tx.run(REMOVE, &[&application.id, &id])? > 0)
}

const REMOVE: &str = "DELETE FROM application_secrets WHERE application_id = $1 AND id = $2";
