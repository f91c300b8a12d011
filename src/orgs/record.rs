//! Records of organizations (section 4 of `SPEC.md`).

use crate::clock::Time;
use crate::db::{ByIds, Tx, by_ids, row, select};
use crate::error::Result;
use crate::links::{Links, node_id};
use crate::record::record;

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
        /// True if the organization has projects.
        pub has_organization_projects: bool,
        /// True if its repositories have projects.
        pub has_repository_projects: bool,
        /// Number of public repositories.
        pub public_repos: i64,
        /// Creation time.
        pub created_at: Time,
        /// The time at which its profile or settings changed last.
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

record! {
    /// Short form of an organization.
    #[schemars(rename = "organization-simple")]
    pub struct OrganizationSimple {
        /// Login.
        pub login: String = login.to_owned(),
        /// ID.
        pub id: i64 = id,
        /// GraphQL node ID.
        pub node_id: String = node_id("Organization", id),
        /// URL of the record.
        pub url: String = below(""),
        /// URL of the repositories.
        pub repos_url: String = below("/repos"),
        /// URL of the events.
        pub events_url: String = below("/events"),
        /// URL of the hooks.
        pub hooks_url: String = below("/hooks"),
        /// URL of the issues.
        pub issues_url: String = below("/issues"),
        /// URL template.
        pub members_url: String = below("/members{/member}"),
        /// URL template.
        pub public_members_url: String = below("/public_members{/member}"),
        /// URL of the avatar.
        pub avatar_url: String = links.html(&format!("/avatars/{login}")),
        /// Description.
        pub description: Option<String> = description,
    }

    /// The record of an organization.
    pub fn new(links: &Links, id: i64, login: &str, description: Option<String>) {
        let below = |path: &str| links.api_of("/orgs/", login, path);
    }
}

record! {
    /// The organization of a team.
    #[schemars(rename = "organization")]
    pub struct OrganizationDetailed {
        /// The short record.
        #[serde(flatten)]
        pub simple: OrganizationSimple = OrganizationSimple::new(links, org.id, &org.login, org.description),
        /// Display name; empty if it has none, because strict clients do not accept null here.
        pub name: String = org.name.unwrap_or_default(),
        /// Company; empty if it has none.
        pub company: String = org.company.unwrap_or_default(),
        /// URL of its website; empty if it has none.
        pub blog: String = org.blog.unwrap_or_default(),
        /// Location; empty if it has none.
        pub location: String = org.location.unwrap_or_default(),
        /// Public e-mail address; empty if it has none.
        pub email: String = org.email.unwrap_or_default(),
        /// Twitter username.
        pub twitter_username: Option<String> = org.twitter_username,
        /// True if its domain is verified. Always false.
        pub is_verified: bool = false,
        /// True if the organization has projects.
        pub has_organization_projects: bool = org.has_organization_projects,
        /// True if its repositories have projects.
        pub has_repository_projects: bool = org.has_repository_projects,
        /// Number of public repositories.
        pub public_repos: i64 = org.public_repos,
        /// Always 0.
        pub public_gists: i64 = 0,
        /// Always 0.
        pub followers: i64 = 0,
        /// Always 0.
        pub following: i64 = 0,
        /// URL of the web page.
        pub html_url: String = links.html(&format!("/{}", org.login)),
        /// Creation time.
        pub created_at: Time = org.created_at,
        /// Time of the last change.
        pub updated_at: Time = org.updated_at,
        /// Time when it was archived. Always null.
        pub archived_at: Option<Time> = None,
        /// `Organization`.
        #[serde(rename = "type")]
        pub kind: &'static str = "Organization",
    }

    /// The record of an organization.
    pub fn new(links: &Links, org: Profile) {}
}
