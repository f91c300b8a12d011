//! The room of an organization: what it is, and the teams that the visitor sees as a tree.

use askama::Template;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::Organization;
use crate::dispatch::FIRST;
use crate::error::{Error, Result};
use crate::operation::Page;
use crate::pages::guest::{Guest, Listed, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::search::{Team, quoted};
use crate::pages::tree::{Line, lines};
use crate::teams::rooms::tree::Branch;

/// The number of teams of the first level, and of teams that were searched for, on a page.
const MOST: u64 = 40;

/// The number of teams on a page of a search.
const FOUND: u64 = 30;

/// The sentences about a team that the visitor does not see any more, by the word in the query.
const DONE: [(&str, &str); 2] = [("left", "You left the team."), ("deleted", "The team was deleted.")];

/// A membership of the visitor, or an invitation.
#[derive(Deserialize)]
pub(super) struct Membership {
    state: String,
    role: String,
}

impl Membership {
    /// The membership of the visitor, if there is one.
    pub async fn find(guest: &Guest<'_>, org: &str) -> Result<Option<Self>> {
        match guest.call("orgs.getMembershipForAuthenticatedUser", &[("org", org)], body([])).await {
            Err(Error::NotFound) => Ok(None),
            found => found.map(Some),
        }
    }

    /// True if it shows the teams and the people of the organization.
    pub fn is_active(&self) -> bool {
        self.state == "active" && self.role != "billing_manager"
    }

    /// True if the visitor is invited to be an owner.
    pub fn is_to_own(&self) -> bool {
        self.state == "pending" && self.role == "admin"
    }

    /// True if the visitor is an owner.
    pub fn is_owner(&self) -> bool {
        self.state == "active" && self.role == "admin"
    }
}

/// The numbers of teams, people, owners and repositories.
pub(super) struct Numbers {
    pub teams: u64,
    pub people: u64,
    owners: u64,
    pub repositories: u64,
}

impl Numbers {
    pub async fn find(guest: &Guest<'_>, org: &str) -> Result<Self> {
        let one = || Page { per_page: 1, ..FIRST };
        let at = [("org", org)];
        let count = async |operation: &str, fields| {
            let list: Listed<IgnoredAny> = guest.list(operation, &at, fields, one()).await?;
            Ok::<u64, Error>(list.total)
        };
        Ok(Self {
            teams: count("teams.list", body([])).await?,
            people: count("orgs.listMembers", body([])).await?,
            owners: Self::owners(guest, org).await?,
            repositories: count("repos.listForOrg", body([])).await?,
        })
    }

    /// The number of owners.
    pub async fn owners(guest: &Guest<'_>, org: &str) -> Result<u64> {
        let (one, owners) = (Page { per_page: 1, ..FIRST }, body([("role", "admin".into())]));
        let list: Listed<IgnoredAny> = guest.list("orgs.listMembers", &[("org", org)], owners, one).await?;
        Ok(list.total)
    }
}

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, org: &str) -> Result<Shown> {
    let of = Organization::find(guest, org).await?;
    let mine = Membership::find(guest, org).await?;
    let is_member = mine.as_ref().is_some_and(Membership::is_active);
    if !is_member {
        return Shown::of(200, &Outside { frame: guest.frame()?, code: guest.code("/ui")?, of, mine });
    }
    let numbers = Numbers::find(guest, org).await?;
    let typed = guest.query("q").trim().to_owned();
    let q = quoted(&typed);
    let (mut found, mut tree) = (None, None);
    if q.is_empty() {
        tree = Some(guest.list("rooms.tree", &[("org", org)], body([]), guest.page(MOST)).await?);
    } else {
        let q = format!("{q} org:{}", of.login);
        found = Some(guest.search("search.teams", &q, guest.page(FOUND)).await?);
    }
    let may_create = guest.may("teams.create", &[("org", org)]).await?;
    let is_owner = mine.is_some_and(|mine| mine.is_owner());
    let done = guest.done(&DONE);
    Shown::of(200, &Room { frame: guest.frame()?, done, of, is_owner, may_create, numbers, typed, tree, found })
}

#[derive(Template)]
#[template(path = "organization/room.html")]
struct Room {
    frame: Frame,
    /// A sentence about what was just done; empty if nothing was.
    done: &'static str,
    of: Organization,
    is_owner: bool,
    may_create: bool,
    numbers: Numbers,
    /// The text that teams are searched for; empty for the tree.
    typed: String,
    tree: Option<Listed<Branch>>,
    found: Option<Listed<Team>>,
}

impl Room {
    /// A sentence about what the visitor is here.
    fn standing(&self) -> &'static str {
        if self.is_owner { "You are an owner" } else { "You are a member" }
    }

    fn lines(&self) -> Vec<Line<'_>> {
        self.tree.as_ref().map(|tree| lines(&self.of.login, &tree.items)).unwrap_or_default()
    }

    /// The part of the query that keeps the search.
    fn kept(&self) -> String {
        format!("q={}&", crate::links::segment(&self.typed))
    }
}

/// The page for people who are not members.
#[derive(Template)]
#[template(path = "organization/outside.html")]
struct Outside {
    frame: Frame,
    /// The code of the form that answers an invitation, which the home page takes.
    code: String,
    of: Organization,
    mine: Option<Membership>,
}
