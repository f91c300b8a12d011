//! The home of a person: what waits for them, their organizations and teams, and what is new on their boards.

use std::collections::HashMap;

use askama::Template;
use serde::Deserialize;
use serde_json::Value;

use super::form::Form;
use super::guest::{Guest, Listed, body};
use super::layout::{Frame, Shown};
use super::organization::hooks::{Failing, failing};
use super::thread::Thread;
use super::tree::{Line, lines};
use crate::dispatch::FIRST;
use crate::error::{Error, Result};
use crate::oauth::Question;
use crate::operation::{Mails, Page};
use crate::teams::rooms::tree::{Branch, OwnBranches};
use crate::teams::rooms::waiting::Waiting;

/// The most teams on the page, which are one page of a list.
const MOST: u64 = 50;

/// The most invitations, requests and questions that wait for the person on the page, of each.
const WAITING: usize = 10;

/// The number of organizations on a page.
const ORGANIZATIONS: u64 = 30;

/// The number of new discussions on the page.
const NEW: u64 = 5;

/// The fields of the caller that the page shows.
#[derive(Deserialize)]
struct Person {
    login: String,
    name: Option<String>,
    email: Option<String>,
}

/// An e-mail address of the caller.
#[derive(Deserialize)]
struct Email {
    email: String,
    verified: bool,
}

/// An organization.
#[derive(Deserialize)]
struct Organization {
    login: String,
}

/// A membership of an organization, or an invitation.
#[derive(Deserialize)]
struct Membership {
    role: String,
    organization: Organization,
}

/// The answers to a request to join a team, and what becomes of it.
const DECISIONS: [(&str, &str); 2] = [("add", "approved"), ("refuse", "declined")];

/// The sentences after such an answer, by the word in the query.
const DECIDED: [(&str, &str); 4] = [
    ("organization-deleted", "The organization was deleted."),
    ("approved", "They are on the team now."),
    ("declined", "Request declined."),
    ("ended", "That request was answered or withdrawn."),
];

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>) -> Result<Shown> {
    let Some(form) = &guest.visit.form else { return page(guest).await };
    if let Some(refusal) = guest.refuse("/ui")? {
        return Ok(refusal);
    }
    let org = form.get("org");
    if let Some(state) = DECISIONS.iter().find_map(|(word, state)| (*word == form.get("answer")).then_some(*state)) {
        let at = [("org", org), ("team_slug", form.get("team")), ("join_request_id", form.get("request"))];
        let decided = guest.call::<Value>("teams.decideJoinRequestInOrg", &at, body([("state", state.into())])).await;
        return match decided {
            Ok(_) => Ok(guest.see("", state)),
            Err(Error::NotFound | Error::Unprocessable { .. }) => Ok(guest.see("", "ended")),
            Err(error) => Err(error),
        };
    }
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
    let invitations = memberships(guest, "pending", Page { per_page: WAITING as u64, ..FIRST }).await?;
    let organizations = memberships(guest, "active", guest.page(ORGANIZATIONS)).await?;
    let mut questions: Vec<Question> = guest.call("applications.questions", &[], body([])).await?;
    let mut requests: Vec<Waiting> = guest.call("rooms.waiting", &[], body([])).await?;
    let more_wait = invitations.total > WAITING as u64 || questions.len() > WAITING || requests.len() > WAITING;
    questions.truncate(WAITING);
    requests.truncate(WAITING);
    let owned = organizations.items.iter().filter(|of| of.role == "admin").map(|of| of.organization.login.as_str());
    let failing = failing(guest, &owned.collect::<Vec<_>>()).await?;
    let own: Listed<OwnBranches> = guest.list("rooms.ownTree", &[], body([]), Page { per_page: MOST, ..FIRST }).await?;
    let is_cut = own.total >= MOST;
    let mut trees: HashMap<String, Vec<Branch>> =
        own.items.into_iter().map(|tree| (tree.organization, tree.teams)).collect();
    let Listed { items, total, page } = organizations;
    let rooms = items.into_iter().map(|of| {
        let mut teams = trees.remove(&of.organization.login).unwrap_or_default();
        if of.role == "admin" {
            lead(&mut teams);
        }
        Room { of, teams }
    });
    let rooms = Listed { items: rooms.collect(), total, page };
    let new: Vec<Thread> = if guest.unread > 0 {
        Thread::list(guest, body([]), Page { per_page: NEW, ..FIRST }).await?.items
    } else {
        Vec::new()
    };
    let query = Form::read_encoded(&guest.visit.query).unwrap_or_default();
    let done = done(guest, &query, &rooms.items);
    let may_create = guest.may("orgs.createForAuthenticatedUser", &[]).await?;
    let email = person.email.filter(|_| !query.get("welcome").is_empty());
    let emails: Vec<Email> = guest.call("users.listEmailsForAuthenticated", &[], body([])).await?;
    let is_verified = emails.iter().any(|of| of.verified);
    let unverified = emails.into_iter().next().filter(|_| !is_verified).map(|of| of.email);
    let is_ready = unverified.is_some() && !query.get("ready").is_empty();
    let ready = is_ready.then_some(guest.service.site.mails == Mails::AreFiles);
    let name = person.name.filter(|name| !name.trim().is_empty()).unwrap_or(person.login);
    let (frame, code) = (guest.frame()?, guest.code("/ui")?);
    let shown = Home {
        frame,
        code,
        name,
        done,
        email,
        unverified,
        ready,
        invitations: invitations.items,
        questions,
        requests,
        failing,
        more_wait,
        rooms,
        new,
        may_create,
        is_cut,
    };
    Shown::of(200, &shown)
}

