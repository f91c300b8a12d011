//! The page on which an owner changes the role of a member of their organization.

use askama::Template;
use serde_json::Value;

use super::Organization;
use crate::dispatch::FIRST;
use crate::error::{Error, Result};
use crate::operation::Page;
use crate::pages::guest::{Guest, Listed, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;
use crate::teams::rooms::people::Member;

/// The sentences after a form, by the word in the query.
const DONE: [(&str, &str); 1] = [("saved", "Saved.")];

/// The member with this login, for owners; 404 for everyone else.
pub(super) async fn find(guest: &Guest<'_>, [org, login]: [&str; 2]) -> Result<Member> {
    if !guest.may("orgs.setMembershipForUser", &[("org", org), ("username", login)]).await? {
        return Err(Error::NotFound);
    }
    let one = Page { per_page: 1, ..FIRST };
    let fields = body([("login", login.into())]);
    let found: Listed<Member> = guest.list("rooms.people", &[("org", org)], fields, one).await?;
    found.items.into_iter().next().ok_or(Error::NotFound)
}

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, [org, login]: [&str; 2]) -> Result<Shown> {
    let member = find(guest, [org, login]).await?;
    let of = Organization::find(guest, org).await?;
    let Some(form) = &guest.visit.form else { return show(guest, of, member, Problem::default()) };
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    let role = form.get("role");
    if !matches!(role, "admin" | "member") {
        return show(guest, of, member, Problem::at("role", "Choose a role."));
    }
    let role = body([("role", role.into())]);
    let at = [("org", org), ("username", login)];
    match guest.call::<Value>("orgs.setMembershipForUser", &at, role).await {
        Ok(_) => Ok(guest.see(&format!("/orgs/{}/people/{}", of.login, member.login), "saved")),
        Err(error) => show(guest, of, member, Problem { field: "role", ..Problem::of(refused(error))? }),
    }
}

/// An error, with a refusal that the page explains as a problem.
pub(super) fn refused(error: Error) -> Error {
    match error {
        Error::Forbidden(why) => Error::sentence(why),
        other => other,
    }
}

fn show(guest: &Guest<'_>, of: Organization, member: Member, problem: Problem) -> Result<Shown> {
    Shown::of(problem.status(), &Role { frame: guest.frame()?, of, member, problem, done: guest.done(&DONE) })
}

#[derive(Template)]
#[template(path = "organization/member.html")]
struct Role<'a> {
    frame: Frame,
    of: Organization,
    member: Member,
    problem: Problem,
    /// A sentence about what was just done; empty if nothing was.
    done: &'a str,
}
