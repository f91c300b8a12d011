//! All people of the site: finding one, and creating an account.

use askama::Template;
use serde_json::Value;

use super::Asked;
use crate::error::Result;
use crate::links::segment;
use crate::name::called;
use crate::pages::form::Form;
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;
use crate::people::directory::Listed;

/// The people to show, by the word in the query, each with its name.
const KINDS: [(&str, &str); 3] =
    [("", "Everyone"), ("suspended", "Suspended"), ("administrators", "Site administrators")];

/// The sentences after a form, by the word in the query.
const DONE: [(&str, &str); 1] = [("deleted", "The account is deleted.")];

/// The parameters of a new account, each with its field of the form.
const FIELDS: [(&str, &str); 2] = [("login", "login"), ("email", "email")];

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>) -> Result<Shown> {
    let Some(form) = &guest.visit.form else { return show(guest, &Form::default(), Problem::default()).await };
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    let missing = Problem::missing(form, &[("login", "Enter a login.")]);
    if !missing.is_none() {
        return show(guest, form, missing).await;
    }
    let mut fields = body([("login", form.get("login").trim().into())]);
    let email = form.get("email").trim();
    if !email.is_empty() {
        fields.insert("email".to_owned(), email.into());
    }
    match guest.call::<Value>("enterpriseAdmin.createUser", &[], fields).await {
        Ok(made) => {
            let login = made["login"].as_str().unwrap_or_default();
            let done = if email.is_empty() { "created-alone" } else { "created" };
            Ok(guest.see(&format!("/admin/users/{}", segment(login)), done))
        }
        Err(error) => show(guest, form, Problem::of(error)?.on(&FIELDS)).await,
    }
}

async fn show(guest: &Guest<'_>, typed: &Form, problem: Problem) -> Result<Shown> {
    let asked = Asked::read(guest);
    let kind = guest.query("show");
    let kind = KINDS.iter().find(|(word, _)| *word == kind).map_or("", |(word, _)| word);
    let mut fields = asked.fields();
    if !kind.is_empty() {
        fields.insert("which".to_owned(), kind.into());
    }
    let mut list: Vec<Listed> = guest.call("administration.people", &[], fields).await?;
    let next = asked.next(&mut list, |person| person.id).map(|next| format!("show={kind}&{next}"));
    let (frame, done) = (guest.frame()?, guest.done(&DONE));
    Shown::of(problem.status(), &People { frame, done, asked, kind, list, next, typed, problem })
}

#[derive(Template)]
#[template(path = "admin/people.html")]
struct People<'a> {
    frame: Frame,
    /// A sentence about what was just done; empty if nothing was.
    done: &'a str,
    asked: Asked,
    /// The only kind that is shown; empty for all.
    kind: &'a str,
    list: Vec<Listed>,
    /// The query of the next page, if there is one.
    next: Option<String>,
    /// The form that comes back with a problem.
    typed: &'a Form,
    problem: Problem,
}

impl People<'_> {
    /// The name, or the login if there is none.
    #[expect(clippy::unused_self, reason = "templates call methods")]
    fn called<'p>(&self, person: &'p Listed) -> &'p str {
        called(person.name.as_deref(), &person.login)
    }

    /// The query that keeps the filters.
    fn kept(&self) -> String {
        format!("{}&show={}", self.asked.kept(), self.kind)
    }

    fn is_filtered(&self) -> bool {
        !self.asked.q.is_empty() || !self.kind.is_empty()
    }
}