/// A page of the person's memberships in this state.
async fn memberships(guest: &Guest<'_>, state: &str, page: Page) -> Result<Listed<Membership>> {
    guest.list("orgs.listMembershipsForAuthenticatedUser", &[], body([("state", state.into())]), page).await
}

/// Owners are maintainers of the teams that they are on, as all pages say.
fn lead(teams: &mut [Branch]) {
    for team in teams {
        team.role = team.role.take().map(|_| "maintainer".to_owned());
        lead(&mut team.below);
    }
}

/// The sentence about what was just done; empty if nothing was.
fn done(guest: &Guest<'_>, query: &Form, rooms: &[Room]) -> String {
    let is_of = |org: &str| rooms.iter().any(|room| room.of.organization.login == org);
    match ([query.get("joined"), query.get("welcome")], query.get("created")) {
        _ if is_of(query.get("ready")) => format!("{} is ready.", query.get("ready")),
        ([org, _] | [_, org], _) if is_of(org) => format!("You joined {org}."),
        (_, org) if is_of(org) => format!("You created {org}."),
        _ if !query.get("declined").is_empty() => "You declined the invitation.".to_owned(),
        _ => guest.done(&DECIDED).to_owned(),
    }
}

/// An organization with the person's teams.
struct Room {
    of: Membership,
    teams: Vec<Branch>,
}

impl Room {
    fn lines(&self) -> Vec<Line<'_>> {
        lines(&self.of.organization.login, &self.teams)
    }

    /// True if the person sees its teams.
    fn has_teams(&self) -> bool {
        self.of.role != "billing_manager"
    }
}

#[derive(Template)]
#[template(path = "home.html")]
struct Home {
    frame: Frame,
    code: String,
    name: String,
    /// A sentence about what was just done; empty if nothing was.
    done: String,
    /// The primary e-mail address, for a person whose account was just made.
    email: Option<String>,
    /// The e-mail address of a person who has none that is verified.
    unverified: Option<String>,
    /// For a person who has just set up the site: true if e-mails are saved as files.
    ready: Option<bool>,
    invitations: Vec<Membership>,
    /// The open questions to the person about applications.
    questions: Vec<Question>,
    /// The open requests to join teams that the person may decide.
    requests: Vec<Waiting>,
    /// The webhooks of the person's organizations whose last delivery failed.
    failing: Vec<Failing>,
    /// True if more wait, which appear once these are answered.
    more_wait: bool,
    rooms: Listed<Room>,
    /// The first unread discussions of the inbox.
    new: Vec<Thread>,
    /// True if the person may create an organization.
    may_create: bool,
    /// True if there may be more teams.
    is_cut: bool,
}

impl Home {
    /// The number of things that wait for the person.
    fn waiting(&self) -> usize {
        self.invitations.len() + self.questions.len() + self.requests.len() + self.failing.len()
    }

    /// True if more is unread than the page shows.
    fn has_more(&self) -> bool {
        self.frame.unread > self.new.len() as u64
    }
}
