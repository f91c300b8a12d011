//! The settings of a team: what it is called and does, where it is, and who sees it.

use askama::Template;
use serde::Deserialize;
use serde_json::{Value, json};

use super::child_teams::{slug, unknown, wrong};
use super::people::DONE;
use super::room::{Head, Room};
use crate::error::{Error, Result};
use crate::pages::form::Form;
use crate::pages::guest::body;
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;

/// The path below the team.
const TAB: &str = "/settings";

/// The parameters of a team, each with its field of the form.
const FIELDS: [(&str, &str); 4] =
    [("name", "name"), ("description", "description"), ("parent_team_id", "parent"), ("privacy", "privacy")];

/// A team that was changed, or that is to be the parent.
#[derive(Deserialize)]
struct Team {
    id: i64,
    slug: String,
}

/// The values of the form.
struct Typed {
    name: String,
    description: String,
    parent: String,
    is_secret: bool,
    is_silent: bool,
}

impl Typed {
    fn now(room: &Room<'_>) -> Self {
        let team = &room.team;
        Self {
            name: team.name.clone(),
            description: team.description.clone().unwrap_or_default(),
            parent: team.parents.last().map(|parent| parent.slug.clone()).unwrap_or_default(),
            is_secret: team.secret,
            is_silent: team.notification_setting == "notifications_disabled",
        }
    }

    fn read(form: &Form) -> Self {
        let [name, description, parent] =
            ["name", "description", "parent"].map(|name| form.get(name).trim().to_owned());
        let is_secret = form.get("privacy") == "secret";
        Self { name, description, parent, is_secret, is_silent: form.get("news") == "off" }
    }
}

/// Answers a visit to the page.
pub(super) async fn answer(room: &Room<'_>) -> Result<Shown> {
    if !room.edits {
        return Err(Error::NotFound);
    }
    let Some(form) = &room.guest.visit.form else { return show(room, &Problem::default(), Typed::now(room)) };
    let typed = Typed::read(form);
    match save(room, &typed).await? {
        Ok(slug) => Ok(room.guest.see(&format!("/orgs/{}/teams/{slug}{TAB}", room.team.org), "saved")),
        Err(problem) => show(room, &problem, typed),
    }
}

/// Saves what was typed, and returns the slug of the team.
async fn save(room: &Room<'_>, typed: &Typed) -> Result<std::result::Result<String, Problem>> {
    if typed.name.is_empty() {
        return Ok(Err(Problem::at("name", "Enter a name.")));
    }
    let mut fields = body([
        ("name", typed.name.clone().into()),
        ("privacy", if typed.is_secret { "secret" } else { "closed" }.into()),
        (
            "notification_setting",
            if typed.is_silent { "notifications_disabled" } else { "notifications_enabled" }.into(),
        ),
        ("description", Some(typed.description.clone()).filter(|text| !text.is_empty()).into()),
    ]);
    let now = Typed::now(room).parent;
    let is_moved = slug(&typed.parent) != now;
    if is_moved {
        let parent = match parent(room, &typed.parent).await? {
            Ok(parent) => parent,
            Err(problem) => return Ok(Err(problem)),
        };
        fields.insert("parent_team_id".to_owned(), parent);
    }
    match room.call::<Team>("teams.updateInOrg", fields).await {
        Ok(team) => Ok(Ok(team.slug)),
        Err(error @ Error::Forbidden(_)) => wrong(error, if is_moved { "parent" } else { "" }).map(Err),
        Err(error) => Problem::of(error).map(|problem| Err(problem.on(&FIELDS))),
    }
}

/// The ID of the team that is to be the parent; null if none was typed.
async fn parent(room: &Room<'_>, typed: &str) -> Result<std::result::Result<Value, Problem>> {
    let slug = slug(typed);
    if slug.is_empty() {
        return Ok(Ok(Value::Null));
    }
    let at = [("org", room.team.org.as_str()), ("team_slug", slug.as_str())];
    match room.guest.call::<Team>("teams.getByName", &at, body([])).await {
        Ok(team) => Ok(Ok(json!(team.id))),
        Err(Error::NotFound | Error::Moved { .. }) => Ok(Err(unknown("parent", typed, room))),
        Err(error) => Err(error),
    }
}

fn show(room: &Room<'_>, problem: &Problem, typed: Typed) -> Result<Shown> {
    let (frame, head) = (room.guest.frame()?, Head::new(room, TAB, problem, &DONE));
    Shown::of(problem.status(), &Settings { frame, head, typed })
}

#[derive(Template)]
#[template(path = "team/settings.html")]
struct Settings<'a> {
    frame: Frame,
    head: Head<'a>,
    typed: Typed,
}

impl Settings<'_> {
    /// True if the team cannot become secret now.
    fn is_nested(&self) -> bool {
        let team = &self.head.room.team;
        !team.parents.is_empty() || team.children > 0
    }
}
