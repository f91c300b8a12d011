//! The recipients of letters, and how letters name people and organizations.

use crate::db::{FromRow, Row, Tx};
use crate::error::Result;
use crate::links::Links;
use crate::mail::letter::Line;

/// What letters depend on in addition to the data.
#[derive(Debug, Clone)]
pub struct Composing {
    /// The base of URLs.
    pub links: Links,
    /// The key of the tokens in links.
    pub key: [u8; 32],
}

/// A person who gets a letter.
pub(super) struct Addressee {
    pub name: Option<Line>,
    pub address: String,
}

impl FromRow for Addressee {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        let (login, name): (String, Option<String>) = (row.get(0)?, row.get(1)?);
        Ok(Self { name: Some(Line::name(&shown(name, login))), address: row.get(2)? })
    }
}

/// A person who can get e-mails: not suspended, and with a verified primary e-mail address.
pub(super) fn addressee(tx: &mut Tx, user: i64) -> Result<Option<Addressee>> {
    tx.maybe(ADDRESSEE, &[&user])
}

const ADDRESSEE: &str = "
    SELECT u.login, u.name, e.email
    FROM users u JOIN emails e ON e.user_id = u.id AND e.is_primary = TRUE AND e.verified = TRUE
    WHERE u.id = $1 AND u.suspended = FALSE
    ORDER BY e.id LIMIT 1";

/// An organization as letters name it; none if it is gone.
pub(super) fn organization(tx: &mut Tx, id: i64) -> Result<Option<Line>> {
    let found: Option<(String, Option<String>)> = tx.maybe("SELECT login, name FROM orgs WHERE id = $1", &[&id])?;
    Ok(found.map(|(login, name)| named(login, name)))
}

/// The same, from its login and name.
pub(super) fn named(login: String, name: Option<String>) -> Line {
    Line::name(&shown(name, login))
}

/// The name, or the login of those who have none.
fn shown(name: Option<String>, login: String) -> String {
    name.filter(|name| !name.trim().is_empty()).unwrap_or(login)
}
