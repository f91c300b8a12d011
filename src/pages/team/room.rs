//! The parts that all rooms of a team have: the team, the tabs, and what the visitor may do.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::error::Result;
use crate::name::called;
use crate::notices::board::Board;
use crate::operation::Page;
use crate::pages::guest::{Guest, Listed, body};
use crate::pages::layout::Shown;
use crate::pages::problem::Problem;
use crate::teams::rooms::TeamRoom;
use crate::teams::rooms::members::RoomMember;

/// The most characters of the description that are shown.
const DESCRIPTION: usize = 1_000;

/// The tabs: the path below the team, and the name.
const TABS: [(&str, &str); 7] = [
    ("", "Overview"),
    ("/members", "People"),
    ("/teams", "Child teams"),
    ("/repositories", "Repositories"),
    ("/projects", "Projects"),
    ("/discussions", "Board"),
    ("/settings", "Settings"),
];

/// In place of a tab: a page that asks before something happens.
pub(super) const QUESTION: &str = "?";

/// A room of a team, with its visitor.
pub(in crate::pages) struct Room<'a> {
    pub guest: &'a Guest<'a>,
    pub team: TeamRoom,
    /// Its board as the visitor sees it.
    pub board: Board,
    /// True if the visitor may add and remove people.
    pub manages: bool,
    /// True if the visitor may change the team.
    pub edits: bool,
    /// True if the visitor is on the team and may leave it.
    pub leaves: bool,
}

impl<'a> Room<'a> {
    /// Looks up the team; 404 if the visitor does not see it.
    pub async fn enter(guest: &'a Guest<'a>, [org, slug]: [&str; 2]) -> Result<Self> {
        let at = [("org", org), ("team_slug", slug)];
        let team: TeamRoom = guest.call("rooms.team", &at, body([])).await?;
        let board = guest.call("boards.look", &at, body([])).await?;
        let manages = guest.may("teams.addOrUpdateMembershipForUserInOrg", &at).await?;
        let edits = guest.may("teams.updateInOrg", &at).await?;
        let leaves = team.role.is_some() && {
            let me = guest.person.as_ref().map_or("", |person| &person.login);
            let [org, slug] = at;
            guest.may("teams.removeMembershipForUserInOrg", &[org, slug, ("username", me)]).await?
        };
        Ok(Self { guest, team, board, manages, edits, leaves })
    }

    /// The login of the visitor.
    pub fn me(&self) -> &str {
        self.guest.person.as_ref().map_or("", |person| &person.login)
    }

    /// The parameters that name the team in the path of an operation.
    pub fn at(&self) -> [(&str, &str); 2] {
        [("org", &self.team.org), ("team_slug", &self.team.slug)]
    }

    /// The same with one more.
    pub fn below<'b>(&'b self, name: &'b str, value: &'b str) -> [(&'b str, &'b str); 3] {
        let [org, slug] = self.at();
        [org, slug, (name, value)]
    }

    /// Calls an operation on the team.
    pub async fn call<T: DeserializeOwned>(&self, operation: &str, fields: Map<String, Value>) -> Result<T> {
        self.guest.call(operation, &self.at(), fields).await
    }

    /// The person with this login, if they are on the team directly.
    pub async fn person(&self, login: &str) -> Result<Option<RoomMember>> {
        let one = Page { number: 1, per_page: 1 };
        let found: Listed<RoomMember> = self.list("rooms.members", body([("login", login.into())]), one).await?;
        Ok(found.items.into_iter().find(|person| person.role.is_some()))
    }

    /// Takes a person off the team, or the team out of their invitation.
    pub async fn remove(&self, login: &str) -> Result<()> {
        let at = self.below("username", login);
        self.guest.call::<Value>("teams.removeMembershipForUserInOrg", &at, body([])).await.map(drop)
    }

    /// Calls a list of the team, for the page that the query asks for.
    pub async fn list<T: DeserializeOwned>(
        &self,
        operation: &str,
        fields: Map<String, Value>,
        page: Page,
    ) -> Result<Listed<T>> {
        self.guest.list(operation, &self.at(), fields, page).await
    }

    /// The path of a room below `/ui`.
    pub fn path(&self, tab: &str) -> String {
        format!("/orgs/{}/teams/{}{tab}", self.team.org, self.team.slug)
    }

    /// The response to a form: a redirect to this room, with a word for what was done.
    pub fn see(&self, tab: &str, done: &str) -> Shown {
        self.guest.see(&self.path(tab), done)
    }

    /// The path of the team on its host.
    pub fn here(&self) -> String {
        self.guest.visit.links.html_path(&self.path(""))
    }

    /// The name of the organization.
    pub fn org(&self) -> &str {
        called(self.team.org_name.as_deref(), &self.team.org)
    }

    /// The beginning of the description; empty if there is none.
    pub fn about(&self) -> String {
        let text = self.team.description.as_deref().unwrap_or_default().trim();
        match text.char_indices().nth(DESCRIPTION) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text.to_owned(),
        }
    }

    /// The tabs that the visitor needs: path, name and number.
    pub fn tabs(&self) -> impl Iterator<Item = (&'static str, &'static str, Option<u64>)> {
        let team = &self.team;
        let number = |count: i64| u64::try_from(count).ok();
        let numbers = [
            None,
            Some(team.people),
            Some(team.children),
            number(team.repos),
            number(team.projects),
            Some(self.board.total),
            None,
        ];
        // A tab of nothing has no number.
        let tabs = TABS.into_iter().zip(numbers);
        let tabs = tabs.map(|((at, name), number)| (at, name, number.filter(|number| *number > 0)));
        let is_needed = |(at, _, _): &(&str, _, _)| match *at {
            "/teams" => !team.secret,
            "/settings" => self.edits,
            _ => true,
        };
        tabs.filter(is_needed).collect::<Vec<_>>().into_iter()
    }
}

/// The beginning of a room's page.
pub(in crate::pages) struct Head<'a> {
    pub room: &'a Room<'a>,
    /// The path of the tab below the team.
    pub tab: &'static str,
    pub problem: &'a Problem,
    /// A sentence about what was just done; empty if nothing was.
    pub done: &'static str,
}

impl<'a> Head<'a> {
    /// The beginning of the page of this tab, with the sentences that the query may ask for.
    pub fn new(room: &'a Room<'a>, tab: &'static str, problem: &'a Problem, done: &[(&str, &'static str)]) -> Self {
        let done = if problem.text.is_empty() { room.guest.done(done) } else { "" };
        Self { room, tab, problem, done }
    }

    /// True if the page asks before something happens.
    pub fn is_question(&self) -> bool {
        self.tab == QUESTION
    }

    /// The title of the page of a tab.
    pub fn title(&self) -> String {
        let error = if self.problem.text.is_empty() { "" } else { "Error: " };
        let tab = TABS.into_iter().find(|(at, _)| *at == self.tab && !at.is_empty());
        let tab = tab.map_or(String::new(), |(_, name)| format!("{name} · "));
        format!("{error}{tab}{} · {}", self.room.team.name, self.room.team.org)
    }
}
