//! The child teams of a team: the list, creating one, and moving a team below this one.

use askama::Template;
use serde::Deserialize;
use serde_json::Value;

use super::people::DONE;
use super::room::{Head, Room};
use crate::error::{Error, Result};
use crate::pages::form::Form;
use crate::pages::guest::{Listed, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;
use crate::pages::suggestions::{self, Suggestion};
use crate::teams::rooms::child_teams::ChildTeam;

/// The path below the team.
const TAB: &str = "/teams";

/// The parameters of a new team, each with its field of the form.
const FIELDS: [(&str, &str); 2] = [("name", "name"), ("description", "description")];

/// The number of teams on a page.
const MOST: u64 = 30;

/// A team that is moved.
#[derive(Deserialize)]
struct Moved {
    name: String,
}

/// The values of the forms.
#[derive(Default)]
struct Typed {
    name: String,
    description: String,
    team: String,
}

/// Answers a visit to the page.
pub(super) async fn answer(room: &Room<'_>) -> Result<Shown> {
    let Some(form) = &room.guest.visit.form else { return show(room, &Problem::default(), Typed::default()).await };
    let [name, description, team] = ["name", "description", "team"].map(|name| form.get(name).trim().to_owned());
    let typed = Typed { name, description, team };
    let problem = match form.get("do") {
        "create" => create(room, &typed).await?,
        "nest" => nest(room, form).await?,
        _ => return Err(Error::NotFound),
    };
    match problem {
        None => Ok(room.see(TAB, if form.get("do") == "create" { "created" } else { "saved" })),
        Some(problem) => show(room, &problem, typed).await,
    }
}

async fn create(room: &Room<'_>, typed: &Typed) -> Result<Option<Problem>> {
    if typed.name.is_empty() {
        return Ok(Some(Problem::at("name", "Enter a name.")));
    }
    let mut fields = body([("name", typed.name.clone().into()), ("parent_team_id", room.team.id.into())]);
    if !typed.description.is_empty() {
        fields.insert("description".to_owned(), typed.description.clone().into());
    }
    match room.guest.call::<Value>("teams.create", &[("org", &room.team.org)], fields).await {
        Ok(_) => Ok(None),
        Err(error @ Error::Forbidden(_)) => wrong(error, "").map(Some),
        Err(error) => Problem::of(error).map(|problem| Some(problem.on(&FIELDS))),
    }
}

/// Moves the team whose address was typed below this one.
async fn nest(room: &Room<'_>, form: &Form) -> Result<Option<Problem>> {
    let typed = form.get("team");
    let slug = slug(typed);
    let at = [("org", room.team.org.as_str()), ("team_slug", slug.as_str())];
    let moved: Result<Moved> = room.guest.call("teams.getByName", &at, body([])).await;
    let Moved { name } = match moved {
        Ok(moved) => moved,
        Err(Error::NotFound | Error::Moved { .. }) => return Ok(Some(unknown("team", typed, room))),
        Err(error) => return Err(error),
    };
    let fields = body([("name", name.into()), ("parent_team_id", room.team.id.into())]);
    match room.guest.call::<Value>("teams.updateInOrg", &at, fields).await {
        Ok(_) => Ok(None),
        Err(error) => wrong(error, "team").map(Some),
    }
}

/// The slug of the team whose name, slug or address was typed.
pub(super) fn slug(typed: &str) -> String {
    let last = typed.trim().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    last.to_lowercase().split_whitespace().collect::<Vec<_>>().join("-")
}

/// The problem with the name of a team that is not there.
pub(super) fn unknown(field: &'static str, typed: &str, room: &Room<'_>) -> Problem {
    if typed.trim().is_empty() {
        return Problem::at(field, "Enter a team.");
    }
    Problem::at(field, format!("There is no team {} in {} that you can see.", typed.trim(), room.org()))
}

/// A refusal as the problem of this field, or another error.
pub(super) fn wrong(error: Error, field: &'static str) -> Result<Problem> {
    match error {
        Error::Forbidden(text) => Ok(Problem::forbidden(field, &text)),
        error => Problem::of(error).map(|problem| Problem { field, ..problem }),
    }
}

async fn show(room: &Room<'_>, problem: &Problem, typed: Typed) -> Result<Shown> {
    if room.team.secret {
        return Err(Error::NotFound);
    }
    let list = room.list("rooms.childTeams", body([]), room.guest.page(MOST)).await?;
    let nests = room.edits && !room.team.synced;
    let creates = nests && room.guest.may("teams.create", &[("org", &room.team.org)]).await?;
    let teams = if nests { suggestions::teams(room.guest, &room.team.org).await? } else { Vec::new() };
    let (frame, head) = (room.guest.frame()?, Head::new(room, TAB, problem, &DONE));
    Shown::of(problem.status(), &Children { frame, head, typed, list, nests, creates, teams })
}

#[derive(Template)]
#[template(path = "team/child_teams.html")]
struct Children<'a> {
    frame: Frame,
    head: Head<'a>,
    typed: Typed,
    list: Listed<ChildTeam>,
    /// True if the visitor may move a team here that they may change.
    nests: bool,
    /// True if the visitor may create a child team.
    creates: bool,
    /// The teams that the form offers.
    teams: Vec<Suggestion>,
}
