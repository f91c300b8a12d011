//! What somebody may do with a project: the one definition, to find, to list and to administer (decision 33).
//!
//! The highest of these: an owner of the organization administers; a collaborator has their level; whoever is in a
//! team has what it is granted, and what the teams above it are; every member has the organization's level; and what
//! is not private is read by everybody.

use super::level::{ADMIN, NONE, READ};
use super::project::Project;
use crate::db::Tx;
use crate::error::Result;

/// The level of a person, who may be nobody (identifier 0).
pub fn level(tx: &mut Tx, project: &Project, person: i64) -> Result<i64> {
    let (role, own): (Option<String>, i64) = tx.one(STANDING, &[&project.org_id, &project.id, &person])?;
    let of_role = match role.as_deref() {
        Some("admin") => ADMIN,
        Some("member") => project.organization_level,
        _ => NONE,
    };
    let of_all = if project.private { NONE } else { READ };
    Ok(own.max(of_role).max(of_all))
}

const STANDING: &str = "
    SELECT (SELECT role FROM org_members WHERE org_id = $1 AND user_id = $3), coalesce(max(own.level), 0)
    FROM (SELECT level FROM project_collaborators WHERE project_id = $2 AND user_id = $3
          UNION ALL
          SELECT g.level FROM team_members m CROSS JOIN team_tree up CROSS JOIN team_projects g
          WHERE m.user_id = $3 AND up.descendant_id = m.team_id
            AND g.team_id = up.ancestor_id AND g.project_id = $2) own";

/// The condition that the person `$1` reads the project `p`: that their level is more than none, for lists.
macro_rules! reads {
    () => {
        "(p.private = FALSE
         OR EXISTS (SELECT om.role FROM org_members om WHERE om.org_id = p.org_id AND om.user_id = $1
                      AND (om.role = 'admin' OR om.role = 'member' AND p.organization_level > 0))
         OR p.id IN (SELECT c.project_id FROM project_collaborators c WHERE c.user_id = $1)
         OR p.id IN (SELECT g.project_id FROM team_members m CROSS JOIN team_tree up CROSS JOIN team_projects g
                     WHERE m.user_id = $1 AND up.descendant_id = m.team_id AND g.team_id = up.ancestor_id))"
    };
}
pub(crate) use reads;
