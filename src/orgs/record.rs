//! Records of organizations (section 4 of `SPEC.md`).

use schemars::JsonSchema;
use serde::Serialize;

use crate::clock::Time;
use crate::db::{ByIds, Tx, by_ids, row, select};
use crate::error::Result;
use crate::links::{Links, node_id};

row! {
    /// Everything that an organization's record shows.
    #[derive(Debug, Clone)]
    pub struct Profile from "o" {
        /// ID.
        pub id: i64,
        /// Login, in its stored case.
        pub login: String,
        /// Name.
        pub name: Option<String>,
        /// Description.
        pub description: Option<String>,
        /// Company.
        pub company: Option<String>,
        /// URL of its website.
        pub blog: Option<String>,
        /// Location.
        pub location: Option<String>,
        /// Public e-mail address.
        pub email: Option<String>,
        /// Twitter username.
        pub twitter_username: Option<String>,
        /// Whether the organization has projects.
        pub has_organization_projects: bool,
        /// Whether its repositories have projects.
        pub has_repository_projects: bool,
        /// Number of public repositories.
        pub public_repos: i64,
        /// Creation time.
        pub created_at: Time,
        /// When its profile or settings changed last.
        pub updated_at: Time,
    }
}

/// The profile of the organization with this identifier, which exists.
pub fn profile(tx: &mut Tx, org: i64) -> Result<Profile> {
    tx.one(PROFILE, &[&org])
}

const PROFILE: &str = select!(Profile from "orgs o WHERE o.id = $1");

/// The profiles of the organizations with these identifiers, each of which is given once.
pub fn profiles(tx: &mut Tx, orgs: &[i64]) -> Result<Vec<Profile>> {
    by_ids(tx, &PROFILES, orgs)
}

static PROFILES: ByIds = ByIds::new(select!(Profile from "orgs o WHERE o.id IN ({ids})"));

/// Short form of an organization.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "organization-simple")]
pub struct OrganizationSimple {
    /// Login.
    pub login: String,
    /// ID.
    pub id: i64,
    /// GraphQL node ID.
    pub node_id: String,
    /// URL of the record.
    pub url: String,
    /// URL of the repositories.
    pub repos_url: String,
    /// URL of the events.
    pub events_url: String,
    /// URL of the hooks.
    pub hooks_url: String,
    /// URL of the issues.
    pub issues_url: String,
    /// URL template.
    pub members_url: String,
    /// URL template.
    pub public_members_url: String,
    /// URL of the avatar.
    pub avatar_url: String,
    /// Description.
    pub description: Option<String>,
}

impl OrganizationSimple {
    /// The record of an organization.
    #[must_use]
    pub fn new(links: &Links, id: i64, login: &str, description: Option<String>) -> Self {
        let below = |path: &str| links.api_of("/orgs/", login, path);
        Self {
            login: login.to_owned(),
            id,
            node_id: node_id("Organization", id),
            url: below(""),
            repos_url: below("/repos"),
            events_url: below("/events"),
            hooks_url: below("/hooks"),
            issues_url: below("/issues"),
            members_url: below("/members{/member}"),
            public_members_url: below("/public_members{/member}"),
            avatar_url: links.html(&format!("/avatars/{login}")),
            description,
        }
    }
}

/// The organization of a team.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "organization")]
pub struct OrganizationDetailed {
    /// The short record.
    #[serde(flatten)]
    pub simple: OrganizationSimple,
    /// Display name; empty if it has none, because strict clients do not accept null here.
    pub name: String,
    /// Company; empty if it has none.
    pub company: String,
    /// URL of its website; empty if it has none.
    pub blog: String,
    /// Location; empty if it has none.
    pub location: String,
    /// Public e-mail address; empty if it has none.
    pub email: String,
    /// Twitter username.
    pub twitter_username: Option<String>,
    /// Whether its domain is verified. Always false.
    pub is_verified: bool,
    /// Whether the organization has projects.
    pub has_organization_projects: bool,
    /// Whether its repositories have projects.
    pub has_repository_projects: bool,
    /// Number of public repositories.
    pub public_repos: i64,
    /// Always 0.
    pub public_gists: i64,
    /// Always 0.
    pub followers: i64,
    /// Always 0.
    pub following: i64,
    /// URL of the web page.
    pub html_url: String,
    /// Creation time.
    pub created_at: Time,
    /// Time of the last change.
    pub updated_at: Time,
    /// Time when it was archived. Always null.
    pub archived_at: Option<Time>,
    /// `Organization`.
    #[serde(rename = "type")]
    pub kind: &'static str,
}

impl OrganizationDetailed {
    /// The record of an organization.
    #[must_use]
    pub fn new(links: &Links, org: Profile) -> Self {
        Self {
            html_url: links.html(&format!("/{}", org.login)),
            simple: OrganizationSimple::new(links, org.id, &org.login, org.description),
            name: org.name.unwrap_or_default(),
            company: org.company.unwrap_or_default(),
            blog: org.blog.unwrap_or_default(),
            location: org.location.unwrap_or_default(),
            email: org.email.unwrap_or_default(),
            twitter_username: org.twitter_username,
            is_verified: false,
            has_organization_projects: org.has_organization_projects,
            has_repository_projects: org.has_repository_projects,
            public_repos: org.public_repos,
            public_gists: 0,
            followers: 0,
            following: 0,
            created_at: org.created_at,
            updated_at: org.updated_at,
            archived_at: None,
            kind: "Organization",
        }
    }
}
