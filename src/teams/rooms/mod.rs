//! The parts of the rooms of teams, organizations and people that the API does not have, in rows that only pages call.
//!
//! Every caller who sees a team sees its parents and child teams, because a secret team is not nested (privacy rule 1).

pub mod child_teams;
pub mod deletion;
pub mod given;
pub mod grants;
pub mod members;
pub mod named;
pub mod people;
pub mod reach;
pub mod tree;
pub mod waiting;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::roles::{is_at_or_below, role_in};
use super::team::Team;
use super::{projects, repos};
use crate::db::{Tx, row, select};
use crate::error::Result;
use crate::journal;
use crate::members::synced;
use crate::memory::{OrgState, Part, Reach, RoleFilter};
use crate::operation::{Cx, Record};
use crate::policy::{Granted, MAINTAINER, OWNER};

/// The most parents that a room names: those next to the team.
const PARENTS: usize = 6;

row! {
    /// A team as a link to it.
    #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
    pub struct TeamLink from "t" {
        /// Name.
        pub name: String,
        /// Slug.
        pub slug: String,
    }
}

/// A team as the header of its rooms shows it.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct TeamRoom {
    /// ID.
    pub id: i64,
    /// Name.
    pub name: String,
    /// Slug.
    pub slug: String,
    /// The login of its organization.
    pub org: String,
    /// The name of its organization.
    pub org_name: Option<String>,
    /// Description.
    pub description: Option<String>,
    /// True if it is secret.
    pub secret: bool,
    /// `notifications_enabled` or `notifications_disabled`.
    pub notification_setting: String,
    /// The teams above it, from the top; only the nearest ones.
    pub parents: Vec<TeamLink>,
    /// True if there are more of them.
    pub is_deep: bool,
    /// `owner`, `maintainer`, `member`, `child` for a member of a child team only, or `none`.
    pub standing: String,
    /// The stored role of the caller, if they are on the team directly.
    pub role: Option<String>,
    /// True if its members follow groups of an identity provider.
    pub synced: bool,
    /// Number of people, direct and through child teams.
    pub people: u64,
    /// Number of child teams.
    pub children: u64,
    /// Number of repositories that the caller reads.
    pub repos: i64,
    /// Number of projects that the caller reads.
    pub projects: i64,
}

/// The header of the rooms of a team.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Look {}

/// Returns the team with what its rooms begin with.
pub fn look(cx: &mut Cx, team: Granted<Team>, _: Look) -> Result<Record<TeamRoom>> {
    let me = cx.my_id();
    let role = role_in(cx.tx, team.id, me)?;
    let standing = match () {
        () if team.allows(&OWNER) => "owner",
        () if team.allows(&MAINTAINER) => "maintainer",
        () if role.is_some() => "member",
        () if is_at_or_below(cx.tx, team.id, me)? => "child",
        () => "none",
    };
    let mut parents = match team.parent_id {
        Some(_) => above(cx.tx, team.id)?,
        None => Vec::new(),
    };
    let is_deep = parents.len() > PARENTS;
    parents.truncate(PARENTS);
    parents.reverse();
    let (people, children) = sizes(cx, team.org_id, &[team.id])?.remove(0);
    let (org_name,) = cx.tx.one("SELECT name FROM orgs WHERE id = $1", &[&team.org_id])?;
    let room = TeamRoom {
        id: team.id,
        name: team.name.clone(),
        slug: team.slug.clone(),
        org: team.org.login.clone(),
        org_name,
        description: team.description.clone(),
        secret: team.is_secret(),
        notification_setting: team.notification_setting.to_owned(),
        parents,
        is_deep,
        standing: standing.to_owned(),
        role: role.map(str::to_owned),
        synced: synced::is_synced(cx.tx, team.id)?,
        people,
        children,
        repos: repos::count(cx, team.id)?,
        projects: projects::count(cx, team.id)?,
    };
    Ok(room.into())
}

/// The teams above a team, the nearest first, and one more than are shown.
fn above(tx: &mut Tx, team: i64) -> Result<Vec<TeamLink>> {
    tx.all(ABOVE, &[&team, &i64::try_from(PARENTS + 1).unwrap_or(0)])
}

const ABOVE: &str = select!(TeamLink from
    "team_tree x CROSS JOIN teams t WHERE x.descendant_id = $1 AND x.depth > 0 AND t.id = x.ancestor_id
     ORDER BY x.depth LIMIT $2");

/// The numbers of people and of child teams of each of these teams.
fn sizes(cx: &mut Cx, org: i64, teams: &[i64]) -> Result<Vec<(u64, u64)>> {
    let version = journal::version(cx.tx, org)?;
    let ask = |state: &mut OrgState| {
        let mut size = |id| {
            let people = state.members_page(id, RoleFilter::All, Reach::All, 0, 0).total;
            (people, state.children_page(id, 0, 0).1)
        };
        teams.iter().map(|id| size(*id)).collect()
    };
    cx.site.organizations.ask(cx.tx, (org, version), Part::Members, ask)
}
