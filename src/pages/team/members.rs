//! Everyone on a team, directly and through child teams.

use askama::Template;

use super::add::Typed;
use super::people::{self, DONE};
use super::room::{Head, Room};
use crate::error::Result;
use crate::pages::guest::{Listed, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;
use crate::pages::suggestions::{self, Suggestion};
use crate::teams::rooms::members::RoomMember;

/// The path below the team.
const TAB: &str = "/members";

/// The number of people on a page.
const MOST: u64 = 30;

/// The choices of a filter: the word and its name.
type Choices = [(&'static str, &'static str); 3];

/// The roles to show.
const ROLES: Choices = [("all", "Everyone"), ("maintainer", "Maintainers"), ("member", "Members")];

/// The ways onto the team to show.
const WAYS: Choices = [("all", "All"), ("immediate", "On this team"), ("child_team", "Through child teams")];

/// Answers a visit to the page.
pub(super) async fn answer(room: &Room<'_>) -> Result<Shown> {
    match people::answer(room, TAB).await? {
        Ok(shown) => Ok(shown),
        Err((problem, typed)) => show(room, &problem, &typed).await,
    }
}

async fn show(room: &Room<'_>, problem: &Problem, typed: &Typed) -> Result<Shown> {
    let chosen = |name: &str, choices: Choices| {
        let asked = room.guest.query(name);
        choices.into_iter().find(|(word, _)| *word == asked).map_or("all", |(word, _)| word)
    };
    let (role, way) = (chosen("role", ROLES), chosen("membership", WAYS));
    let fields = body([("role", role.into()), ("membership", way.into())]);
    let list = room.list("rooms.members", fields, room.guest.page(MOST)).await?;
    let invites = room.manages && room.guest.may("orgs.createInvitation", &[("org", &room.team.org)]).await?;
    let people = if room.manages { suggestions::people(room.guest, &room.team.org).await? } else { Vec::new() };
    let (frame, head) = (room.guest.frame()?, Head::new(room, TAB, problem, &DONE));
    Shown::of(problem.status(), &Members { frame, head, typed, list, role, way, invites, people })
}

#[derive(Template)]
#[template(path = "team/members.html")]
struct Members<'a> {
    frame: Frame,
    head: Head<'a>,
    typed: &'a Typed,
    list: Listed<RoomMember>,
    role: &'static str,
    way: &'static str,
    /// True if the visitor may invite people to the organization.
    invites: bool,
    /// The people that the form offers.
    people: Vec<Suggestion>,
}

impl Members<'_> {
    /// The part of the query that keeps the filters.
    fn kept(&self) -> String {
        format!("role={}&membership={}&", self.role, self.way)
    }
}
