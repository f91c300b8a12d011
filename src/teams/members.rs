//! The people of a team: who is in it, directly or through the teams below, and the list of them.
//!
//! Keeps "The member list of a team includes the members of its child teams", decisions 17, 23 and 38.

use schemars::JsonSchema;
use serde::Deserialize;

use super::team::{SeenTeam, Team};
use crate::db::{FromRow, Tx};
use crate::error::Result;
use crate::journal;
use crate::memory::{OrgState, Part, Reach, RoleFilter};
use crate::operation::{Cx, Written};
use crate::orgs::org;
use crate::people;
use crate::people::list::TeamMember;
use crate::people::login;
use crate::people::user::User;
use crate::policy::Granted;

/// List the members of a team and its child teams, by ID.
#[derive(Deserialize, JsonSchema)]
pub struct ListMembers {
    /// Return only people with this role in the team. Owners count as maintainers, members of child teams as members.
    #[schemars(extend("default" = "all"))]
    pub role: Option<RoleFilter>,
    /// Return only direct members, or only members of child teams.
    #[schemars(extend("default" = "all"))]
    pub membership: Option<Reach>,
}

/// The people of a page, each once.
pub fn list(cx: &mut Cx, team: Granted<SeenTeam>, p: ListMembers) -> Result<Written<TeamMember>> {
    let (role, reach) = (p.role.unwrap_or_default(), p.membership.unwrap_or_default());
    cx.cached_page(&[team.id, role as i64, reach as i64], |cx| page(cx, &team, role, reach))
}

fn page(cx: &mut Cx, team: &Team, role: RoleFilter, reach: Reach) -> Result<Written<TeamMember>> {
    let (offset, limit) = (cx.page.offset(), cx.page.per_page);
    let (id, org) = (team.id, team.org_id);
    let ask = |state: &mut OrgState| state.members_page(id, role, reach, offset, limit);
    let version = journal::version(cx.tx, org)?;
    let page = cx.site.organizations.ask(cx.tx, (org, version), Part::Members, ask)?;
    let ids: Vec<i64> = page.entries.iter().map(|entry| entry.user).collect();
    let people = people::list::shown(cx.tx, &cx.site.organizations, (org, version), &ids)?;
    let members: Vec<_> =
        people.into_iter().zip(&page.entries).map(|(person, entry)| (person, entry.inherited)).collect();
    Ok(Written::new(people::list::members(cx.links, &members)?, page.total))
}

/// The stored role of a person who is directly in a team.
pub fn role_in(tx: &mut Tx, team: i64, user: i64) -> Result<Option<&'static str>> {
    tx.word(ROLE_IN, &[&team, &user], &STORED)
}

/// What is stored of somebody who is directly in a team.
pub const STORED: [&str; 2] = ["member", "maintainer"];

const ROLE_IN: &str = "SELECT role FROM team_members WHERE team_id = $1 AND user_id = $2";

/// The role of a person in an organization, if they are in it, and their stored role in one of its teams, if they are
/// directly in that.
pub type Roles = (Option<&'static str>, Option<&'static str>);

/// The roles of the person with this identifier.
pub fn roles(tx: &mut Tx, org: i64, team: i64, user: i64) -> Result<Roles> {
    let mut roles = (None, None);
    tx.each(ROLES, &[&org, &user, &team], |row| {
        roles = (row.word(0, &org::ROLES)?, row.word(1, &STORED)?);
        Ok(())
    })?;
    Ok(roles)
}

/// Whoever is in a team is in its organization.
const ROLES: &str = "
    SELECT o.role, m.role
    FROM org_members o LEFT JOIN team_members m ON m.team_id = $3 AND m.user_id = o.user_id
    WHERE o.org_id = $1 AND o.user_id = $2";

/// The person with this login, and their roles.
pub fn named(tx: &mut Tx, org: i64, team: i64, login: &str) -> Result<Option<(User, Roles)>> {
    let mut found = None;
    tx.each(NAMED, &[&login::key(login), &org, &team], |row| {
        found = Some((User::from_row(row)?, (row.word(4, &org::ROLES)?, row.word(5, &STORED)?)));
        Ok(())
    })?;
    Ok(found)
}

const NAMED: &str = "
    SELECT u.id, u.login, u.site_admin, u.suspended, o.role, m.role
    FROM logins l
    JOIN users u ON u.id = l.user_id
    LEFT JOIN org_members o ON o.org_id = $2 AND o.user_id = u.id
    LEFT JOIN team_members m ON m.team_id = $3 AND m.user_id = o.user_id
    WHERE l.login_key = $1 AND l.current = TRUE";

/// Whether a person is in a team or in any team below it.
pub fn is_at_or_below(tx: &mut Tx, team: i64, user: i64) -> Result<bool> {
    tx.any(IS_AT_OR_BELOW, &[&team, &user])
}

const IS_AT_OR_BELOW: &str = "
    SELECT x.depth
    FROM team_members m JOIN team_tree x ON x.descendant_id = m.team_id AND x.ancestor_id = $1
    WHERE m.user_id = $2
    LIMIT 1";
