//! The rooms of an organization.

mod applications;
pub(super) mod audit;
mod confirm;
mod deletion;
pub(super) mod holder;
pub(super) mod hooks;
pub(super) mod invite;
mod member;
mod new_team;
mod people;
mod places;
mod room;
mod settings;

use serde::Deserialize;

use super::guest::{Guest, body};
use super::layout::Shown;
use super::problem::{Checked, Problem};
use super::{access, team};
use crate::error::{Error, Result};
use crate::name::called;
use crate::teams::rooms::named::Named;
use holder::At;

/// Answers a visit to the room at this path below the organization.
pub(super) async fn answer(guest: &Guest<'_>, org: &str, below: &[&str]) -> Result<Shown> {
    match *below {
        [] => room::answer(guest, org).await,
        ["applications"] => applications::answer(guest, org).await,
        ["audit"] => audit::answer(guest, At::Organization(org)).await,
        ["audit", "export"] => audit::export(guest, At::Organization(org)).await,
        ["delete"] => deletion::answer(guest, org).await,
        ["hooks", ref below @ ..] => hooks::answer(guest, At::Organization(org), below).await,
        ["new-team"] => new_team::answer(guest, org).await,
        ["people"] => people::answer(guest, org).await,
        ["people", login] => member::answer(guest, [org, login]).await,
        ["people", login, "remove"] => confirm::member(guest, [org, login]).await,
        ["people", login, "outside"] => confirm::outside(guest, [org, login]).await,
        ["repositories"] => places::answer(guest, org, &places::REPOSITORIES).await,
        ["projects"] => places::answer(guest, org, &places::PROJECTS).await,
        ["projects", number] => access::project(guest, org, number).await,
        ["settings"] => settings::answer(guest, org).await,
        ["teams", slug, ref below @ ..] => team::answer(guest, [org, slug], below).await,
        _ => Err(Error::NotFound),
    }
}

/// The fields of an organization that its rooms show.
#[derive(Deserialize)]
struct Organization {
    id: i64,
    login: String,
    name: String,
    description: Option<String>,
    /// Only owners learn these.
    members_can_create_teams: Option<bool>,
    members_can_leave_teams: Option<bool>,
    members_can_create_repositories: Option<bool>,
    default_repository_permission: Option<String>,
    applications_need_approval: Option<bool>,
}

impl Organization {
    async fn find(guest: &Guest<'_>, org: &str) -> Result<Self> {
        guest.call("orgs.get", &[("org", org)], body([])).await
    }

    /// The name, or the login if there is none.
    fn called(&self) -> &str {
        called(Some(&self.name), &self.login)
    }
}

/// The IDs of the teams with these names, or the problem of this field.
async fn team_ids(guest: &Guest<'_>, org: &str, field: &'static str, names: &str) -> Result<Checked<Vec<i64>>> {
    let problem = |text: String| Problem::at(field, text);
    if names.trim().is_empty() {
        return Ok(Ok(Vec::new()));
    }
    let teams: Vec<Named> = match guest.call("rooms.named", &[("org", org)], body([("names", names.into())])).await {
        Err(error) => return Problem::of(error).map(|of| Err(problem(of.text))),
        teams => teams?,
    };
    if let Some(of) = teams.iter().find(|of| of.id.is_none()) {
        let name: String = of.name.chars().take(100).collect();
        return Ok(Err(problem(format!("You see no team named “{name}” here."))));
    }
    Ok(Ok(teams.into_iter().filter_map(|of| of.id).collect()))
}
