//! Projects: their numbers, and to which teams they are granted (decision 32).

use super::{RESTORE, Step};
use crate::db::Tx;
use crate::error::Result;

/// Each number was assigned by the organization, and each grant is within the organization.
pub(super) fn projects(tx: &mut Tx<'_>, step: &mut Step) -> Result<()> {
    for (id, (number, last)) in step.rows::<(i64, i64)>(tx, PROJECTS)? {
        if !(1..=last).contains(&number) {
            let assigned = format!("its organization has assigned none above {last}");
            step.found(format!("project {id} has the number {number}, but {assigned}"), RESTORE);
        }
    }
    step.each(tx, FOREIGN_TEAMS, "remove the project from the team", |(id, team): (i64, i64)| {
        format!("project {id} is granted to team {team} of another organization")
    })
}

const PROJECTS: &str = "
    SELECT p.id, p.number, o.last_project_number FROM projects p JOIN orgs o ON o.id = p.org_id
    WHERE p.id > $1 ORDER BY p.id LIMIT $2";

const FOREIGN_TEAMS: &str = "
    SELECT p.id, t.id
    FROM projects p
    JOIN team_projects g ON g.project_id = p.id
    JOIN teams t ON t.id = g.team_id
    WHERE p.id > $1 AND p.id <= $2 AND t.org_id <> p.org_id ORDER BY p.id, t.id";
