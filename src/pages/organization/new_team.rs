//! The page on which a member of an organization creates a team.

use askama::Template;
use serde_json::{Value, json};

use super::{Organization, team_ids};
use crate::error::{Error, Result};
use crate::links::segment;
use crate::pages::form::Form;
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::{Checked, Problem};

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, org: &str) -> Result<Shown> {
    if !guest.may("teams.create", &[("org", org)]).await? {
        return Err(Error::NotFound);
    }
    let of = Organization::find(guest, org).await?;
    let Some(form) = &guest.visit.form else {
        let typed = Form::read_encoded(&guest.visit.query).unwrap_or_default();
        return show(guest, of, &typed, Problem::default());
    };
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    match create(guest, &of, form).await? {
        Ok(slug) => Ok(guest.see(&format!("/orgs/{}/teams/{}", of.login, segment(&slug)), "created")),
        Err(problem) => show(guest, of, form, problem),
    }
}

/// Creates the team, and returns its slug.
async fn create(guest: &Guest<'_>, of: &Organization, form: &Form) -> Result<Checked<String>> {
    let [name, description, parent] = ["name", "description", "parent"].map(|field| form.get(field).trim());
    // A comma may be part of the name, and is no part of a slug.
    let parent = match team_ids(guest, &of.login, "parent", &parent.replace(',', " ")).await? {
        Ok(found) => found.first().copied(),
        Err(problem) => return Ok(Err(problem)),
    };
    let is_secret = form.get("privacy") == "secret";
    let mut fields = body([
        ("name", name.into()),
        ("privacy", if is_secret { "secret" } else { "closed" }.into()),
        ("maintainers", json!(logins(form.get("maintainers")))),
    ]);
    if !description.is_empty() {
        fields.insert("description".to_owned(), description.into());
    }
    if let Some(parent) = parent {
        fields.insert("parent_team_id".to_owned(), parent.into());
    }
    match guest.call::<Value>("teams.create", &[("org", &of.login)], fields).await {
        Ok(team) => Ok(Ok(team["slug"].as_str().unwrap_or_default().to_owned())),
        Err(Error::Forbidden(_)) if parent.is_some() => {
            let text = "You can create teams inside those that you maintain. Owners can create them everywhere.";
            Ok(Err(Problem::at("parent", text)))
        }
        Err(error) => Problem::of(error).map(|problem| Err(at_field(problem, parent.is_some()))),
    }
}

/// The logins in a text, with commas or spaces between them.
fn logins(text: &str) -> Vec<&str> {
    text.split([',', ' ']).map(|login| login.trim().trim_start_matches('@')).filter(|login| !login.is_empty()).collect()
}

/// The problem at the field that it is about. The service names the field of some only in its sentence.
fn at_field(problem: Problem, has_parent: bool) -> Problem {
    let (field, text) = match (problem.field, problem.text.as_str()) {
        ("data", "Invalid maintainers were specified.") => {
            ("maintainers", "One of these is no login of a member. Only members can be maintainers.".to_owned())
        }
        ("data", text) if text.starts_with("Name") => ("name", format!("{text}.")),
        ("data", _) if has_parent => ("parent", problem.text),
        ("name" | "description", _) => (problem.field, problem.text),
        _ => ("", problem.text),
    };
    Problem { field, text, ..problem }
}

fn show(guest: &Guest<'_>, of: Organization, typed: &Form, problem: Problem) -> Result<Shown> {
    Shown::of(problem.status(), &New { frame: guest.frame()?, of, typed, problem })
}

#[derive(Template)]
#[template(path = "organization/new_team.html")]
struct New<'a> {
    frame: Frame,
    of: Organization,
    typed: &'a Form,
    problem: Problem,
}
