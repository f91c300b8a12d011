//! A member of an organization: their role, teams and repositories, for the person and for owners, who change the role.

use askama::Template;
use serde_json::Value;

use super::Organization;
use super::room::Numbers;
use crate::dispatch::FIRST;
use crate::error::{Error, Result};
use crate::operation::Page;
use crate::pages::guest::{Guest, Listed, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;
use crate::teams::rooms::people::Member;
use crate::teams::rooms::reach::Reached;

/// The number of repositories on a page.
const MOST: u64 = 30;

/// The sentences after a form, by the word in the query.
const DONE: [(&str, &str); 1] = [("saved", "Saved.")];

/// The member with this login, for owners; 404 for everyone else.
pub(super) async fn find(guest: &Guest<'_>, [org, login]: [&str; 2]) -> Result<Member> {
    if !is_owner(guest, [org, login]).await? {
        return Err(Error::NotFound);
    }
    look(guest, [org, login]).await
}

async fn is_owner(guest: &Guest<'_>, [org, login]: [&str; 2]) -> Result<bool> {
    guest.may("orgs.setMembershipForUser", &[("org", org), ("username", login)]).await
}

async fn look(guest: &Guest<'_>, [org, login]: [&str; 2]) -> Result<Member> {
    let one = Page { per_page: 1, ..FIRST };
    let fields = body([("login", login.into())]);
    let found: Listed<Member> = guest.list("rooms.people", &[("org", org)], fields, one).await?;
    found.items.into_iter().next().ok_or(Error::NotFound)
}

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, [org, login]: [&str; 2]) -> Result<Shown> {
    let is_owner = is_owner(guest, [org, login]).await?;
    let is_own = guest.person.as_ref().is_some_and(|person| person.login.eq_ignore_ascii_case(login));
    if !is_owner && (!is_own || guest.has_form()) {
        return Err(Error::NotFound);
    }
    let member = look(guest, [org, login]).await?;
    let of = Organization::find(guest, org).await?;
    let Some(form) = &guest.visit.form else { return show(guest, (of, member), is_owner, Problem::default()).await };
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    let role = form.get("role");
    if !matches!(role, "admin" | "member") {
        return show(guest, (of, member), is_owner, Problem::at("role", "Choose a role.")).await;
    }
    let role = body([("role", role.into())]);
    let at = [("org", org), ("username", login)];
    match guest.call::<Value>("orgs.setMembershipForUser", &at, role).await {
        Ok(_) => Ok(guest.see(&format!("/orgs/{}/people/{}", of.login, member.login), "saved")),
        Err(error) => {
            let problem = Problem { field: "role", ..Problem::of(refused(error))? };
            show(guest, (of, member), is_owner, problem).await
        }
    }
}

/// An error, with a refusal that the page explains as a problem.
pub(super) fn refused(error: Error) -> Error {
    match error {
        Error::Forbidden(why) => Error::sentence(why),
        other => other,
    }
}

async fn show(
    guest: &Guest<'_>,
    (of, member): (Organization, Member),
    is_owner: bool,
    problem: Problem,
) -> Result<Shown> {
    let at = [("org", of.login.as_str()), ("username", member.login.as_str())];
    let repositories = guest.list("rooms.reach", &at, body([]), guest.page(MOST)).await?;
    // A refused form comes back.
    let asks = is_owner && member.role == "admin" && problem.is_none();
    let is_last_owner = asks && Numbers::owners(guest, &of.login).await? == 1;
    let (frame, done) = (guest.frame()?, guest.done(&DONE));
    Shown::of(problem.status(), &Role { frame, of, member, is_owner, is_last_owner, repositories, problem, done })
}

#[derive(Template)]
#[template(path = "organization/member.html")]
struct Role<'a> {
    frame: Frame,
    of: Organization,
    member: Member,
    /// True if the visitor changes the role.
    is_owner: bool,
    /// True if the member is the only owner, who stays one.
    is_last_owner: bool,
    /// Those that the person was given.
    repositories: Listed<Reached>,
    problem: Problem,
    /// A sentence about what was just done; empty if nothing was.
    done: &'a str,
}

impl Role<'_> {
    /// The name of the level that every member has on every repository; none for no access, and if only owners may know it.
    fn level_of_members(&self) -> Option<&'static str> {
        match self.of.default_repository_permission.as_deref() {
            Some("read") => Some("Read"),
            Some("write") => Some("Write"),
            Some("admin") => Some("Admin"),
            _ => None,
        }
    }
}
