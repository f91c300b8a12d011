//! The roles of an organization, which are predefined. One can be given to teams, and to people (`holders`; section 8
//! of `SPEC.md`, "Roles of organizations"). The others are there for clients that look for them (decision 82).

use std::collections::{BTreeSet, HashMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::lookup::BY_IDS;
use super::record::{TeamShort, TeamSimple};
use super::security_managers::{TeamOfOrg, appoint, dismiss};
use crate::clock::Time;
use crate::db::{by_ids, row, select};
use crate::error::{Error, Result};
use crate::members::security_managers::{Predefined, SECURITY_MANAGER};
use crate::operation::{Cx, Done, List, Record};
use crate::orgs::org::Org;
use crate::orgs::record;
use crate::policy::Granted;
use crate::rows::TeamRow;

/// A role of an organization.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "organization-role")]
pub struct OrganizationRole {
    /// ID.
    pub id: i64,
    /// Name.
    pub name: &'static str,
    /// Description.
    pub description: &'static str,
    /// The level that it gives on every repository: `read`, `triage`, `write`, `maintain` or `admin`.
    pub base_role: &'static str,
    /// Always `Predefined`.
    pub source: &'static str,
    /// Further permissions. Always empty.
    pub permissions: [&'static str; 0],
    /// Always null, because no organization defined the role.
    pub organization: (),
    /// Creation time of the organization.
    pub created_at: Time,
    /// Creation time of the organization.
    pub updated_at: Time,
}

impl OrganizationRole {
    fn of(role: Predefined, created_at: Time) -> Self {
        let Predefined { id, name, description, base_role } = role;
        let (source, permissions, organization) = ("Predefined", [], ());
        Self { id, name, description, base_role, source, permissions, organization, created_at, updated_at: created_at }
    }
}

/// The roles that are listed but cannot be assigned, with the IDs that clients expect.
const OTHERS: [Predefined; 5] = [
    other(8132, "all_repo_read", "read"),
    other(8133, "all_repo_triage", "triage"),
    other(8134, "all_repo_write", "write"),
    other(8135, "all_repo_maintain", "maintain"),
    other(8136, "all_repo_admin", "admin"),
];

const fn other(id: i64, name: &'static str, base_role: &'static str) -> Predefined {
    let description = "Cannot be given: use the default permission of the organization, or grants of teams.";
    Predefined { id, name, description, base_role }
}

/// All roles of an organization.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "organization-roles")]
pub struct OrganizationRoles {
    /// Number of roles.
    pub total_count: usize,
    /// The roles.
    pub roles: Vec<OrganizationRole>,
}

/// List the roles that teams and people can have in an organization.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfOrg {}

/// Lists the role that can be given, and the others.
pub fn list(cx: &mut Cx, org: Granted<Org>, _: OfOrg) -> Result<Record<OrganizationRoles>> {
    let created_at = record::profile(cx.tx, org.id)?.created_at;
    let roles = [SECURITY_MANAGER].into_iter().chain(OTHERS);
    let roles: Vec<_> = roles.map(|role| OrganizationRole::of(role, created_at)).collect();
    Ok(OrganizationRoles { total_count: roles.len(), roles }.into())
}

/// Get a role of an organization.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {
    /// ID of the role.
    pub role_id: i64,
}

/// Gets the role with this identifier.
pub fn get(cx: &mut Cx, org: Granted<Org>, p: Get) -> Result<Record<OrganizationRole>> {
    let role = known(p.role_id)?;
    let created_at = record::profile(cx.tx, org.id)?.created_at;
    Ok(OrganizationRole::of(role, created_at).into())
}

/// The role with this identifier; 404 if there is none.
fn known(id: i64) -> Result<Predefined> {
    [SECURITY_MANAGER].into_iter().chain(OTHERS).find(|role| role.id == id).ok_or(Error::NotFound)
}

/// True if the role can be given. The others have no holders. 404 if there is no such role.
pub(super) fn has_holders(role: i64) -> Result<bool> {
    Ok(known(role)?.id == SECURITY_MANAGER.id)
}

/// Refuses every role that cannot be given.
pub(super) fn refuse_others(role: i64) -> Result<()> {
    if role == SECURITY_MANAGER.id { Ok(()) } else { Err(Error::NotFound) }
}

/// A team with a role.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "team-role-assignment")]
pub struct TeamRoleAssignment {
    /// The team.
    #[serde(flatten)]
    pub team: TeamShort,
    /// `direct` if the role was given to the team, `indirect` if it was given to a team above, `mixed` if both.
    pub assignment: &'static str,
}

row! {
    /// A team with a role.
    struct Holder from "t" {
        team: TeamRow = TeamRow::COLUMNS,
        /// True if the role was given to the team itself.
        direct: bool = "holding.nearest = 0",
        /// True if it was given to a team above.
        indirect: bool = "holding.farthest > 0",
    }
}

/// List the teams with a role in an organization, by ID. A team also has the roles of the teams above it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Teams {
    /// ID of the role.
    pub role_id: i64,
}

