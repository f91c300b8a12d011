//! Names that a form offers while a person types: the first of those that they see. Any other name can be typed too.

use serde::Deserialize;

use super::guest::{Guest, Listed, body};
use crate::dispatch::FIRST;
use crate::error::{Error, Result};
use crate::operation::Page;
use crate::teams::rooms::people::Member;

/// The most names that a form offers.
const MOST: Page = Page { per_page: 30, ..FIRST };

/// A name: the text that is typed, and what it stands for.
pub(super) struct Suggestion {
    pub value: String,
    pub label: String,
}

#[derive(Deserialize)]
struct Team {
    slug: String,
    name: String,
}

#[derive(Deserialize)]
struct Repository {
    name: String,
}

#[derive(Deserialize)]
struct Project {
    number: i64,
    name: String,
}

/// The teams of an organization.
pub(super) async fn teams(guest: &Guest<'_>, org: &str) -> Result<Vec<Suggestion>> {
    let list = guest.list::<Team>("teams.list", &[("org", org)], body([]), MOST).await;
    offered(list, |team| Suggestion { value: team.slug, label: team.name })
}

/// The members of an organization.
pub(super) async fn people(guest: &Guest<'_>, org: &str) -> Result<Vec<Suggestion>> {
    let list = guest.list::<Member>("rooms.people", &[("org", org)], body([]), MOST).await;
    offered(list, |member| Suggestion { label: member.called().to_owned(), value: member.login })
}

/// The repositories of an organization.
pub(super) async fn repositories(guest: &Guest<'_>, org: &str) -> Result<Vec<Suggestion>> {
    let list = guest.list::<Repository>("repos.listForOrg", &[("org", org)], body([]), MOST).await;
    offered(list, |repository| Suggestion { label: repository.name.clone(), value: repository.name })
}

/// The projects of an organization, by number.
pub(super) async fn projects(guest: &Guest<'_>, org: &str) -> Result<Vec<Suggestion>> {
    let list = guest.list::<Project>("projects.listForOrg", &[("org", org)], body([]), MOST).await;
    offered(list, |project| Suggestion { value: format!("#{}", project.number), label: project.name })
}

/// The names of a list; none for a visitor who may not see it.
fn offered<T>(list: Result<Listed<T>>, suggest: impl Fn(T) -> Suggestion) -> Result<Vec<Suggestion>> {
    match list {
        Ok(list) => Ok(list.items.into_iter().map(suggest).collect()),
        Err(Error::NotFound | Error::Forbidden(_)) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}
