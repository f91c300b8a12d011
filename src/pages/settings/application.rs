//! The page of an application that a person manages, with its secrets and all that is registered for it (decision 62).

use askama::Template;
use serde_json::{Map, Value, json};

use super::applications::AT;
use super::{Confirm, Room, page, see};
use crate::error::{Error, Result};
use crate::links::segment;
use crate::oauth::Made;
use crate::oauth::own_applications::OwnApplication;
use crate::pages::form::Form;
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;
use crate::posts::text;

/// The sentence for an application that has changed while its form was open.
const CHANGED: &str = "The application was changed after you opened this page. Saving yours replaces that.";

/// The values of the form.
#[derive(Default)]
pub(super) struct Filled {
    pub name: String,
    /// One on each line.
    pub redirect_uris: String,
    pub device_flow: bool,
    pub effective_teams: bool,
}

impl Filled {
    pub fn typed(form: &Form) -> Self {
        Self {
            name: form.get("name").to_owned(),
            redirect_uris: form.get("redirect_uris").to_owned(),
            device_flow: form.get("device_flow") == "on",
            effective_teams: form.get("effective_teams") == "on",
        }
    }

    pub fn stored(of: &OwnApplication) -> Self {
        Self {
            name: of.name.clone(),
            redirect_uris: of.redirect_uris.join("\n"),
            device_flow: of.device_flow,
            effective_teams: of.effective_teams,
        }
    }

    /// The version of all that the form writes. Browsers send lines that end with two characters.
    fn version(&self) -> String {
        text::version(&Value::from(self.fields()).to_string())
    }

    /// The fields of the operations that register and change an application.
    pub fn fields(&self) -> Map<String, Value> {
        let uris: Vec<&str> = self.redirect_uris.split_whitespace().collect();
        body([
            ("name", self.name.as_str().into()),
            ("redirect_uris", json!(uris)),
            ("device_flow", self.device_flow.into()),
            ("effective_teams", self.effective_teams.into()),
        ])
    }
}

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, client_id: &str) -> Result<Shown> {
    let Some(form) = &guest.visit.form else {
        let ([delete, secret], of) =
            (["delete", "secret"].map(|name| guest.query(name)), found(guest, client_id).await?);
        return match (delete.as_str(), secret.as_str()) {
            ("", "") => show(guest, of, None, None, None),
            ("", secret) => confirm_removal(guest, &of, secret),
            _ => confirm_deletion(guest, &of),
        };
    };
    if let Some(refusal) = guest.refuse(&page(AT))? {
        return Ok(refusal);
    }
    let path = &[("client_id", client_id)];
    match form.get("do") {
        "add" => {
            let made = guest.call::<Made>("ownApplications.addSecret", path, body([])).await;
            let (problem, secret) = match made {
                Ok(made) => (None, made.secret),
                Err(error) => (Some(Problem::of(error)?), None),
            };
            show(guest, found(guest, client_id).await?, problem, None, secret)
        }
        "change" => {
            let filled = Filled::typed(form);
            if let Some((now, problem)) = stale(guest, client_id, form).await? {
                return show(guest, now, Some(problem), Some(filled), None);
            }
            let changed = guest.call::<Value>("ownApplications.update", path, filled.fields()).await;
            after(guest, client_id, changed, "saved", Some(filled)).await
        }
        "remove" => {
            let secret: i64 = form.get("secret").parse().map_err(|_| Error::NotFound)?;
            let fields = body([("secret", secret.into())]);
            let removed = guest.call::<Value>("ownApplications.removeSecret", path, fields).await;
            after(guest, client_id, removed, "unkeyed", None).await
        }
        "delete" => {
            guest.call::<Value>("ownApplications.delete", path, body([])).await?;
            Ok(see(guest, AT, "deleted"))
        }
        _ => Err(Error::NotFound),
    }
}

/// The application, if the form showed another version of it and would replace what is there now. A sign-in that is not
/// recent is refused first.
async fn stale(guest: &Guest<'_>, client_id: &str, form: &Form) -> Result<Option<(OwnApplication, Problem)>> {
    let now = found(guest, client_id).await?;
    let version = Filled::stored(&now).version();
    let is_same = [form.get("version"), &Filled::typed(form).version()].contains(&version.as_str());
    Ok((guest.is_recent() && !is_same).then(|| (now, Problem::at("", CHANGED))))
}

