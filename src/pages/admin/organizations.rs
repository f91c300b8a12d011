//! All organizations of the site: finding one, and creating one for its owner.

use askama::Template;
use serde_json::Value;

use super::Asked;
use crate::error::Result;
use crate::links::segment;
use crate::name::called;
use crate::orgs::directory::{COUNTED, Listed};
use crate::pages::form::Form;
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;

/// The parameters of a new organization, each with its field of the form.
const FIELDS: [(&str, &str); 3] = [("login", "login"), ("admin", "admin"), ("profile_name", "name")];

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>) -> Result<Shown> {
    let Some(form) = &guest.visit.form else { return show(guest, &Form::default(), Problem::default()).await };
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    let needed = [("login", "Enter a short name."), ("admin", "Enter the login of its first owner.")];
    let missing = Problem::missing(form, &needed);
    if !missing.is_none() {
        return show(guest, form, missing).await;
    }
    let [login, admin, name] = ["login", "admin", "name"].map(|field| form.get(field).trim());
    let mut fields = body([("login", login.into()), ("admin", admin.into())]);
    if !name.is_empty() {
        fields.insert("profile_name".to_owned(), name.into());
    }
    match guest.call::<Value>("enterpriseAdmin.createOrg", &[], fields).await {
        Ok(made) => {
            let login = made["login"].as_str().unwrap_or_default();
            Ok(guest.see(&format!("/admin/organizations/{}", segment(login)), "created"))
        }
        Err(error) => show(guest, form, Problem::of(error)?.on(&FIELDS)).await,
    }
}

async fn show(guest: &Guest<'_>, typed: &Form, problem: Problem) -> Result<Shown> {
    let asked = Asked::read(guest);
    let mut list: Vec<Listed> = guest.call("administration.organizations", &[], asked.fields()).await?;
    let next = asked.next(&mut list, |org| org.id);
    let (frame, done) = (guest.frame()?, guest.done(&[]));
    Shown::of(problem.status(), &Organizations { frame, done, asked, list, next, typed, problem })
}

/// The number of people or teams of an organization, which is counted up to a bound.
pub(super) fn count(number: i64) -> String {
    if number > COUNTED { format!("over {COUNTED}") } else { number.to_string() }
}

#[derive(Template)]
#[template(path = "admin/organizations.html")]
struct Organizations<'a> {
    frame: Frame,
    /// A sentence about what was just done; empty if nothing was.
    done: &'a str,
    asked: Asked,
    list: Vec<Listed>,
    /// The query of the next page, if there is one.
    next: Option<String>,
    /// The form that comes back with a problem.
    typed: &'a Form,
    problem: Problem,
}

impl Organizations<'_> {
    /// The name, or the login if there is none.
    #[expect(clippy::unused_self, reason = "templates call methods")]
    fn called<'o>(&self, org: &'o Listed) -> &'o str {
        called(org.name.as_deref(), &org.login)
    }

    /// A number that is counted up to a bound, with its unit.
    #[expect(
        clippy::unused_self,
        clippy::trivially_copy_pass_by_ref,
        reason = "templates call methods with references"
    )]
    fn many(&self, number: &i64, one: &str, more: &str) -> String {
        format!("{} {}", count(*number), if *number == 1 { one } else { more })
    }
}
