//! The audit log of an organization, for its owners, and that of the site, for its administrators: what was changed, by
//! whom and when, in words.

mod export;
mod filters;
mod words;

use askama::Template;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::holder::{At, Holder};
use crate::clock::Time;
use crate::error::{Error, Result};
use crate::links::segment;
use crate::pages::form::Form;
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;
use filters::{Filters, Kinds};
use words::{Piece, changes, sentence};

pub(in crate::pages) use export::answer as export;

/// The number of entries on a page.
const MOST: u64 = 30;

/// An entry of the audit log.
#[derive(Deserialize)]
struct Entry {
    #[serde(rename = "@timestamp")]
    timestamp: i64,
    action: String,
    actor: Option<String>,
    actor_ip: Option<String>,
    impersonator: Option<String>,
    user: Option<String>,
    team: Option<String>,
    repo: Option<String>,
    request_id: String,
    before: Value,
    after: Value,
    #[serde(rename = "entry")]
    number: i64,
}

impl Entry {
    fn at(&self) -> Time {
        Time(self.timestamp.saturating_mul(1_000))
    }

    /// The name of the one who did it, if no person is named.
    fn unnamed(&self) -> &'static str {
        match (self.action.as_str(), self.after["by"].as_str()) {
            ("org.decline_invitation", _) => "The person who was invited",
            (_, Some("operator")) => "The operator",
            _ => "Guildhall",
        }
    }

    fn sentence(&self) -> Vec<Piece<'_>> {
        sentence(self)
    }

    fn changes(&self) -> Vec<String> {
        changes(self)
    }
}

/// A page of the log, with the cursors of the pages beside it.
struct Log {
    entries: Vec<Entry>,
    newer: Option<String>,
    older: Option<String>,
}

/// Answers a visit to the page.
pub(in crate::pages) async fn answer(guest: &Guest<'_>, at: At<'_>) -> Result<Shown> {
    if guest.has_form() {
        return Err(Error::NotFound);
    }
    let filters = Filters::read(guest, at);
    let cursor = ["after", "before"].map(|name| (name, guest.query(name)));
    let cursor = cursor.into_iter().find(|(_, value)| !value.is_empty());
    let (log, problem) = match read(guest, at, &filters, cursor, MOST).await {
        Err(error @ Error::Unprocessable { .. }) => {
            let nothing = Log { entries: Vec::new(), newer: None, older: None };
            (nothing, Problem { field: "", ..Problem::of(error)? })
        }
        log => (log?, Problem::default()),
    };
    let is_empty = log.entries.is_empty() && log.older.is_none() && problem.is_none();
    let unknown = if is_empty { unknown(guest, at, &filters).await? } else { Vec::new() };
    let of = Holder::find(guest, at).await?;
    Shown::of(problem.status(), &Audit { frame: guest.frame()?, of, filters, log, unknown, problem })
}

/// The sentences about people and teams of the filters that are not there. What is gone may have entries still.
async fn unknown(guest: &Guest<'_>, at: At<'_>, filters: &Filters) -> Result<Vec<String>> {
    let mut sentences = Vec::new();
    let mut logins = [&filters.actor, &filters.user].map(|login| login.trim_start_matches('@')).to_vec();
    logins.dedup();
    for login in logins.into_iter().filter(|login| !login.is_empty()) {
        if is_unknown(guest, "users.getByUsername", &[("username", login)]).await? {
            sentences.push(format!("There is no person with the login {login}."));
        }
    }
    if let At::Organization(org) = at
        && !filters.team.is_empty()
        && is_unknown(guest, "teams.getByName", &[("org", org), ("team_slug", &filters.team_slug())]).await?
    {
        sentences.push(format!("There is no team with the name {}.", filters.team));
    }
    Ok(sentences)
}

async fn is_unknown(guest: &Guest<'_>, operation: &str, path: &[(&str, &str)]) -> Result<bool> {
    match guest.call::<IgnoredAny>(operation, path, body([])).await {
        Err(Error::NotFound) => Ok(true),
        Ok(_) | Err(Error::Moved { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

/// A part of the log: what the filters let through, from this cursor on.
async fn read(
    guest: &Guest<'_>,
    at: At<'_>,
    filters: &Filters,
    cursor: Option<(&str, String)>,
    most: u64,
) -> Result<Log> {
    let mut fields = body([("per_page", most.to_string().into())]);
    let phrase = filters.phrase();
    if !phrase.is_empty() {
        fields.insert("phrase".to_owned(), phrase.into());
    }
    if let Some((name, value)) = cursor {
        fields.insert(name.to_owned(), value.into());
    }
    if !filters.org.is_empty() {
        fields.insert("org".to_owned(), filters.org.as_str().into());
    }
    let (operation, path) = at.operation(["orgs.getAuditLog", "enterpriseAdmin.getAuditLog"], &[]);
    let (entries, link) = match guest.behind(operation, &path, fields).await {
        // Like every room of owners.
        Err(Error::Forbidden(_)) => return Err(Error::NotFound),
        read => read?,
    };
    let cursor = |relation: &str, name: &str| {
        let target = link.split(", ").find(|link| link.ends_with(&format!("rel=\"{relation}\"")))?;
        let (_, query) = target.split('>').next()?.split_once('?')?;
        Some(Form::read_encoded(query)?.get(name).to_owned())
    };
    Ok(Log { entries, newer: cursor("prev", "before"), older: cursor("next", "after") })
}

#[derive(Template)]
#[template(path = "organization/audit.html")]
struct Audit {
    frame: Frame,
    of: Holder,
    filters: Filters,
    log: Log,
    /// The sentences about people and teams of the filters that are not there.
    unknown: Vec<String>,
    problem: Problem,
}

impl Audit {
    /// The query of another page of the same search.
    #[expect(clippy::unused_self, reason = "templates call methods")]
    fn at(&self, name: &str, cursor: &str) -> String {
        format!("{name}={}", segment(cursor))
    }

    /// The beginning of the path of a person's page: site administrators go on to what they can do about the person.
    fn people(&self) -> &'static str {
        if self.of.org().is_some() { "/ui/" } else { "/ui/admin/users/" }
    }

    fn kinds(&self) -> Kinds {
        filters::kinds(self.of.org().is_some() || !self.filters.org.is_empty())
    }
}
