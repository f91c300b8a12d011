//! The rooms of site administrators (decision 61). For everyone else they are not there.

mod applications;
mod deliveries;
mod health;
mod limits;
mod organization;
mod organizations;
mod overview;
mod people;
mod person;
mod question;
pub(super) mod tokens;

use serde_json::{Map, Value};

use super::acting;
use super::guest::{Guest, body};
use super::layout::Shown;
use super::organization::holder::At;
use super::organization::{audit, hooks};
use crate::error::{Error, Result};
use crate::links::segment;

/// The number of rows on a page of a list.
const MANY: usize = 30;

/// The longest text that is looked for, in characters.
const LONGEST: usize = 200;

/// Answers a visit to the room at this path below the administration.
pub(super) async fn answer(guest: &Guest<'_>, below: &[&str]) -> Result<Shown> {
    if !guest.administers_site() {
        return acting_elsewhere(guest)?.ok_or(Error::NotFound);
    }
    match *below {
        [] => overview::answer(guest).await,
        ["audit"] => audit::answer(guest, At::Site).await,
        ["audit", "export"] => audit::export(guest, At::Site).await,
        ["hooks", ref below @ ..] => hooks::answer(guest, At::Site, below).await,
        ["people"] => people::answer(guest).await,
        ["users", login] => person::answer(guest, login).await,
        ["deliveries"] => deliveries::answer(guest).await,
        ["deliveries", id] => deliveries::delivery(guest, id).await,
        ["tokens"] => tokens::answer(guest).await,
        ["tokens", id] => tokens::token(guest, id).await,
        ["applications"] => applications::answer(guest).await,
        ["applications", client_id] => applications::application(guest, client_id).await,
        ["health"] => health::answer(guest).await,
        ["limits"] => limits::answer(guest),
        ["users", login, "act"] => acting::start(guest, login).await,
        ["organizations"] => organizations::answer(guest).await,
        ["organizations", org] => organization::answer(guest, org).await,
        _ => Err(Error::NotFound),
    }
}

/// The page that keeps what an administrator wrote in a form, but began to act for a person in another tab.
fn acting_elsewhere(guest: &Guest<'_>) -> Result<Option<Shown>> {
    if !guest.is_marked() {
        return Ok(None);
    }
    let text = "You began to act for them in another tab. Stop that, then send what you wrote.";
    guest.unusable(&guest.visit.path, "You act for another person", text)
}

/// The part of a long list that the query asks for.
struct Asked {
    /// The text that is looked for; empty for everything.
    q: String,
    /// The ID of the row before the part; none at the beginning.
    after: Option<i64>,
}

impl Asked {
    fn read(guest: &Guest<'_>) -> Self {
        let q = guest.query("q").trim().chars().take(LONGEST).collect();
        Self { q, after: guest.query("after").parse().ok().filter(|id| *id > 0) }
    }

    /// The parameters of the operation, for one row more than a page shows.
    fn fields(&self) -> Map<String, Value> {
        let mut fields = body([("most", (MANY + 1).into()), ("q", self.q.as_str().into())]);
        fields.extend(self.after.map(|id| ("after".to_owned(), id.into())));
        fields
    }

    /// The query that keeps the text.
    fn kept(&self) -> String {
        format!("q={}", segment(&self.q))
    }

    /// The query that leads on behind the last of these rows, if there are more than a page shows.
    fn next<T>(&self, rows: &mut Vec<T>, id: fn(&T) -> i64) -> Option<String> {
        let has_more = rows.len() > MANY;
        rows.truncate(MANY);
        let last = rows.last().filter(|_| has_more)?;
        Some(format!("{}&after={}", self.kept(), id(last)))
    }
}
