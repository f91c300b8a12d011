//! The overview of a team: who is on it and how, what it reaches, and what is around it.

use askama::Template;
use serde::Deserialize;

use super::add::Typed;
use super::grants::{self, Kind};
use super::invited::{self, Invitation};
use super::joining::{self, Request};
use super::people::{self, DONE};
use super::room::{Head, Room};
use crate::clock::Time;
use crate::error::Result;
use crate::operation::Page;
use crate::pages::guest::{Listed, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::Problem;
use crate::pages::suggestions::{self, Suggestion};
use crate::teams::rooms::child_teams::ChildTeam;
use crate::teams::rooms::grants::RoomGrant;
use crate::teams::rooms::members::RoomMember;

/// The number of people on the team directly who are shown.
const DIRECT: u64 = 10;

/// The number of people through child teams that are shown.
const THROUGH: u64 = 5;

/// The number of repositories that are shown.
const REPOSITORIES: u64 = 5;

/// The number of child teams that are shown.
const CHILDREN: u64 = 10;

/// The number of the newest posts that are shown.
const POSTS: u64 = 3;

/// A post on the board.
#[derive(Deserialize)]
struct Post {
    number: u64,
    title: String,
    author: Option<Author>,
    private: bool,
    comments_count: u64,
    created_at: Time,
}

#[derive(Deserialize)]
struct Author {
    login: String,
}

/// Answers a visit to the page.
pub(super) async fn answer(room: &Room<'_>) -> Result<Shown> {
    match people::answer(room, "").await? {
        Ok(shown) => Ok(shown),
        Err((problem, typed)) => show(room, &problem, &typed).await,
    }
}

async fn show(room: &Room<'_>, problem: &Problem, typed: &Typed) -> Result<Shown> {
    let first = |per_page| Page { number: 1, per_page };
    let list = |word: &str, most| room.list("rooms.members", body([("membership", word.into())]), first(most));
    let direct: Listed<RoomMember> = list("immediate", DIRECT).await?;
    let through: Listed<RoomMember> = list("child_team", THROUGH).await?;
    let repositories: Listed<RoomGrant> = room.list("rooms.repositories", body([]), first(REPOSITORIES)).await?;
    let children: Listed<ChildTeam> = room.list("rooms.childTeams", body([]), first(CHILDREN)).await?;
    let posts: Listed<Post> = room.list("teams.listDiscussionsInOrg", body([]), first(POSTS)).await?;
    let (requests, may_ask) = (joining::open(room).await?, joining::may_ask(room).await?);
    let asks_again = if may_ask && requests.items.is_empty() { joining::asks_again(room).await? } else { None };
    let open = invited::open(room).await?;
    // Where no one is on the team, its form is what the page is for.
    let people = if room.manages && direct.total == 0 && through.total == 0 {
        suggestions::people(room.guest, &room.team.org).await?
    } else {
        Vec::new()
    };
    let invites = room.manages && room.guest.may("orgs.createInvitation", &[("org", &room.team.org)]).await?;
    let (frame, head) = (room.guest.frame()?, Head::new(room, "", problem, &DONE));
    let kind = &grants::REPOSITORIES;
    let page = Overview {
        frame,
        head,
        typed,
        direct,
        through,
        repositories,
        children,
        posts,
        requests,
        may_ask,
        asks_again,
        invited: open,
        invites,
        people,
        kind,
    };
    Shown::of(problem.status(), &page)
}

impl Overview<'_> {
    /// The name of a person, if they are shown on the page; otherwise the login.
    fn called<'b>(&'b self, login: &'b str) -> &'b str {
        let mut people = self.direct.items.iter().chain(&self.through.items);
        people.find(|person| person.login == login).map_or(login, RoomMember::shown)
    }
}

#[derive(Template)]
#[template(path = "team/overview.html")]
struct Overview<'a> {
    frame: Frame,
    head: Head<'a>,
    typed: &'a Typed,
    direct: Listed<RoomMember>,
    through: Listed<RoomMember>,
    repositories: Listed<RoomGrant>,
    children: Listed<ChildTeam>,
    posts: Listed<Post>,
    /// The open requests to join that the visitor sees.
    requests: Listed<Request>,
    /// True if the visitor may ask to join.
    may_ask: bool,
    /// The time from which the visitor can ask again, if they were refused and cannot ask before.
    asks_again: Option<Time>,
    invited: Listed<Invitation>,
    /// True if the visitor may invite people to the organization.
    invites: bool,
    /// The people that the form offers.
    people: Vec<Suggestion>,
    kind: &'static Kind,
}