/// The page after a change, or with the problem of it.
async fn after(
    guest: &Guest<'_>,
    client_id: &str,
    changed: Result<Value>,
    done: &str,
    typed: Option<Filled>,
) -> Result<Shown> {
    match changed {
        Ok(_) => Ok(see(guest, &path(client_id), done)),
        Err(error) => show(guest, found(guest, client_id).await?, Some(Problem::of(error)?), typed, None),
    }
}

/// The path of the page below the settings.
fn path(client_id: &str) -> String {
    [AT, "/registered/", &segment(client_id)].concat()
}

pub(super) async fn found(guest: &Guest<'_>, client_id: &str) -> Result<OwnApplication> {
    guest.call("ownApplications.get", &[("client_id", client_id)], body([])).await
}

/// The page that asks before an application is deleted.
fn confirm_deletion(guest: &Guest<'_>, of: &OwnApplication) -> Result<Shown> {
    let people = match of.people {
        0 => "No one has allowed it to act for them.".to_owned(),
        1 => "One person has allowed it to act for them. That ends.".to_owned(),
        many => format!("{many} people have allowed it to act for them. That ends."),
    };
    let text = format!("{people} Its client ID, secrets and tokens stop working at once. This cannot be undone.");
    confirm(guest, of, &text, ("delete", format!("Delete {}", of.name)), "")
}

/// The page that asks before a secret is removed.
fn confirm_removal(guest: &Guest<'_>, of: &OwnApplication, secret: &str) -> Result<Shown> {
    let known = secrets(of).into_iter().find(|(id, _)| id.to_string() == secret);
    let (_, word) = known.ok_or(Error::NotFound)?;
    let button = format!("Remove the {} secret of {}", word.to_lowercase(), of.name);
    let text =
        "Servers that use it can sign no one in any more. Tokens that it has given go on. This cannot be undone.";
    confirm(guest, of, text, ("remove", button), secret)
}

fn confirm(guest: &Guest<'_>, of: &OwnApplication, text: &str, button: (&str, String), secret: &str) -> Result<Shown> {
    let (frame, room, to) = (guest.frame()?, Room::new(guest, AT, None)?, path(&of.client_id));
    let question = format!("{}?", button.1);
    Shown::of(200, &Confirm { frame, room, to: &to, question, text, named: ("secret", secret), button })
}

/// The secrets of an application, the newest first, each with the word for it.
fn secrets(of: &OwnApplication) -> Vec<(i64, &'static str)> {
    match of.secrets[..] {
        [older, newer] => vec![(newer, "Newer"), (older, "Older")],
        ref secrets => secrets.iter().map(|id| (*id, "Only")).collect(),
    }
}

/// The page. The secret was just made, and is shown only now.
pub(super) fn show(
    guest: &Guest<'_>,
    of: OwnApplication,
    problem: Option<Problem>,
    typed: Option<Filled>,
    secret: Option<String>,
) -> Result<Shown> {
    let (room, to) = (Room::new(guest, AT, problem)?, path(&of.client_id));
    let (filled, secrets) = (typed.unwrap_or_else(|| Filled::stored(&of)), secrets(&of));
    let (login, version) = ((!guest.is_recent()).then(|| guest.login_from_here()), Filled::stored(&of).version());
    let frame = guest.frame()?;
    Shown::of(room.status(), &ApplicationPage { frame, room, to, of, version, secrets, filled, secret, login })
}

#[derive(Template)]
#[template(path = "settings/application.html")]
struct ApplicationPage {
    frame: Frame,
    room: Room,
    /// The path of the page below the settings.
    to: String,
    of: OwnApplication,
    /// The version of what the form shows.
    version: String,
    /// Its secrets, each with the word for it.
    secrets: Vec<(i64, &'static str)>,
    filled: Filled,
    /// The secret that was just made.
    secret: Option<String>,
    /// The path of the page to sign in, if a recent sign-in is needed before anything is changed.
    login: Option<String>,
}
