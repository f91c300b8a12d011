//! The recipients of letters, and how letters name people and organizations.

use crate::db::{Tx, row, select};
use crate::error::Result;
use crate::links::{Links, segment};
use crate::mail::letter::Line;

/// The data that letters depend on besides the database.
#[derive(Debug, Clone)]
pub struct Composing {
    /// The base of URLs.
    pub links: Links,
    /// The key of the tokens in links.
    pub key: [u8; 32],
}

row! {
    /// A person who gets a letter.
    pub(super) struct Addressee from "u" {
        pub name: Option<Line> = "u.login, u.name" => |(login, name)| Some(named(login, name)),
        pub address: String = "e.email",
    }
}

/// A person who can get e-mails: not suspended, and with a verified primary e-mail address.
pub(super) fn addressee(tx: &mut Tx, user: i64) -> Result<Option<Addressee>> {
    tx.maybe(ADDRESSEE, &[&user])
}

const ADDRESSEE: &str = select!(Addressee from
    "users u JOIN emails e ON e.user_id = u.id AND e.is_primary = TRUE AND e.verified = TRUE
     WHERE u.id = $1 AND u.suspended = FALSE
     ORDER BY e.id LIMIT 1");

/// An organization as letters name it; none if it is gone.
pub(super) fn organization(tx: &mut Tx, id: i64) -> Result<Option<Line>> {
    Ok(named_organization(tx, id)?.map(|(_, name)| name))
}

/// The same with its login.
pub(super) fn named_organization(tx: &mut Tx, id: i64) -> Result<Option<(String, Line)>> {
    let found: Option<(String, Option<String>)> = tx.maybe("SELECT login, name FROM orgs WHERE id = $1", &[&id])?;
    Ok(found.map(|(login, name)| (login.clone(), named(login, name))))
}

/// A person or an organization as letters name them.
pub(super) fn named(login: String, name: Option<String>) -> Line {
    Line::name(&shown(name, login))
}

/// The path of the page of a team.
pub(super) fn team_page(org: &str, slug: &str) -> String {
    format!("/orgs/{}/teams/{}", segment(org), segment(slug))
}

/// The name, or the login of those who have none.
fn shown(name: Option<String>, login: String) -> String {
    name.filter(|name| !name.trim().is_empty()).unwrap_or(login)
}
