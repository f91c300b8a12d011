//! Adding a webhook.

use askama::Template;
use serde_json::Value;

use super::filled::{Filled, refused};
use super::records::{EVENTS, Hook};
use crate::error::{Error, Result};
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::organization::Organization;
use crate::pages::problem::{Checked, Problem};

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, org: &str) -> Result<Shown> {
    if !guest.may("orgs.createWebhook", &[("org", org)]).await? {
        return Err(Error::NotFound);
    }
    let of = Organization::find(guest, org).await?;
    let Some(form) = &guest.visit.form else { return show(guest, of, Problem::default(), Filled::empty()) };
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    let typed = Filled::read(form);
    match create(guest, org, &typed).await? {
        Ok(made) => Ok(guest.see(&made.path(&of.login), "created")),
        Err(problem) => show(guest, of, problem, typed),
    }
}

async fn create(guest: &Guest<'_>, org: &str, typed: &Filled) -> Result<Checked<Hook>> {
    let problem = typed.problem_of_receiver().and(typed.problem_of_events());
    if !problem.is_none() {
        return Ok(Err(problem));
    }
    let fields = body([("name", "web".into()), ("config", Value::Object(typed.config())), ("events", typed.wanted())]);
    match guest.call("orgs.createWebhook", &[("org", org)], fields).await {
        Ok(made) => Ok(Ok(made)),
        Err(error) => refused(error).map(Err),
    }
}

fn show(guest: &Guest<'_>, of: Organization, problem: Problem, typed: Filled) -> Result<Shown> {
    Shown::of(problem.status(), &New { frame: guest.frame()?, of, problem, typed })
}

#[derive(Template)]
#[template(path = "hooks/new.html")]
struct New {
    frame: Frame,
    of: Organization,
    problem: Problem,
    typed: Filled,
}
