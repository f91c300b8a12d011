//! Changing a webhook: where it sends, and what. Each is a form of its own.

use askama::Template;
use serde_json::Value;

use super::UPDATE;
use super::filled::{Filled, events_version, receiver_version, refused};
use super::records::{Hook, events};
use crate::error::{Error, Result};
use crate::pages::form::Form;
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::organization::holder::{At, Holder};
use crate::pages::problem::Problem;

/// The beginning of the sentence for a webhook that has changed while its form was open.
const CHANGED: &str = "The webhook was changed after you opened this page. Saving yours replaces";

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, (at, id): (At<'_>, &str)) -> Result<Shown> {
    let hook = Hook::find(guest, (at, id)).await?;
    let of = Holder::find(guest, at).await?;
    let Some(form) = &guest.visit.form else {
        let typed = Filled::stored(&hook);
        return show(guest, of, hook, Problem::default(), typed);
    };
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    // A form has the fields of its half; the other half is as it is stored.
    let (read, stored) = (Filled::read(form), Filled::stored(&hook));
    let (typed, problem) = match form.get("do") {
        "receiver" => {
            let typed = Filled { what: stored.what, events: stored.events, ..read };
            let problem = typed.problem_of_receiver().and(stale_receiver(form, &hook, &typed));
            (typed, problem)
        }
        "events" => {
            let typed = Filled { what: read.what, events: read.events, ..stored };
            let problem = typed.problem_of_events(events(&of)).and(stale_events(form, &hook, &typed));
            (typed, problem)
        }
        _ => return Err(Error::NotFound),
    };
    if !problem.is_none() {
        return show(guest, of, hook, problem, typed);
    }
    match save(guest, (at, id), form.get("do"), &typed).await {
        Ok(()) => Ok(guest.see(&hook.path(of.at()), "saved")),
        Err(error) => show(guest, of, hook, refused(error)?, typed),
    }
}

async fn save(guest: &Guest<'_>, (at, id): (At<'_>, &str), what: &str, typed: &Filled) -> Result<()> {
    let (operations, fields) = match what {
        "receiver" => (["orgs.updateWebhookConfigForOrg", "administration.configureHook"], typed.config()),
        _ => (UPDATE, body([("events", typed.wanted())])),
    };
    let (operation, path) = at.operation(operations, &[("hook_id", id)]);
    guest.call::<Value>(operation, &path, fields).await.map(drop)
}

/// The problem of a form that showed another receiver than the webhook has now.
fn stale_receiver(form: &Form, hook: &Hook, typed: &Filled) -> Problem {
    let now = &hook.config;
    let differs = [
        (typed.url != now.url, "the address"),
        (typed.format != now.content_type, "the format"),
        (typed.unsigned || !typed.secret.is_empty(), "the secret"),
    ];
    stale(form.get("version") == receiver_version(hook), &differs)
}

/// The problem of a form that showed other events than the webhook gets now.
fn stale_events(form: &Form, hook: &Hook, typed: &Filled) -> Problem {
    let has_same = || typed.events.len() == hook.events.len() && hook.events.iter().all(|event| typed.has(event));
    let is_same = if typed.what == "all" { hook.gets_all() } else { has_same() };
    stale(form.get("version") == events_version(hook), &[(!is_same, "the events")])
}

fn stale(is_current: bool, differs: &[(bool, &str)]) -> Problem {
    let differs: Vec<&str> = differs.iter().filter_map(|(differs, what)| differs.then_some(*what)).collect();
    if is_current || differs.is_empty() {
        return Problem::default();
    }
    Problem::at("", format!("{CHANGED}: {}.", differs.join(", ")))
}

fn show(guest: &Guest<'_>, of: Holder, hook: Hook, problem: Problem, typed: Filled) -> Result<Shown> {
    let versions = [receiver_version(&hook), events_version(&hook)];
    Shown::of(problem.status(), &Edit { frame: guest.frame()?, of, hook, versions, problem, typed })
}

#[derive(Template)]
#[template(path = "hooks/edit.html")]
struct Edit {
    frame: Frame,
    of: Holder,
    hook: Hook,
    /// The versions that the two forms show.
    versions: [String; 2],
    problem: Problem,
    typed: Filled,
}
