//! The page that asks before access is taken away.

use askama::Template;

use super::place::Place;
use crate::error::{Error, Result};
use crate::pages::form::Form;
use crate::pages::guest::Guest;
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;

/// The access of a team or a person.
struct Taken<'f> {
    /// `team` or `person`.
    kind: &'f str,
    /// Slug of the team, or login of the person.
    who: &'f str,
    /// Login of the team's organization.
    org: &'f str,
}

impl Taken<'_> {
    /// True if it was given, so that it can be taken away.
    async fn is_given(&self, guest: &Guest<'_>, place: &Place) -> Result<bool> {
        match self.kind {
            "team" => place.is_given_to_team(guest, [self.org, self.who]).await,
            "person" => place.is_given_to_person(guest, self.who).await,
            _ => Ok(false),
        }
    }

    /// True if the policy allows the visitor to take it away.
    async fn may_be_taken(&self, guest: &Guest<'_>, place: &Place) -> Result<bool> {
        let of = &place.operations;
        match self.kind {
            "team" => guest.may(of.remove_team, &place.path(&[("org", self.org), ("team_slug", self.who)])).await,
            _ => guest.may(of.remove_person, &place.path(&[("username", self.who)])).await,
        }
    }
}

/// Asks before access is taken away.
pub(super) async fn take(guest: &Guest<'_>, place: &Place, query: &Form) -> Result<Shown> {
    ask(guest, place, &taken(place, query, query.get("take")), Problem::default()).await
}

/// Asks again, if the form takes away access that its page did not show: the repository, the project, the team or the
/// account is another one of the same name.
pub(super) async fn other(guest: &Guest<'_>, place: &Place, form: &Form) -> Result<Option<Shown>> {
    let Some(kind) = form.get("do").strip_prefix("take-") else { return Ok(None) };
    let taken = taken(place, form, kind);
    if !taken.is_given(guest, place).await? {
        return Ok(None);
    }
    match Problem::of_other(form, place.key(guest, [kind, taken.org, taken.who]).await?) {
        Some(problem) => ask(guest, place, &taken, problem).await.map(Some),
        None => Ok(None),
    }
}

fn taken<'f>(place: &'f Place, fields: &'f Form, kind: &'f str) -> Taken<'f> {
    let org = Some(fields.get("org")).filter(|org| !org.is_empty()).unwrap_or(&place.owner);
    Taken { kind, who: fields.get("who").trim(), org }
}

async fn ask(guest: &Guest<'_>, place: &Place, taken: &Taken<'_>, problem: Problem) -> Result<Shown> {
    if !taken.is_given(guest, place).await? || !taken.may_be_taken(guest, place).await? {
        return Err(Error::NotFound);
    }
    let Taken { kind, who, org } = *taken;
    let id = place.key(guest, [kind, org, who]).await?;
    Shown::of(problem.status(), &Taking { frame: guest.frame()?, place, kind, who, org, id, problem })
}

#[derive(Template)]
#[template(path = "access/take.html")]
struct Taking<'a> {
    frame: Frame,
    place: &'a Place,
    kind: &'a str,
    who: &'a str,
    org: &'a str,
    /// Identifies the access.
    id: String,
    problem: Problem,
}
