//! The home of a person: their invitations, organizations and teams.

use askama::Template;
use serde::Deserialize;
use serde_json::Value;

use super::form::Form;
use super::guest::{Guest, body};
use super::layout::{Frame, Shown};
use crate::error::Result;
use crate::oauth::Question;

/// The most teams on the page, which are one page of a list.
const MOST: usize = 100;

/// The fields of the caller that the page shows.
#[derive(Deserialize)]
struct Person {
    login: String,
    name: Option<String>,
    email: Option<String>,
}

/// An organization, or the organization of a team.
#[derive(Deserialize)]
struct Organization {
    login: String,
}

/// A membership of an organization, or an invitation.
#[derive(Deserialize)]
struct Membership {
    state: String,
    role: String,
    organization: Organization,
}

/// A team.
#[derive(Deserialize)]
struct Team {
    name: String,
    slug: String,
    organization: Organization,
}

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>) -> Result<Shown> {
    let Some(form) = &guest.visit.form else { return page(guest).await };
    if let Some(refusal) = guest.refuse("/ui")? {
        return Ok(refusal);
    }
    let org = form.get("org");
    let done = match form.get("answer") {
        "accept" => {
            let active = body([("state", "active".into())]);
            let of = &[("org", org)];
            guest.call::<Value>("orgs.updateMembershipForAuthenticatedUser", of, active).await?;
            "joined"
        }
        "decline" => {
            guest.call::<Value>("memberships.decline", &[], body([("org", org.into())])).await?;
            "declined"
        }
        _ => return page(guest).await,
    };
    Ok(guest.see_home(done, org))
}

async fn page(guest: &Guest<'_>) -> Result<Shown> {
    let person: Person = guest.call("users.getAuthenticated", &[], body([])).await?;
    let all: Vec<Membership> = guest.call("orgs.listMembershipsForAuthenticatedUser", &[], body([])).await?;
    let (invitations, organizations): (Vec<_>, Vec<_>) = all.into_iter().partition(|of| of.state == "pending");
    let questions: Vec<Question> = guest.call("applications.questions", &[], body([])).await?;
    let teams: Vec<Team> = guest.call("teams.listForAuthenticatedUser", &[], body([])).await?;
    let rooms = organizations.into_iter().map(|of| {
        let teams = teams.iter().filter(|team| team.organization.login == of.organization.login).collect();
        Room { of, teams }
    });
    let rooms: Vec<Room<'_>> = rooms.collect();
    let query = Form::read_encoded(&guest.visit.query).unwrap_or_default();
    let welcome = query.get("welcome");
    let is_of = |org: &str| rooms.iter().any(|room| room.of.organization.login == org);
    let done = match ([query.get("joined"), welcome], query.get("created")) {
        ([org, _] | [_, org], _) if is_of(org) => format!("You joined {org}."),
        (_, org) if is_of(org) => format!("You created {org}."),
        _ if !query.get("declined").is_empty() => "You declined the invitation.".to_owned(),
        _ => String::new(),
    };
    let may_create = guest.may("orgs.createForAuthenticatedUser", &[]).await?;
    let is_cut = teams.len() >= MOST;
    let email = person.email.filter(|_| !welcome.is_empty());
    let name = person.name.filter(|name| !name.trim().is_empty()).unwrap_or(person.login);
    let (frame, code) = (guest.frame()?, guest.code("/ui")?);
    Shown::of(200, &Home { frame, code, name, done, email, invitations, questions, rooms, may_create, is_cut })
}

/// An organization with the person's teams.
struct Room<'a> {
    of: Membership,
    teams: Vec<&'a Team>,
}

#[derive(Template)]
#[template(path = "home.html")]
struct Home<'a> {
    frame: Frame,
    code: String,
    name: String,
    /// A sentence about what was just done; empty if nothing was.
    done: String,
    /// The primary e-mail address, for a person whose account was just made.
    email: Option<String>,
    invitations: Vec<Membership>,
    /// The open questions to the person about applications.
    questions: Vec<Question>,
    rooms: Vec<Room<'a>>,
    /// True if the person may create an organization.
    may_create: bool,
    /// True if there may be more teams.
    is_cut: bool,
}
