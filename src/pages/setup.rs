//! The page of the set-up link: the first organization and its owner (decision 71).

use askama::Template;
use serde_json::{Map, Value};

use super::guest::{Guest, body};
use super::layout::{Frame, Shown};
use super::problem::Problem;
use crate::error::{Error, Result};
use crate::setup::Begun;

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, token: &str) -> Result<Shown> {
    match answered(guest, token).await {
        Err(Error::NotFound) => {
            let when =
                "It works once and for 24 hours, until the server starts again or the first organization is made.";
            let next = "The operator can make a new one with the command guildhall setup, as long as there is no organization.";
            guest.message(404, "This link does not work any more", &[when, next])
        }
        shown => shown,
    }
}

async fn answered(guest: &Guest<'_>, token: &str) -> Result<Shown> {
    let path = [("token", token), ("browser", guest.browser.as_str())];
    guest.call::<Value>("setup.look", &path, body([])).await?;
    let Some(form) = &guest.visit.form else { return page(guest, token, [""; 4], &Problem::default()) };
    if let Some(refusal) = guest.refuse(token)? {
        return Ok(refusal);
    }
    let entered = FIELDS.map(|field| form.get(field).trim());
    let missing = Problem::missing(form, &NEEDED);
    if !missing.is_none() {
        return page(guest, token, entered, &missing);
    }
    let mut fields: Map<String, Value> = FIELDS.map(str::to_owned).into_iter().zip(entered.map(Value::from)).collect();
    fields.insert("agent".to_owned(), guest.visit.agent.as_str().into());
    match guest.call::<Begun>("setup.begin", &path, fields).await {
        Ok(Begun { org, session }) => Ok(guest.signed_in(session, guest.see_home("ready", &org))),
        Err(error) => {
            let problem = Problem::of(error)?;
            let field = if problem.resource == "Organization" { "org" } else { problem.field };
            page(guest, token, entered, &Problem { field, ..problem })
        }
    }
}

/// The fields that it needs, each with the sentence if it is empty.
const NEEDED: [(&str, &str); 3] = [
    ("org", "Enter the name of the organization."),
    ("login", "Choose a login."),
    ("email", "Enter your e-mail address."),
];

/// The fields of the form.
const FIELDS: [&str; 4] = ["org", "login", "name", "email"];

fn page(guest: &Guest<'_>, token: &str, [org, login, name, email]: [&str; 4], problem: &Problem) -> Result<Shown> {
    let (frame, code) = (guest.frame()?, guest.code(token)?);
    Shown::of(problem.status(), &Setup { frame, code, org, login, name, email, problem })
}

#[derive(Template)]
#[template(path = "setup/begin.html")]
struct Setup<'a> {
    frame: Frame,
    code: String,
    org: &'a str,
    login: &'a str,
    name: &'a str,
    email: &'a str,
    problem: &'a Problem,
}
