//! Records of teams (section 4 of `SPEC.md`).

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use super::lookup;
use super::team::{SeenTeam, Team};
use crate::clock::Time;
use crate::error::{Error, Result};
use crate::links::{Links, node_id};
use crate::operation::Cx;
use crate::orgs::record::{self, OrganizationDetailed, Profile};
use crate::record::record;
use crate::rows::{TeamCounts, TeamRow};

record! {
    /// Short form of a team, without its parent.
    #[schemars(rename = "team-simple")]
    pub struct TeamSimple {
        /// Name.
        pub name: String = team.name,
        /// ID.
        pub id: i64 = team.id,
        /// GraphQL node ID.
        pub node_id: String = node_id("Team", team.id),
        /// Slug, derived from the name.
        pub slug: String = team.slug,
        /// Description.
        pub description: Option<String> = team.description,
        /// `secret` or `closed`.
        pub privacy: &'static str = team.privacy,
        /// `notifications_enabled` or `notifications_disabled`.
        pub notification_setting: &'static str = team.notification_setting,
        /// URL of the record, by ID.
        pub url: String = below(""),
        /// URL of the web page.
        pub html_url: String = html_url,
        /// URL template.
        pub members_url: String = below("/members{/member}"),
        /// URL of the repositories.
        pub repositories_url: String = below("/repos"),
        /// Always `organization`.
        #[serde(rename = "type")]
        pub kind: &'static str = "organization",
        /// ID of the organization.
        pub organization_id: i64 = team.org_id,
        /// Default permission.
        pub permission: &'static str = team.permission,
    }

    /// The record of a team of the organization with this login.
    pub fn new(links: &Links, org_login: &str, team: TeamRow) {
        let below = |path: &str| links.team(team.org_id, team.id, path);
        let html_url = [&links.origin, "/ui/orgs/", org_login, "/teams/", &team.slug].concat();
    }
}

/// A team in a list.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "team")]
pub struct TeamShort {
    /// The team.
    #[serde(flatten)]
    pub team: TeamSimple,
    /// Its parent.
    pub parent: Option<TeamSimple>,
}

/// A team, in full.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "team-full")]
pub struct TeamFull {
    /// The team.
    #[serde(flatten)]
    pub team: TeamSimple,
    /// The fields that only this record has.
    #[serde(flatten)]
    pub details: TeamDetails,
    /// Its parent.
    pub parent: Option<TeamSimple>,
}

/// A team of the caller.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "user-team")]
pub struct UserTeam {
    /// The team.
    #[serde(flatten)]
    pub team: TeamFull,
    /// The reason why it is in the list, if the list has teams of which the caller is not a direct member.
    #[serde(flatten)]
    pub origin: Option<Origin>,
}

/// The reason why a team is in a list of effective teams.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Origin {
    /// True if the caller is only in a team below it.
    pub inherited: bool,
}

/// The fields that only the full record of a team has.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TeamDetails {
    /// Creation time.
    pub created_at: Time,
    /// Time of the last change.
    pub updated_at: Time,
    /// Number of direct members.
    pub members_count: i64,
    /// Number of repositories granted to it directly.
    pub repos_count: i64,
    /// Its organization.
    pub organization: OrganizationDetailed,
}

/// A team that was just created or changed: the same record, with the parent where clients expect it in these
/// responses.
#[derive(Debug, Serialize)]
pub struct TeamWritten {
    /// The team.
    #[serde(flatten)]
    pub team: TeamSimple,
    /// Its parent.
    pub parent: Option<TeamSimple>,
    /// The fields that only this record shows.
    #[serde(flatten)]
    pub details: TeamDetails,
}

impl JsonSchema for TeamWritten {
    fn schema_name() -> Cow<'static, str> {
        TeamFull::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        TeamFull::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        TeamFull::json_schema(generator)
    }
}

impl TeamFull {
    /// The record of a team of this organization.
    pub(super) fn new(
        links: &Links,
        organization: Profile,
        team: TeamRow,
        counts: TeamCounts,
        parent: Option<TeamRow>,
    ) -> Self {
        let parent = parent.map(|parent| TeamSimple::new(links, &organization.login, parent));
        let (created_at, updated_at) = (team.created_at, team.updated_at);
        Self {
            team: TeamSimple::new(links, &organization.login, team),
            details: TeamDetails {
                created_at,
                updated_at,
                members_count: counts.members,
                repos_count: counts.repos,
                organization: OrganizationDetailed::new(links, organization),
            },
            parent,
        }
    }
}

/// The full record of a team.
pub fn full(cx: &mut Cx, team: &SeenTeam) -> Result<TeamFull> {
    let (counts, parent) = lookup::counts_and_parent(cx, team)?;
    let organization = record::profile(cx.tx, team.org_id)?;
    let parent = parent.map(|parent| TeamRow::clone(&parent));
    Ok(TeamFull::new(cx.links, organization, TeamRow::clone(team), counts, parent))
}

/// The record of a team that this request has created or changed.
pub fn written(cx: &mut Cx, id: i64) -> Result<TeamWritten> {
    let team = Team::by_id(cx, cx.my_id(), id)?;
    let team = team.ok_or_else(|| Error::Bug("the team that was written is not there".into()))?;
    let TeamFull { team, details, parent } = full(cx, &team)?;
    Ok(TeamWritten { team, parent, details })
}
