//! The pages that ask before a person loses what they have in an organization: as a member, and from outside.

use askama::Template;
use serde::Deserialize;
use serde_json::Value;

use super::{Organization, member};
use crate::error::{Error, Result};
use crate::name::called;
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;
use crate::teams::rooms::people::Member;

/// An account.
#[derive(Deserialize)]
struct Account {
    id: i64,
    login: String,
    name: Option<String>,
}

/// Answers a visit to the page that removes a member.
pub(super) async fn member(guest: &Guest<'_>, [org, login]: [&str; 2]) -> Result<Shown> {
    let found = member::find(guest, [org, login]).await?;
    let account = Account { id: found.id, login: found.login.clone(), name: found.name.clone() };
    decide(guest, org, ("orgs.removeMember", "removed"), account, Some(found)).await
}

/// Answers a visit to the page that removes a person from outside.
pub(super) async fn outside(guest: &Guest<'_>, [org, login]: [&str; 2]) -> Result<Shown> {
    if !guest.may("orgs.removeOutsideCollaborator", &[("org", org), ("username", login)]).await? {
        return Err(Error::NotFound);
    }
    let account: Account = guest.call("users.getByUsername", &[("username", login)], body([])).await?;
    decide(guest, org, ("orgs.removeOutsideCollaborator", "outside"), account, None).await
}

async fn decide(
    guest: &Guest<'_>,
    org: &str,
    (operation, done): (&str, &str),
    account: Account,
    member: Option<Member>,
) -> Result<Shown> {
    let of = Organization::find(guest, org).await?;
    let mut problem = Problem::default();
    if let Some(form) = &guest.visit.form {
        if let Some(refusal) = guest.refuse(&guest.visit.path)? {
            return Ok(refusal);
        }
        if let Some(problem) = Problem::of_other(form, account.id) {
            return Shown::of(problem.status(), &Confirm { frame: guest.frame()?, of, account, member, problem });
        }
        let at = [("org", org), ("username", account.login.as_str())];
        problem = match guest.call::<Value>(operation, &at, body([])).await {
            Ok(_) if guest.person.as_ref().is_some_and(|own| own.login == account.login) => {
                return Ok(Shown::see(guest.visit.links.html_path("")));
            }
            Ok(_) => return Ok(guest.see(&format!("/orgs/{}/people", of.login), done)),
            Err(error) => Problem { field: "", ..Problem::of(member::refused(error))? },
        };
    }
    Shown::of(problem.status(), &Confirm { frame: guest.frame()?, of, account, member, problem })
}

#[derive(Template)]
#[template(path = "organization/confirm.html")]
struct Confirm {
    frame: Frame,
    of: Organization,
    account: Account,
    /// The membership that ends; none for a person from outside.
    member: Option<Member>,
    problem: Problem,
}

impl Confirm {
    /// The name, or the login if there is none.
    fn called(&self) -> &str {
        called(self.account.name.as_deref(), &self.account.login)
    }
}
