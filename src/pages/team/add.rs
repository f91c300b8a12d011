//! Adding people to a team: members by login, and people from outside by invitation.

use serde_json::Value;

use super::room::Room;
use crate::error::{Error, Result};
use crate::pages::form::Form;
use crate::pages::guest::body;
use crate::pages::layout::Shown;
use crate::pages::organization::invite;
use crate::pages::plain::{self, MAY_NOT};
use crate::pages::problem::Problem;

/// The operation that adds a person or changes their role.
pub(super) const PUT: &str = "teams.addOrUpdateMembershipForUserInOrg";

/// The text about a day that cannot be the last one.
const DAY: &str = "Enter a day that is not over and at most ten years ahead.";

/// The values of the forms that rooms with people have.
#[derive(Default)]
pub(super) struct Typed {
    pub who: String,
    pub role: String,
    pub until: String,
    /// The message of a person who asks to join.
    pub message: String,
}

impl Typed {
    /// The fields of a form.
    pub fn read(form: &Form) -> Self {
        let [who, role, until, message] =
            ["who", "role", "until", "message"].map(|name| form.get(name).trim().to_owned());
        Self { who, role, until, message }
    }
}

/// The result of a form: a word for what was done, a page that asks again, or what is wrong with what was typed.
pub(super) enum Sent {
    Done(&'static str),
    Asks(Shown),
    Wrong(Problem, Typed),
}

/// The time at which a membership ends whose last day this is; none if no day was typed.
pub(super) fn end(day: &str) -> Option<String> {
    (!day.is_empty()).then(|| format!("{day}T23:59:59Z"))
}

/// The problem with the last day, or another error.
pub(super) fn wrong_end(error: Error) -> Result<Problem> {
    let problem = Problem::of(error)?;
    let text = if problem.field == "expires_at" { DAY.to_owned() } else { problem.text };
    Ok(Problem { field: "until", text, ..problem })
}

/// Adds the person who was typed, or invites them.
pub(super) async fn send(room: &Room<'_>, form: &Form) -> Result<Sent> {
    let typed = Typed::read(form);
    let who = typed.who.trim_start_matches('@');
    let sent = match who {
        "" => Ok(Err(Problem::at("who", "Enter a login or an e-mail address."))),
        address if address.contains('@') => invite(room, address, &typed).await,
        login => put(room, login, &typed).await,
    };
    Ok(match sent? {
        Ok(done) => Sent::Done(done),
        Err(problem) => Sent::Wrong(problem, typed),
    })
}

async fn put(room: &Room<'_>, login: &str, typed: &Typed) -> Result<std::result::Result<&'static str, Problem>> {
    if room.manages && room.person(login).await?.is_some() {
        let text = format!("{login} is on this team already. Nothing has changed.");
        return Ok(Err(Problem::at("who", text)));
    }
    let role = if typed.role == "maintainer" { "maintainer" } else { "member" };
    let mut fields = body([("role", role.into())]);
    if let Some(end) = end(&typed.until) {
        fields.insert("expires_at".to_owned(), end.into());
    }
    let org = room.org();
    let was_open = is_invited(room, login).await?;
    let error = match room.guest.call::<Value>(PUT, &room.below("username", login), fields).await {
        Ok(membership) if membership["state"] != "pending" => return Ok(Ok("added")),
        Ok(_) => return Ok(Ok(if was_open { "open" } else { "invited" })),
        Err(error) => error,
    };
    let text = match error {
        Error::NotFound if room.guest.may("orgs.createInvitation", &[("org", &room.team.org)]).await? => {
            format!("There is no account {login}. Invite someone without one by their e-mail address.")
        }
        Error::NotFound => {
            format!("There is no account {login}. Enter the login of a member of {org}; owners can invite others.")
        }
        Error::Forbidden(text) => plain::sentence(&text, MAY_NOT),
        Error::Unprocessable { ref errors, .. } if errors.iter().any(|error| error.code == "no_permission") => {
            format!("{login} is not in {org}. Owners of {org} can invite them.")
        }
        Error::Unprocessable { ref errors, .. } if errors.iter().any(|error| error.code == "org") => {
            format!("{login} is an organization. Only people are on teams.")
        }
        Error::Unprocessable { ref errors, .. } if errors.iter().any(|error| error.field == "expires_at") => {
            return wrong_end(error).map(Err);
        }
        error => Problem::of(error)?.text,
    };
    Ok(Err(Problem::at("who", text)))
}

/// True if there can be no new invitation of this person: one is open, or the visitor invites no one.
async fn is_invited(room: &Room<'_>, login: &str) -> Result<bool> {
    let org = ("org", room.team.org.as_str());
    if !room.guest.may("orgs.createInvitation", &[org]).await? {
        return Ok(true);
    }
    match room.guest.call::<Value>("orgs.getMembershipForUser", &[org, ("username", login)], body([])).await {
        Ok(membership) => Ok(membership["state"] == "pending"),
        Err(error @ (Error::Unavailable(_) | Error::Bug(_))) => Err(error),
        Err(_) => Ok(false),
    }
}

async fn invite(room: &Room<'_>, address: &str, typed: &Typed) -> Result<std::result::Result<&'static str, Problem>> {
    let org = room.org();
    let too_much = match (typed.role.as_str(), typed.until.as_str()) {
        ("maintainer", _) => Some((
            "role",
            "Someone invited by e-mail address begins as a member. Make them a maintainer when they have joined.",
        )),
        (_, "") => None,
        _ => Some((
            "until",
            "Someone invited by e-mail address begins without a last day. Set one when they have joined.",
        )),
    };
    if let Some((field, text)) = too_much {
        return Ok(Err(Problem::at(field, text)));
    }
    let fields = body([("email", address.into()), ("team_ids", vec![room.team.id].into())]);
    let (at, before) = ([("org", room.team.org.as_str())], room.guest.service.now());
    let text = match room.guest.call::<invite::Sent>("orgs.createInvitation", &at, fields).await {
        Ok(sent) => return Ok(Ok(if sent.was_open(before) { "open" } else { "invited" })),
        Err(Error::Forbidden(_) | Error::NotFound) => {
            format!("Enter the login of a member of {org}. Only owners can invite someone by e-mail address.")
        }
        Err(error) => match Problem::of(error)? {
            Problem { field: "email", code: "invalid", .. } => {
                "Enter an address with an @, like name@example.com.".to_owned()
            }
            Problem { field: "email", .. } => {
                format!("This address belongs to someone who is in {org} already. Add them by their login.")
            }
            Problem { text, .. } => text,
        },
    };
    Ok(Err(Problem::at("who", text)))
}
