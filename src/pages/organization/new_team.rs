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
use crate::pages::suggestions::{self, Suggestion};

/// The parameters of a team, each with its field of the form.
const FIELDS: [(&str, &str); 5] = [
    ("name", "name"),
    ("description", "description"),
    ("parent_team_id", "parent"),
    ("privacy", "privacy"),
    ("maintainers", "maintainers"),
];

/// The most logins of maintainers that are looked up before the team is created.
const LOOKED_UP: usize = 20;

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, org: &str) -> Result<Shown> {
    if !guest.may("teams.create", &[("org", org)]).await? {
        return Err(Error::NotFound);
    }
    let of = Organization::find(guest, org).await?;
    let Some(form) = &guest.visit.form else {
        let typed = Form::read_encoded(&guest.visit.query).unwrap_or_default();
        return show(guest, of, &typed, Problem::default()).await;
    };
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    match create(guest, &of, form).await? {
        Ok(slug) => Ok(guest.see(&format!("/orgs/{}/teams/{}", of.login, segment(&slug)), "created")),
        Err(problem) => show(guest, of, form, problem).await,
    }
}

/// Creates the team, and returns its slug.
async fn create(guest: &Guest<'_>, of: &Organization, form: &Form) -> Result<Checked<String>> {
    let [name, description, parent] = ["name", "description", "parent"].map(|field| form.get(field).trim());
    let maintainers = logins(form.get("maintainers"));
    let problem = Problem::missing(form, &[("name", "Enter a name.")]);
    // A comma may be part of the name, and is no part of a slug.
    let (parent, unknown) = match team_ids(guest, &of.login, "parent", &parent.replace(',', " ")).await? {
        Ok(found) => (found.first().copied(), Problem::default()),
        Err(unknown) => (None, unknown),
    };
    let problem = problem.and(unknown).and(outsider(guest, &of.login, &maintainers).await?);
    if !problem.is_none() {
        return Ok(Err(problem));
    }
    let is_secret = form.get("privacy") == "secret";
    let mut fields = body([
        ("name", name.into()),
        ("privacy", if is_secret { "secret" } else { "closed" }.into()),
        ("maintainers", json!(maintainers)),
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
        Err(error) => Problem::of(error).map(|problem| Err(problem.on(&FIELDS))),
    }
}

/// The logins in a text, with commas or spaces between them.
fn logins(text: &str) -> Vec<&str> {
    text.split([',', ' ']).map(|login| login.trim().trim_start_matches('@')).filter(|login| !login.is_empty()).collect()
}

/// The problem of the first of these logins that no member has.
async fn outsider(guest: &Guest<'_>, org: &str, logins: &[&str]) -> Result<Problem> {
    for login in logins.iter().take(LOOKED_UP) {
        let at = [("org", org), ("username", *login)];
        match guest.call::<Value>("orgs.checkMembershipForUser", &at, body([])).await {
            Err(Error::NotFound | Error::Moved { .. }) => {
                let text = format!("{login} is not a member here. Only members can be maintainers.");
                return Ok(Problem::at("maintainers", text));
            }
            found => found?,
        };
    }
    Ok(Problem::default())
}

async fn show(guest: &Guest<'_>, of: Organization, typed: &Form, problem: Problem) -> Result<Shown> {
    let (teams, people) = (suggestions::teams(guest, &of.login).await?, suggestions::people(guest, &of.login).await?);
    Shown::of(problem.status(), &New { frame: guest.frame()?, of, typed, problem, teams, people })
}

#[derive(Template)]
#[template(path = "organization/new_team.html")]
struct New<'a> {
    frame: Frame,
    of: Organization,
    typed: &'a Form,
    problem: Problem,
    /// The teams and the people that the form offers.
    teams: Vec<Suggestion>,
    people: Vec<Suggestion>,
}
