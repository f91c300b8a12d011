//! The page that asks before an organization is deleted.

use askama::Template;
use serde_json::Value;

use super::Organization;
use super::room::Numbers;
use crate::error::{Error, Result};
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;

/// The sentence for a form that was about an earlier organization of this name.
const OTHER: &str = "This is not the organization that you were asked about. Read what goes now.";

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, org: &str) -> Result<Shown> {
    let at = [("org", org)];
    if !guest.may("orgs.delete", &at).await? {
        return Err(Error::NotFound);
    }
    let of = Organization::find(guest, org).await?;
    let Some(form) = &guest.visit.form else { return show(guest, of, Problem::default()).await };
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    if form.get("organization") != of.id.to_string() {
        return show(guest, of, Problem::at("", OTHER)).await;
    }
    if !form.get("login").trim().eq_ignore_ascii_case(&of.login) {
        let problem = Problem::at("login", format!("Enter {} to delete it.", of.login));
        return show(guest, of, problem).await;
    }
    match guest.call::<Value>("orgs.delete", &at, body([])).await {
        Ok(_) => Ok(guest.see("", "organization-deleted")),
        Err(Error::Forbidden(text)) => show(guest, of, Problem::forbidden("", &text)).await,
        Err(error) => show(guest, of, Problem::of(error)?).await,
    }
}

async fn show(guest: &Guest<'_>, of: Organization, problem: Problem) -> Result<Shown> {
    let numbers = Numbers::find(guest, &of.login).await?;
    Shown::of(problem.status(), &Delete { frame: guest.frame()?, of, numbers, problem })
}

#[derive(Template)]
#[template(path = "organization/delete.html")]
struct Delete {
    frame: Frame,
    of: Organization,
    numbers: Numbers,
    problem: Problem,
}
