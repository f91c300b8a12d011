//! An organization as site administrators see it: its owners, for whom they may act, its login and its plan.

use askama::Template;
use serde::Deserialize;
use serde_json::Value;

use super::organizations::count;
use crate::error::{Error, Result};
use crate::links::segment;
use crate::name::called;
use crate::orgs::directory::{Listed, Owner};
use crate::pages::form::Form;
use crate::pages::guest::{self, Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::{Checked, Problem};

/// The number of owners on a page.
const MOST: u64 = 30;

/// The plans, each with its name and what it means.
const PLANS: [(&str, &str, &str); 3] = [
    ("free", "Free", "Everything but teams that follow groups of an identity provider."),
    ("team", "Team", "The same as Free."),
    ("enterprise", "Enterprise", "Everything. An identity provider may bring people, and teams may follow its groups."),
];

/// The sentences after a form, by the word in the query.
const DONE: [(&str, &str); 3] = [
    ("created", "The organization is there."),
    ("rename", "The organization has its new login. The old one stays reserved."),
    ("plan", "The organization has its new plan."),
];

/// An organization, as far as its address needs it.
#[derive(Deserialize)]
struct Named {
    login: String,
}

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, org: &str) -> Result<Shown> {
    let of: Listed = guest.call("administration.organization", &[("org", org)], body([])).await?;
    let Some(form) = &guest.visit.form else { return show(guest, &of, &Form::default(), Problem::default()).await };
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    let problem = match carry_out(guest, &of, form).await {
        Ok(Ok(done)) => {
            let now: Named = guest.call("orgs.get", &[("org_id", &of.id.to_string())], body([])).await?;
            return Ok(guest.see(&format!("/admin/organizations/{}", segment(&now.login)), done));
        }
        Ok(Err(problem)) => problem,
        Err(error) => Problem::of(error)?.on(&[("login", "login"), ("plan", "plan")]),
    };
    show(guest, &of, form, problem).await
}

/// Does what a form asks for, and returns the word for it.
async fn carry_out(guest: &Guest<'_>, of: &Listed, form: &Form) -> Result<Checked<&'static str>> {
    let (field, done) = match form.get("do") {
        "rename" => ("login", "rename"),
        "plan" => ("plan", "plan"),
        _ => return Err(Error::NotFound),
    };
    if let Some(problem) = Problem::of_other(form, of.id) {
        return Ok(Err(problem));
    }
    let wanted = form.get(field).trim();
    match done {
        "rename" if wanted.is_empty() => return Ok(Err(Problem::at("login", "Enter a short name."))),
        "plan" if !PLANS.iter().any(|(word, ..)| *word == wanted) => {
            return Ok(Err(Problem::at("plan", "Choose a plan.")));
        }
        "plan" if form.get("was") != of.plan && wanted != of.plan => {
            let text = "The plan was changed after you opened this page. Saving yours replaces it.";
            return Ok(Err(Problem::at("plan", text)));
        }
        _ => {}
    }
    let at = [("org", of.login.as_str())];
    guest.call::<Value>("enterpriseAdmin.updateOrgName", &at, body([(field, wanted.into())])).await?;
    Ok(Ok(done))
}

async fn show(guest: &Guest<'_>, of: &Listed, typed: &Form, problem: Problem) -> Result<Shown> {
    let at = [("org", of.login.as_str())];
    let owners = guest.list("administration.owners", &at, body([]), guest.page(MOST)).await?;
    let done = if problem.is_none() { guest.done(&DONE) } else { "" };
    let (status, frame) = (problem.status(), guest.frame()?);
    Shown::of(status, &Organization { frame, of, owners, done, typed, problem })
}

#[derive(Template)]
#[template(path = "admin/organization.html")]
struct Organization<'a> {
    frame: Frame,
    of: &'a Listed,
    owners: guest::Listed<Owner>,
    /// A sentence about what was just done; empty if nothing was.
    done: &'a str,
    /// The form that comes back with a problem.
    typed: &'a Form,
    problem: Problem,
}

impl Organization<'_> {
    /// The name, or the login if there is none.
    fn called(&self) -> &str {
        called(self.of.name.as_deref(), &self.of.login)
    }

    /// A number that is counted up to a bound.
    #[expect(
        clippy::unused_self,
        clippy::trivially_copy_pass_by_ref,
        reason = "templates call methods with references"
    )]
    fn count(&self, number: &i64) -> String {
        count(*number)
    }

    /// The name of an owner, or the login if there is none.
    #[expect(clippy::unused_self, reason = "templates call methods")]
    fn named<'o>(&self, owner: &'o Owner) -> &'o str {
        called(owner.name.as_deref(), &owner.login)
    }

    /// True if the visitor may act for this owner.
    #[expect(clippy::unused_self, reason = "templates call methods")]
    fn is_actable(&self, owner: &Owner) -> bool {
        !owner.site_admin && !owner.suspended
    }

    /// True if none of the owners on the page can sign in.
    fn has_no_active_owner(&self) -> bool {
        self.owners.page.number == 1 && self.owners.items.iter().all(|owner| owner.suspended)
    }

    /// True if the form shows this plan as chosen.
    fn is_plan(&self, word: &str) -> bool {
        let is_typed = self.problem.is_at("plan") && self.typed.has("plan");
        word == if is_typed { self.typed.get("plan") } else { &self.of.plan }
    }
}
