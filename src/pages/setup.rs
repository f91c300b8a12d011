//! The page of the set-up link: the first organization and its owner (decision 71).

use askama::Template;
use serde_json::Value;

use super::form::Form;
use super::guest::{Guest, body};
use super::layout::{Frame, Shown};
use crate::error::{Error, FieldError, Result};
use crate::setup::Begun;

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, token: &str) -> Result<Shown> {
    match answered(guest, token).await {
        Err(Error::NotFound) => {
            let when =
                "It works once and for 24 hours, until the server starts again or the first organization is made.";
            let next = "The operator can make a new one with `guildhall setup`, as long as there is no organization.";
            guest.message(404, "This link does not work any more", &[when, next])
        }
        shown => shown,
    }
}

async fn answered(guest: &Guest<'_>, token: &str) -> Result<Shown> {
    let path = [("token", token), ("browser", guest.browser.as_str())];
    guest.call::<Value>("setup.look", &path, body([])).await?;
    let Some(form) = &guest.visit.form else { return page(guest, token, &Filled::default()) };
    if let Some(refusal) = guest.refuse(token)? {
        return Ok(refusal);
    }
    let mut fields = body(["org", "login", "name", "email"].map(|field| (field, form.get(field).trim().into())));
    fields.insert("agent".to_owned(), guest.visit.agent.as_str().into());
    match guest.call::<Begun>("setup.begin", &path, fields).await {
        Ok(begun) => {
            let ready = Ready { frame: guest.frame()?, v: &begun };
            Ok(guest.signed_in(begun.session.clone(), Shown::of(200, &ready)?))
        }
        Err(Error::Unprocessable { errors, .. }) => page(guest, token, &Filled::of(form, errors)),
        Err(error) => Err(error),
    }
}

/// The text that was entered, and what is wrong with it.
#[derive(Default)]
struct Filled<'a> {
    org: &'a str,
    login: &'a str,
    name: &'a str,
    email: &'a str,
    field: &'a str,
    problem: String,
}

impl<'a> Filled<'a> {
    fn of(form: &'a Form, errors: Vec<FieldError>) -> Self {
        let first = errors.into_iter().next();
        let field = match &first {
            Some(error) if error.resource == "Organization" => "org",
            Some(error) => error.field,
            None => "org",
        };
        let message = first.and_then(|error| error.message).unwrap_or_else(|| "This cannot be used.".into());
        let [org, login, name, email] = ["org", "login", "name", "email"].map(|field| form.get(field));
        Self { org, login, name, email, field, problem: message.into_owned() }
    }

    /// True if this field is wrong.
    fn is_wrong(&self, field: &str) -> bool {
        !self.problem.is_empty() && self.field == field
    }
}

fn page(guest: &Guest<'_>, token: &str, filled: &Filled<'_>) -> Result<Shown> {
    let status = if filled.problem.is_empty() { 200 } else { 422 };
    Shown::of(status, &Setup { frame: guest.frame()?, code: guest.code(token)?, filled })
}

#[derive(Template)]
#[template(path = "setup/begin.html")]
struct Setup<'a> {
    frame: Frame,
    code: String,
    filled: &'a Filled<'a>,
}

#[derive(Template)]
#[template(path = "setup/ready.html")]
struct Ready<'a> {
    frame: Frame,
    v: &'a Begun,
}
