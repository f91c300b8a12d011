//! The page on which a person creates an organization (decision 71).

use askama::Template;
use serde_json::Value;

use super::guest::{Guest, body};
use super::layout::{Frame, Shown};
use super::problem::Problem;
use crate::error::{Error, Result};
use crate::links::segment;

/// The page, for the code of its form.
const PAGE: &str = "/ui/organizations/new";

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>) -> Result<Shown> {
    if !guest.may("orgs.createForAuthenticatedUser", &[]).await? {
        return Err(Error::Forbidden("Only site administrators can create organizations here.".into()));
    }
    let Some(form) = &guest.visit.form else { return page(guest, ["", ""], &Problem::default()) };
    if let Some(refusal) = guest.refuse(PAGE)? {
        return Ok(refusal);
    }
    let [login, name] = ["login", "profile_name"].map(|field| form.get(field).trim());
    let missing = Problem::missing(form, &[("login", "Enter a short name.")]);
    if !missing.is_none() {
        return page(guest, [login, name], &missing);
    }
    let mut fields = body([("login", login.into())]);
    if !name.is_empty() {
        fields.insert("profile_name".to_owned(), name.into());
    }
    match guest.call::<Value>("orgs.createForAuthenticatedUser", &[], fields).await {
        Ok(org) => {
            let created = segment(org["login"].as_str().unwrap_or_default());
            Ok(Shown::see(guest.visit.links.html_path(&format!("?created={created}"))))
        }
        Err(error) => page(guest, [login, name], &Problem::of(error)?),
    }
}

fn page(guest: &Guest<'_>, [login, name]: [&str; 2], problem: &Problem) -> Result<Shown> {
    let (frame, code) = (guest.frame()?, guest.code(PAGE)?);
    Shown::of(problem.status(), &New { frame, code, login, name, problem })
}

#[derive(Template)]
#[template(path = "new_organization.html")]
struct New<'a> {
    frame: Frame,
    code: String,
    login: &'a str,
    name: &'a str,
    problem: &'a Problem,
}
