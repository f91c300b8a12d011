//! Changing who is on a team: the forms of the rooms that list people.

use askama::Template;
use serde_json::Value;

use super::add::{self, PUT, Sent, Typed};
use super::room::{Head, QUESTION, Room};
use super::{invited, joining};
use crate::error::{Error, Result};
use crate::pages::form::Form;
use crate::pages::guest::body;
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;

/// The sentences after a form, by the word in the query.
pub(super) const DONE: [(&str, &str); 16] = [
    ("added", "Added. They have the access of this team now."),
    ("invited", "Invited. The e-mail has a link, and they are on the team when they accept."),
    (
        "open",
        "They were invited already, and are on the team when they accept. Owners can send the e-mail again below.",
    ),
    ("role", "Role changed."),
    ("end", "End date saved."),
    ("removed", "Removed from this team."),
    ("declined", "Request declined."),
    ("sent", "Invitation sent again."),
    ("canceled", "Invitation canceled."),
    ("ended", "That invitation was answered or has ended."),
    ("taken", "The invitation no longer leads to this team."),
    ("asked", "You asked to join. Maintainers decide, and you get an e-mail."),
    ("withdrawn", "You no longer ask to join."),
    ("left", "You left this team."),
    ("created", "The team was created."),
    ("saved", "Saved."),
];

/// Answers a visit to a room that lists people, or returns what is wrong with its form and what was typed, with which the
/// room is shown.
pub(super) async fn answer(room: &Room<'_>, tab: &str) -> Result<std::result::Result<Shown, (Problem, Typed)>> {
    let Some(form) = &room.guest.visit.form else { return Ok(question(room).await?.ok_or_else(Default::default)) };
    Ok(match send(room, form).await? {
        Sent::Asks(question) => Ok(question),
        Sent::Done(done) => Ok(room.see(tab, done)),
        Sent::Wrong(problem, typed) => Err((problem, typed)),
    })
}

/// The page that the query asks for before a person is removed or their end date changes, if it asks for one.
async fn question(room: &Room<'_>) -> Result<Option<Shown>> {
    let [remove, end] = ["remove", "end"].map(|word| room.guest.query(word));
    match (remove.as_str(), end.as_str()) {
        ("", "") => Ok(None),
        ("", login) => ask_end(room, login, &Problem::default(), None).await.map(Some),
        (login, _) => ask_remove(room, login, &Problem::default()).await.map(Some),
    }
}

/// Carries out a form.
async fn send(room: &Room<'_>, form: &Form) -> Result<Sent> {
    let [member, maintainer] = ["member", "maintainer"].map(|role| form.get(role));
    let login = form.get("login");
    let changed = match form.get("do") {
        "" => [member, maintainer].into_iter().find(|login| !login.is_empty()),
        "remove" | "end" => Some(login),
        _ => None,
    };
    if let Some(login) = changed
        && room.manages
    {
        let Some(person) = room.person(login).await? else {
            let text = format!("{login} is not on this team any more. Nothing has changed.");
            return Ok(Sent::Wrong(Problem::at("", text), Typed::default()));
        };
        let other = Problem::of_other(form, person.id).filter(|_| form.get("do") == "remove");
        if let Some(problem) = other {
            return ask_remove(room, login, &problem).await.map(Sent::Asks);
        }
    }
    let done = match form.get("do") {
        "" if !member.is_empty() => role(room, member, "member").await?,
        "" if !maintainer.is_empty() => role(room, maintainer, "maintainer").await?,
        "add" => return add::send(room, form).await,
        "remove" => room.remove(login).await.map(|()| "removed")?,
        "end" => {
            let until = form.get("until").trim();
            match end(room, login, until).await? {
                None => "end",
                Some(problem) => return ask_end(room, login, &problem, Some(until)).await.map(Sent::Asks),
            }
        }
        word => match joining::send(room, form, word).await? {
            Some(sent) => return Ok(sent),
            None => invited::send(room, form, word).await?,
        },
    };
    Ok(Sent::Done(done))
}

async fn role(room: &Room<'_>, login: &str, role: &str) -> Result<&'static str> {
    let fields = body([("role", role.into())]);
    room.guest.call::<Value>(PUT, &room.below("username", login), fields).await.map(|_| "role")
}

/// Sets the last day of a membership, or makes it unlimited.
async fn end(room: &Room<'_>, login: &str, until: &str) -> Result<Option<Problem>> {
    let now = room.person(login).await?.ok_or(Error::NotFound)?;
    let at = add::end(until).map_or(Value::Null, Value::from);
    let fields = body([("role", now.role.into()), ("expires_at", at)]);
    match room.guest.call::<Value>(PUT, &room.below("username", login), fields).await {
        Ok(_) => Ok(None),
        Err(error) => add::wrong_end(error).map(Some),
    }
}

async fn ask_remove(room: &Room<'_>, login: &str, problem: &Problem) -> Result<Shown> {
    refuse_outsiders(room)?;
    let person = room.person(login).await?.ok_or(Error::NotFound)?;
    let (frame, head) = (room.guest.frame()?, Head::new(room, QUESTION, problem, &[]));
    Shown::of(problem.status(), &Remove { frame, head, id: person.id, login, is_owner: person.owner })
}

async fn ask_end(room: &Room<'_>, login: &str, problem: &Problem, typed: Option<&str>) -> Result<Shown> {
    refuse_outsiders(room)?;
    let now = room.person(login).await?.ok_or(Error::NotFound)?;
    let day = now.ends.map(|at| at.to_string().chars().take(10).collect::<String>());
    let until = typed.map(str::to_owned).or(day).unwrap_or_default();
    let (frame, head) = (room.guest.frame()?, Head::new(room, QUESTION, problem, &[]));
    Shown::of(problem.status(), &End { frame, head, login, until, is_limited: now.ends.is_some() })
}

/// The questions are for those who may do it.
fn refuse_outsiders(room: &Room<'_>) -> Result<()> {
    if room.manages { Ok(()) } else { Err(Error::NotFound) }
}

/// The page that asks before a person is removed.
#[derive(Template)]
#[template(path = "team/remove.html")]
struct Remove<'a> {
    frame: Frame,
    head: Head<'a>,
    /// The ID of the person.
    id: i64,
    login: &'a str,
    /// True if they own the organization, and so lose nothing.
    is_owner: bool,
}

/// The page that asks for the last day of a membership.
#[derive(Template)]
#[template(path = "team/end.html")]
struct End<'a> {
    frame: Frame,
    head: Head<'a>,
    login: &'a str,
    /// The day that is in the field.
    until: String,
    is_limited: bool,
}
