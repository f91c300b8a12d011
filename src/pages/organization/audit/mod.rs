//! The audit log of an organization, for its owners: what was changed, by whom and when, in words.

mod export;
mod filters;
mod words;

use askama::Template;
use serde::Deserialize;
use serde_json::Value;

use super::Organization;
use crate::clock::Time;
use crate::error::{Error, Result};
use crate::links::segment;
use crate::pages::form::Form;
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;
use filters::{Filters, KINDS};
use words::{Piece, changes, sentence};

pub(super) use export::answer as export;

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
        if self.action == "org.decline_invitation" { "The person who was invited" } else { "Guildhall" }
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
pub(super) async fn answer(guest: &Guest<'_>, org: &str) -> Result<Shown> {
    if guest.has_form() {
        return Err(Error::NotFound);
    }
    let filters = Filters::read(guest);
    let cursor = ["after", "before"].map(|name| (name, guest.query(name)));
    let cursor = cursor.into_iter().find(|(_, value)| !value.is_empty());
    let (log, problem) = match read(guest, org, &filters, cursor, MOST).await {
        Err(error @ Error::Unprocessable { .. }) => {
            let nothing = Log { entries: Vec::new(), newer: None, older: None };
            (nothing, Problem { field: "", ..Problem::of(error)? })
        }
        log => (log?, Problem::default()),
    };
    let of = Organization::find(guest, org).await?;
    Shown::of(problem.status(), &Audit { frame: guest.frame()?, of, filters, log, problem })
}

/// A part of the log: what the filters let through, from this cursor on.
async fn read(
    guest: &Guest<'_>,
    org: &str,
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
    let (entries, link) = guest.behind("orgs.getAuditLog", &[("org", org)], fields).await?;
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
    of: Organization,
    filters: Filters,
    log: Log,
    problem: Problem,
}

impl Audit {
    /// The query of another page of the same search.
    #[expect(clippy::unused_self, reason = "templates call methods")]
    fn at(&self, name: &str, cursor: &str) -> String {
        format!("{name}={}", segment(cursor))
    }

    #[expect(clippy::unused_self, reason = "templates call methods")]
    fn kinds(&self) -> &'static [(&'static str, &'static str)] {
        &KINDS
    }
}
