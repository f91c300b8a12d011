//! The repositories and the projects of a team: the levels, where they come from, and changing them.

use askama::Template;
use serde::Deserialize;
use serde_json::Value;

use super::room::{Head, QUESTION, Room};
use crate::error::{Error, Result};
use crate::links::segment;
use crate::operation::Page;
use crate::pages::form::Form;
use crate::pages::guest::{Listed, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::plain::{self, MAY_NOT};
use crate::pages::problem::Problem;
use crate::pages::suggestions::{self, Suggestion};
use crate::teams::rooms::grants::RoomGrant;

/// The number of items on a page.
const MOST: u64 = 30;

/// The sentences after a form, by the word in the query.
const DONE: [(&str, &str); 3] =
    [("given", "The team has access now."), ("changed", "Level changed."), ("taken", "Taken away from this team.")];

/// A level: the word in the API, its name, and what it allows.
pub(super) type Level = (&'static str, &'static str, &'static str);

/// The differences between the room of repositories and the room of projects.
pub(super) struct Kind {
    pub tab: &'static str,
    /// The word for one of them.
    one: &'static str,
    list: &'static str,
    put: &'static str,
    remove: &'static str,
    levels: &'static [Level],
}

/// The room of repositories.
pub(super) const REPOSITORIES: Kind = Kind {
    tab: "/repositories",
    one: "repository",
    list: "rooms.repositories",
    put: "teams.addOrUpdateRepoPermissionsInOrg",
    remove: "teams.removeRepoInOrg",
    levels: &[
        ("pull", "Read", "See and clone it."),
        ("triage", "Triage", "Also manage issues and pull requests."),
        ("push", "Write", "Also push to it."),
        ("maintain", "Maintain", "Also change most settings."),
        ("admin", "Admin", "Everything, also who has access, and deleting it."),
    ],
};

/// The room of projects.
pub(super) const PROJECTS: Kind = Kind {
    tab: "/projects",
    one: "project",
    list: "rooms.projects",
    put: "teams.addOrUpdateProjectPermissionsInOrg",
    remove: "teams.removeProjectInOrg",
    levels: &[
        ("read", "Read", "See it."),
        ("write", "Write", "Also change what is in it."),
        ("admin", "Admin", "Everything, also who has access, and deleting it."),
    ],
};

/// A repository, as far as looking up its grant needs it.
#[derive(Deserialize)]
struct Repository {
    id: i64,
}

/// A project that was found by its number.
#[derive(Deserialize)]
struct Numbered {
    id: i64,
}

/// Answers a visit to the page.
pub(super) async fn answer(room: &Room<'_>, kind: &'static Kind) -> Result<Shown> {
    if let Some(form) = &room.guest.visit.form {
        return match change(room, kind, form).await? {
            Ok(done) => Ok(room.see(kind.tab, done)),
            Err(problem) => show(room, kind, &problem, [form.get("subject"), form.get("level")]).await,
        };
    }
    let [change, take] = ["change", "take"].map(|word| room.guest.query(word));
    match (change.as_str(), take.as_str()) {
        ("", "") => show(room, kind, &Problem::default(), ["", ""]).await,
        ("", name) => ask(room, kind, name, false).await,
        (name, _) => ask(room, kind, name, true).await,
    }
}

async fn change(room: &Room<'_>, kind: &Kind, form: &Form) -> Result<std::result::Result<&'static str, Problem>> {
    let subject = form.get("subject").trim();
    if subject.is_empty() {
        let text =
            if kind.is_projects() { "Enter the number of a project." } else { "Enter the name of a repository." };
        return Ok(Err(Problem::at("subject", text)));
    }
    let [org, slug] = room.at();
    let (owner, repo) = subject.split_once('/').unwrap_or((&room.team.org, subject));
    let project = if kind.is_projects() && form.get("do") == "give" {
        numbered(room, subject).await?
    } else {
        subject.to_owned()
    };
    let at = if kind.is_projects() {
        vec![org, slug, ("project_id", project.as_str())]
    } else {
        vec![org, slug, ("owner", owner), ("repo", repo)]
    };
    if matches!(form.get("do"), "change" | "take") {
        let Some(found) = find(room, kind, subject).await? else {
            let text = format!("{} does not have this {} any more, or you cannot see it.", room.team.name, kind.one);
            return Ok(Err(Problem::at("", text)));
        };
        let other = Problem::of_other(form, found.id).filter(|_| form.get("do") == "take");
        if let Some(problem) = other {
            return Ok(Err(problem));
        }
    }
    let fields = body([("permission", form.get("level").into())]);
    let (sent, done) = match form.get("do") {
        "give" => (room.guest.call::<Value>(kind.put, &at, fields).await, "given"),
        "change" => (room.guest.call::<Value>(kind.put, &at, fields).await, "changed"),
        "take" => (room.guest.call::<Value>(kind.remove, &at, body([])).await, "taken"),
        _ => return Err(Error::NotFound),
    };
    let text = match sent {
        Ok(_) => return Ok(Ok(done)),
        Err(Error::NotFound | Error::Moved { .. }) => format!("There is no {} {subject} that you can see.", kind.one),
        Err(Error::Forbidden(_)) if done != "taken" => {
            format!("You need the level Admin on this {} to give access to it.", kind.one)
        }
        Err(Error::Forbidden(text)) => plain::sentence(&text, MAY_NOT),
        Err(Error::Unprocessable { errors, .. }) if errors.iter().any(|error| error.code == "not_owned") => {
            format!("Only repositories of {} and forks of them can be given to its teams.", room.team.org)
        }
        Err(error) => Problem::of(error)?.text,
    };
    Ok(Err(Problem::at("subject", text)))
}

/// The ID of the project with this number, as a path has it; 0 if there is none.
async fn numbered(room: &Room<'_>, typed: &str) -> Result<String> {
    let Ok(number) = typed.trim_start_matches('#').parse::<i64>() else { return Ok("0".to_owned()) };
    let at = [("org", room.team.org.as_str())];
    let found: Numbered = room.guest.call("projects.find", &at, body([("number", number.into())])).await?;
    Ok(found.id.to_string())
}

async fn show(room: &Room<'_>, kind: &'static Kind, problem: &Problem, [subject, level]: [&str; 2]) -> Result<Shown> {
    let list: Listed<RoomGrant> = room.list(kind.list, body([]), room.guest.page(MOST)).await?;
    let org = &room.team.org;
    let offered = if kind.is_projects() {
        suggestions::projects(room.guest, org).await?
    } else {
        suggestions::repositories(room.guest, org).await?
    };
    let (frame, head) = (room.guest.frame()?, Head::new(room, kind.tab, problem, &DONE));
    Shown::of(problem.status(), &Grants { frame, head, kind, list, offered, subject, level })
}

/// The page that asks before the level changes or goes.
async fn ask(room: &Room<'_>, kind: &'static Kind, name: &str, changes: bool) -> Result<Shown> {
    let found = find(room, kind, name).await?;
    let of = found.filter(|of| of.administers || !changes && kind.takes(room, of)).ok_or(Error::NotFound)?;
    let none = Problem::default();
    let (frame, head) = (room.guest.frame()?, Head::new(room, QUESTION, &none, &[]));
    if changes {
        return Shown::of(200, &Change { frame, head, kind, of });
    }
    Shown::of(200, &Take { frame, head, kind, of })
}

/// The grant that the team itself was given for this, if it was.
async fn find(room: &Room<'_>, kind: &Kind, subject: &str) -> Result<Option<RoomGrant>> {
    let id = if kind.is_projects() {
        subject.parse().ok()
    } else {
        let (owner, repo) = subject.split_once('/').unwrap_or((&room.team.org, subject));
        match room.guest.call::<Repository>("repos.get", &[("owner", owner), ("repo", repo)], body([])).await {
            Ok(found) => Some(found.id),
            Err(Error::NotFound | Error::Moved { .. }) => None,
            Err(error) => return Err(error),
        }
    };
    let Some(id): Option<i64> = id else { return Ok(None) };
    let one = Page { number: 1, per_page: 1 };
    let list: Listed<RoomGrant> = room.list(kind.list, body([("id", id.into())]), one).await?;
    Ok(list.items.into_iter().find(|of| of.own.is_some()))
}

impl Kind {
    /// True if it is the room of projects.
    fn is_projects(&self) -> bool {
        self.one == "project"
    }

    /// The same in the query of a link.
    pub fn named(&self, of: &RoomGrant) -> String {
        segment(&self.subject(of))
    }

    /// The text that names one of them in forms.
    fn subject(&self, of: &RoomGrant) -> String {
        if self.is_projects() { of.id.to_string() } else { of.name.clone() }
    }

    /// The name of a level.
    pub fn level(&self, word: &str) -> &'static str {
        let named = self.levels.iter().find(|(api, name, _)| *api == word || name.eq_ignore_ascii_case(word));
        named.map_or("None", |(_, name, _)| name)
    }

    /// True if the visitor may take it away from the team.
    pub fn takes(&self, room: &Room<'_>, of: &RoomGrant) -> bool {
        of.administers || room.edits || self.is_projects()
    }
}

#[derive(Template)]
#[template(path = "team/grants.html")]
struct Grants<'a> {
    frame: Frame,
    head: Head<'a>,
    kind: &'static Kind,
    list: Listed<RoomGrant>,
    /// The projects or repositories that the form offers.
    offered: Vec<Suggestion>,
    /// The typed name of a repository or number of a project.
    subject: &'a str,
    /// The typed level.
    level: &'a str,
}

/// The page that changes a level.
#[derive(Template)]
#[template(path = "team/grant_change.html")]
struct Change<'a> {
    frame: Frame,
    head: Head<'a>,
    kind: &'static Kind,
    of: RoomGrant,
}

/// The page that asks before a level goes.
#[derive(Template)]
#[template(path = "team/grant_take.html")]
struct Take<'a> {
    frame: Frame,
    head: Head<'a>,
    kind: &'static Kind,
    of: RoomGrant,
}