/// Lists the teams with a role.
pub fn teams(cx: &mut Cx, org: Granted<Org>, p: Teams) -> Result<List<TeamRoleAssignment>> {
    if !has_holders(p.role_id)? {
        return Ok(List::default());
    }
    let total: i64 = cx.tx.one(COUNT_TEAMS, &[&org.id])?;
    let (limit, offset) = cx.page.sql();
    let holders: Vec<Holder> = cx.tx.all(TEAMS, &[&org.id, &limit, &offset])?;
    let above: BTreeSet<i64> = holders.iter().filter_map(|holder| holder.team.parent_id).collect();
    let above: Vec<TeamRow> = by_ids(cx.tx, &BY_IDS, &above.into_iter().collect::<Vec<_>>())?;
    let simple = |team| TeamSimple::new(cx.links, &org.login, team);
    let parents: HashMap<i64, TeamRow> = above.into_iter().map(|team| (team.id, team)).collect();
    let record = |Holder { team, direct, indirect }| {
        let parent = team.parent_id.and_then(|id| parents.get(&id)).cloned().map(simple);
        let assignment = assignment(direct, indirect);
        TeamRoleAssignment { team: TeamShort { team: simple(team), parent }, assignment }
    };
    List::of(holders.into_iter().map(record), total)
}

/// The word for how a team or a person has a role: it was given to them, or they have it through a team, or both.
pub(super) fn assignment(direct: bool, indirect: bool) -> &'static str {
    match (direct, indirect) {
        (true, true) => "mixed",
        (true, false) => "direct",
        (false, _) => "indirect",
    }
}

macro_rules! holding {
    () => {
        "SELECT rt.team_id, min(rt.depth) AS nearest, max(rt.depth) AS farthest
         FROM reading_teams rt WHERE rt.org_id = $1 GROUP BY rt.team_id"
    };
}

const COUNT_TEAMS: &str = concat!("SELECT count(*) FROM (", holding!(), ") holding");

const TEAMS: &str = select!(Holder from
    "(", holding!(), ") holding CROSS JOIN teams t WHERE t.id = holding.team_id ORDER BY t.id LIMIT $2 OFFSET $3");

/// Give a team of an organization a role. The teams below it have the role too.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Assign {
    /// ID of the role.
    pub role_id: i64,
}

/// Gives a team a role. Does nothing if it has it.
pub fn assign(cx: &mut Cx, team: Granted<TeamOfOrg>, p: Assign) -> Result<Done> {
    refuse_others(p.role_id)?;
    appoint(cx, &team)
}

/// Take a role from a team of an organization. What the team has through a team above it stays.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Revoke {
    /// ID of the role.
    pub role_id: i64,
}

/// Takes a role from a team. Does nothing if it does not have it.
pub fn revoke(cx: &mut Cx, team: Granted<TeamOfOrg>, p: Revoke) -> Result<Done> {
    refuse_others(p.role_id)?;
    dismiss(cx, &team)
}

/// Take all roles from a team of an organization.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct RevokeAll {}

/// Takes every role from a team: there is one.
pub fn revoke_all(cx: &mut Cx, team: Granted<TeamOfOrg>, _: RevokeAll) -> Result<Done> {
    dismiss(cx, &team)
}
