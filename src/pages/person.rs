//! The room of a person: their organizations and teams, as far as the visitor may see them. The same address with the
//! login of an organization leads to its room.

use askama::Template;
use serde::Deserialize;

use super::guest::{Guest, Listed, body};
use super::layout::{Frame, Shown};
use super::search::{Organization, Team};
use crate::error::Result;
use crate::name::called;

/// The number of teams on a page.
const MOST: u64 = 30;

/// The fields of an account that the page shows.
#[derive(Deserialize)]
struct Account {
    login: String,
    #[serde(rename = "type")]
    kind: String,
    name: Option<String>,
    bio: Option<String>,
    company: Option<String>,
    location: Option<String>,
    email: Option<String>,
    site_admin: bool,
}

/// A membership of the visitor.
#[derive(Deserialize)]
struct Membership {
    role: String,
    organization: Organization,
}

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, login: &str) -> Result<Shown> {
    let of: Account = guest.call("users.getByUsername", &[("username", login)], body([])).await?;
    if of.kind == "Organization" {
        return Ok(Shown::see(guest.visit.links.html_path(&format!("/orgs/{}", of.login))));
    }
    let organizations = guest.call("orgs.listForUser", &[("username", login)], body([])).await?;
    let active = body([("state", "active".into())]);
    let own: Vec<Membership> = guest.call("orgs.listMembershipsForAuthenticatedUser", &[], active).await?;
    let teams = guest.search("search.teams", &format!("member:{}", of.login), guest.page(MOST)).await?;
    Shown::of(200, &Person { frame: guest.frame()?, of, organizations, own, teams })
}

#[derive(Template)]
#[template(path = "person.html")]
struct Person {
    frame: Frame,
    of: Account,
    organizations: Vec<Organization>,
    own: Vec<Membership>,
    teams: Listed<Team>,
}

impl Person {
    /// The name, or the login if there is none.
    fn called(&self) -> &str {
        called(self.of.name.as_deref(), &self.of.login)
    }

    /// True if the visitor is this person.
    fn is_own(&self) -> bool {
        self.frame.login.as_ref() == Some(&self.of.login)
    }

    /// The membership of the visitor in this organization.
    fn own(&self, org: &Organization) -> Option<&Membership> {
        self.own.iter().find(|mine| mine.organization.login == org.login)
    }

    /// True if the visitor owns this organization.
    fn owns(&self, org: &Organization) -> bool {
        self.own(org).is_some_and(|mine| mine.role == "admin")
    }

    /// The visitor's role in this organization, on their own page; empty if it is not known.
    fn role(&self, org: &Organization) -> &'static str {
        match self.own(org).filter(|_| self.is_own()).map(|mine| mine.role.as_str()) {
            Some("admin") => "Owner",
            Some("member") => "Member",
            _ => "",
        }
    }
}
