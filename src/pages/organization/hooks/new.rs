//! Adding a webhook.

use askama::Template;
use serde_json::Value;

use super::filled::{Filled, refused};
use super::records::{Hook, events};
use crate::error::{Error, Result};
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::organization::holder::{At, Holder};
use crate::pages::problem::{Checked, Problem};

const CREATE: [&str; 2] = ["orgs.createWebhook", "enterpriseAdmin.createGlobalWebhook"];

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, at: At<'_>) -> Result<Shown> {
    let (operation, path) = at.operation(CREATE, &[]);
    if !guest.may(operation, &path).await? {
        return Err(Error::NotFound);
    }
    let of = Holder::find(guest, at).await?;
    let Some(form) = &guest.visit.form else {
        let typed = Filled::empty(&of);
        return show(guest, of, Problem::default(), typed);
    };
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    let typed = Filled::read(form);
    match create(guest, (at, &of), &typed).await? {
        Ok(made) => Ok(guest.see(&made.path(of.at()), "created")),
        Err(problem) => show(guest, of, problem, typed),
    }
}

async fn create(guest: &Guest<'_>, (at, of): (At<'_>, &Holder), typed: &Filled) -> Result<Checked<Hook>> {
    let problem = typed.problem_of_receiver().and(typed.problem_of_events(events(of)));
    if !problem.is_none() {
        return Ok(Err(problem));
    }
    let fields = body([("name", "web".into()), ("config", Value::Object(typed.config())), ("events", typed.wanted())]);
    let (operation, path) = at.operation(CREATE, &[]);
    match guest.call(operation, &path, fields).await {
        Ok(made) => Ok(Ok(made)),
        Err(error) => refused(error).map(Err),
    }
}

fn show(guest: &Guest<'_>, of: Holder, problem: Problem, typed: Filled) -> Result<Shown> {
    Shown::of(problem.status(), &New { frame: guest.frame()?, of, problem, typed })
}

#[derive(Template)]
#[template(path = "hooks/new.html")]
struct New {
    frame: Frame,
    of: Holder,
    problem: Problem,
    typed: Filled,
}
