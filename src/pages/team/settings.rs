//! The settings of a team: what it is called and does, where it is, and who sees it.

use askama::Template;
use serde::Deserialize;
use serde_json::{Value, json};

use super::child_teams::{slug, unknown, wrong};
use super::people::DONE;
use super::room::{Head, Room};
use crate::error::{Error, Result};
use crate::pages::described;
use crate::pages::form::Form;
use crate::pages::guest::body;
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;
use crate::pages::suggestions::{self, Suggestion};
use crate::posts::text;

/// The path below the team.
const TAB: &str = "/settings";

/// The parameters of a team, each with its field of the form.
const FIELDS: [(&str, &str); 4] =
    [("name", "name"), ("description", "description"), ("parent_team_id", "parent"), ("privacy", "privacy")];

/// The sentence for a team that has changed while its form was open.
const CHANGED: &str = "The team was changed after you opened this page. Saving yours replaces";

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
    /// True if the description is too long for the form.
    is_long: bool,
    parent: String,
    is_secret: bool,
    is_silent: bool,
    /// The version of the team that the form showed.
    version: String,
}

impl Typed {
    fn now(room: &Room<'_>) -> Self {
        let team = &room.team;
        let description = team.description.clone().unwrap_or_default();
        let parent = team.parents.last().map(|parent| parent.slug.clone()).unwrap_or_default();
        let shown = json!([team.id, team.name, description, parent, team.secret, team.notification_setting]);
        Self {
            name: team.name.clone(),
            description: described::shown(&description).to_owned(),
            is_long: described::is_long(&description),
            parent,
            is_secret: team.secret,
            is_silent: team.notification_setting == "notifications_disabled",
            version: text::version(&shown.to_string()),
        }
    }

    /// The ID of the hint about the description; empty if there is none.
    fn hint(&self) -> &'static str {
        described::hint(self.is_long)
    }

    fn read(form: &Form) -> Self {
        let [name, description, parent] =
            ["name", "description", "parent"].map(|name| form.get(name).trim().to_owned());
        let (is_secret, is_silent) = (form.get("privacy") == "secret", form.get("news") == "off");
        let version = form.get("version").to_owned();
        Self { name, description, is_long: false, parent, is_secret, is_silent, version }
    }

    /// The problem of a form that does not choose, or that showed another version of the team. The team as it is now
    /// is what the form is about from then on, and a secret team stays chosen.
    fn refuse(&mut self, form: &Form, now: Self) -> Option<Problem> {
        self.is_long = now.is_long;
        if !matches!(form.get("privacy"), "closed" | "secret") {
            self.is_secret = now.is_secret;
            return Some(Problem::at("privacy", "Choose who can see the team."));
        }
        if !matches!(form.get("news"), "on" | "off") {
            self.is_silent = now.is_silent;
            return Some(Problem::at("news", "Choose who is told about posts."));
        }
        if self.version == now.version {
            return None;
        }
        let differs = [
            (self.name != now.name, "the name"),
            (lines(&self.description) != lines(&now.description), "what it does"),
            (slug(&self.parent) != now.parent, "the team that it is inside"),
            (self.is_secret != now.is_secret, "who can see it"),
            (self.is_silent != now.is_silent, "news about posts"),
        ];
        let differs: Vec<&str> = differs.into_iter().filter_map(|(differs, what)| differs.then_some(what)).collect();
        self.is_secret |= now.is_secret;
        self.version = now.version;
        (!differs.is_empty()).then(|| Problem::at("", format!("{CHANGED}: {}.", differs.join(", "))))
    }
}

/// Answers a visit to the page.
pub(super) async fn answer(room: &Room<'_>) -> Result<Shown> {
    if !room.edits {
        return Err(Error::NotFound);
    }
    let Some(form) = &room.guest.visit.form else { return show(room, &Problem::default(), Typed::now(room)).await };
    let mut typed = Typed::read(form);
    if let Some(problem) = typed.refuse(form, Typed::now(room)) {
        return show(room, &problem, typed).await;
    }
    match save(room, &typed).await? {
        Ok(slug) => Ok(room.guest.see(&format!("/orgs/{}/teams/{slug}{TAB}", room.team.org), "saved")),
        Err(problem) => show(room, &problem, typed).await,
    }
}

/// A text with the ends of lines that are stored.
fn lines(text: &str) -> String {
    text.trim().replace("\r\n", "\n")
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
    ]);
    if !typed.is_long || !typed.description.is_empty() {
        let description = Some(typed.description.clone()).filter(|text| !text.is_empty());
        fields.insert("description".to_owned(), description.into());
    }
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

async fn show(room: &Room<'_>, problem: &Problem, typed: Typed) -> Result<Shown> {
    let teams = suggestions::teams(room.guest, &room.team.org).await?;
    let (frame, head) = (room.guest.frame()?, Head::new(room, TAB, problem, &DONE));
    Shown::of(problem.status(), &Settings { frame, head, typed, teams })
}

#[derive(Template)]
#[template(path = "team/settings.html")]
struct Settings<'a> {
    frame: Frame,
    head: Head<'a>,
    typed: Typed,
    /// The teams that the form offers.
    teams: Vec<Suggestion>,
}

impl Settings<'_> {
    /// True if the team cannot become secret now.
    fn is_nested(&self) -> bool {
        let team = &self.head.room.team;
        !team.parents.is_empty() || team.children > 0
    }
}
