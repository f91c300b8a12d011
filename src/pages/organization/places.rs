//! The repositories and the projects of an organization that the visitor can read, and creating one.

use askama::Template;
use serde::Deserialize;

use super::Organization;
use super::room::Membership;
use crate::error::{Error, Result};
use crate::links::segment;
use crate::pages::form::Form;
use crate::pages::guest::{Guest, Listed, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::plain::MAY_NOT;
use crate::pages::problem::{Checked, Problem};

/// The number of items on a page.
const MOST: u64 = 30;

/// The parameters of a new one, each with its field of the form.
const FIELDS: [(&str, &str); 4] =
    [("name", "name"), ("description", "description"), ("body", "description"), ("visibility", "visibility")];

/// The differences between the room of repositories and the room of projects.
pub(super) struct Kind {
    /// The path below the organization.
    tab: &'static str,
    /// The word for one of them.
    one: &'static str,
    /// The name of the room.
    name: &'static str,
    list: &'static str,
    create: &'static str,
    /// The parameter for what it is for.
    about: &'static str,
}

/// The room of repositories.
pub(super) const REPOSITORIES: Kind = Kind {
    tab: "repositories",
    one: "repository",
    name: "Repositories",
    list: "repos.listForOrg",
    create: "repos.createInOrg",
    about: "description",
};

/// The room of projects.
pub(super) const PROJECTS: Kind = Kind {
    tab: "projects",
    one: "project",
    name: "Projects",
    list: "projects.listForOrg",
    create: "projects.createForOrg",
    about: "body",
};

/// A repository or a project.
#[derive(Deserialize)]
struct Place {
    name: String,
    /// The number of a project.
    number: Option<i64>,
    #[serde(alias = "body")]
    description: Option<String>,
    private: bool,
    /// The visitor's level on a repository.
    role_name: Option<String>,
    /// The level of every member on a project.
    organization_permission: Option<String>,
}

impl Place {
    /// The path of its page below `/ui`.
    fn path(&self, org: &str) -> String {
        match self.number {
            Some(number) => format!("/orgs/{}/projects/{number}", segment(org)),
            None => format!("/{}/{}", segment(org), segment(&self.name)),
        }
    }

    /// The visitor's level, unless it is the least.
    fn level(&self) -> Option<&'static str> {
        match self.role_name.as_deref()? {
            "triage" => Some("Triage"),
            "write" => Some("Write"),
            "maintain" => Some("Maintain"),
            "admin" => Some("Admin"),
            _ => None,
        }
    }
}

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, org: &str, kind: &'static Kind) -> Result<Shown> {
    let of = Organization::find(guest, org).await?;
    let Some(form) = &guest.visit.form else {
        return show(guest, of, kind, (&Form::default(), Problem::default())).await;
    };
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    match create(guest, &of, kind, form).await? {
        Ok(made) => Ok(guest.see(&made.path(&of.login), "created")),
        Err(problem) => show(guest, of, kind, (form, problem)).await,
    }
}

async fn create(guest: &Guest<'_>, of: &Organization, kind: &Kind, form: &Form) -> Result<Checked<Place>> {
    let problem = Problem::missing(form, &[("name", "Enter a name.")]);
    if !problem.is_none() {
        return Ok(Err(problem));
    }
    let [name, about] = ["name", "description"].map(|field| form.get(field).trim());
    let mut fields = body([("name", name.into())]);
    if !about.is_empty() {
        fields.insert(kind.about.to_owned(), about.into());
    }
    if !kind.is_projects() {
        let visibility = if form.get("visibility") == "public" { "public" } else { "private" };
        fields.insert("visibility".to_owned(), visibility.into());
    }
    match guest.call::<Place>(kind.create, &[("org", &of.login)], fields).await {
        Ok(made) => Ok(Ok(made)),
        Err(Error::Forbidden(text)) => Ok(Err(Problem::forbidden("", &text))),
        Err(Error::NotFound) => Ok(Err(Problem::at("", MAY_NOT))),
        Err(error) => Problem::of(error).map(|problem| Err(problem.on(&FIELDS))),
    }
}

async fn show(
    guest: &Guest<'_>,
    of: Organization,
    kind: &'static Kind,
    (typed, problem): (&Form, Problem),
) -> Result<Shown> {
    let at = [("org", of.login.as_str())];
    let mine = Membership::find(guest, &of.login).await?;
    let list = guest.list(kind.list, &at, body([]), guest.page(MOST)).await?;
    let creates = guest.may(kind.create, &at).await?;
    let is_member = mine.as_ref().is_some_and(Membership::is_active);
    let is_owner = mine.is_some_and(|mine| mine.is_owner());
    let (frame, status) = (guest.frame()?, problem.status());
    Shown::of(status, &Places { frame, of, kind, list, is_member, is_owner, creates, typed, problem })
}

impl Kind {
    /// True if it is the room of projects.
    fn is_projects(&self) -> bool {
        self.one == "project"
    }
}

#[derive(Template)]
#[template(path = "organization/places.html")]
struct Places<'a> {
    frame: Frame,
    of: Organization,
    kind: &'static Kind,
    list: Listed<Place>,
    is_member: bool,
    is_owner: bool,
    /// True if the visitor may create one.
    creates: bool,
    /// The form that comes back with a problem.
    typed: &'a Form,
    problem: Problem,
}

impl Places<'_> {
    /// The level that every member has on what is created; empty for none. Only owners know it.
    fn for_members(&self) -> Option<&str> {
        self.of.default_repository_permission.as_deref().map(|level| if level == "none" { "" } else { level })
    }

    /// The people who can read it.
    fn readers(&self, place: &Place) -> &'static str {
        match place.organization_permission.as_deref().or(self.of.default_repository_permission.as_deref()) {
            _ if !place.private => "Everyone can read it",
            Some("none") => "Only people with access",
            Some(_) => "Every member can read it",
            None => "Not public",
        }
    }
}
