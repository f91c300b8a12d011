//! Teams that follow groups of an identity provider, and the groups (decision 48).

use super::{RESTORE, Step};
use crate::db::Tx;
use crate::error::Result;

/// The advice for a team whose members are not the people of its groups.
const LINK_AGAIN: &str = "unlink the team from its groups and link it again";

/// A team that follows groups follows groups of its organization, has no children, and is on no open invitation. While
/// the plan includes it, the members of the team are exactly the people of its groups who are members of the
/// organization.
pub(super) fn synced(tx: &mut Tx<'_>, step: &mut Step) -> Result<()> {
    step.ids(tx, IDS)?;
    step.each(tx, FOREIGN, RESTORE, |(team, group): (i64, i64)| {
        format!("team {team} follows group {group} of another organization")
    })?;
    let way = "remove the child from its parent, or unlink the team from its groups";
    step.each(tx, PARENTS, way, |(team, child): (i64, i64)| {
        format!("team {team} follows groups, but has the child team {child}")
    })?;
    let way = "cancel the invitation, or unlink the team from its groups";
    step.each(tx, PENDING, way, |(team, invitation): (i64, i64)| {
        format!("team {team} follows groups, but invitation {invitation} includes it")
    })?;
    step.each(tx, MISSING, LINK_AGAIN, |(team, login): (i64, String)| {
        format!("{login} is in a group of team {team}, but not on the team")
    })?;
    step.each(tx, BEYOND, LINK_AGAIN, |(team, login): (i64, String)| {
        format!("{login} is on team {team}, but in none of its groups")
    })
}

const IDS: &str = "
    SELECT DISTINCT team_id FROM team_groups WHERE team_id > $1 ORDER BY team_id LIMIT $2";

const FOREIGN: &str = "
    SELECT t.id, g.id
    FROM team_groups l JOIN teams t ON t.id = l.team_id JOIN scim_groups g ON g.id = l.group_id
    WHERE l.team_id > $1 AND l.team_id <= $2 AND g.org_id <> t.org_id ORDER BY t.id, g.id";

const PARENTS: &str = "
    SELECT DISTINCT l.team_id, t.id FROM team_groups l JOIN teams t ON t.parent_id = l.team_id
    WHERE l.team_id > $1 AND l.team_id <= $2 ORDER BY l.team_id, t.id";

const PENDING: &str = "
    SELECT DISTINCT l.team_id, i.invitation_id FROM team_groups l JOIN invitation_teams i ON i.team_id = l.team_id
    WHERE l.team_id > $1 AND l.team_id <= $2 ORDER BY l.team_id, i.invitation_id";

const MISSING: &str = "
    SELECT DISTINCT l.team_id, u.login
    FROM team_groups l
    JOIN scim_group_members m ON m.group_id = l.group_id AND m.named = TRUE
    JOIN scim_users s ON s.id = m.member_id
    JOIN orgs g ON g.id = s.org_id AND g.plan = 'enterprise'
    JOIN org_members o ON o.org_id = s.org_id AND o.user_id = s.user_id AND o.role <> 'billing_manager'
    JOIN users u ON u.id = s.user_id AND u.suspended = FALSE
    LEFT JOIN team_members t ON t.team_id = l.team_id AND t.user_id = s.user_id
    WHERE l.team_id > $1 AND l.team_id <= $2 AND t.user_id IS NULL ORDER BY l.team_id, u.login";

const BEYOND: &str = "
    SELECT t.id, u.login
    FROM teams t
    JOIN orgs g ON g.id = t.org_id AND g.plan = 'enterprise'
    JOIN team_members b ON b.team_id = t.id
    JOIN users u ON u.id = b.user_id
    WHERE t.id > $1 AND t.id <= $2 AND EXISTS (SELECT 1 FROM team_groups l WHERE l.team_id = t.id)
      AND NOT EXISTS (
          SELECT 1 FROM scim_users s
          JOIN scim_group_members m ON m.member_id = s.id AND m.named = TRUE
          JOIN team_groups l ON l.group_id = m.group_id
          WHERE s.user_id = b.user_id AND s.org_id = t.org_id AND l.team_id = t.id)
    ORDER BY t.id, u.login";
