//! Projects: their numbers, and to which teams they are granted (decision 32).

use super::{Finding, RESTORE, STEP, Step};
use crate::db::Tx;
use crate::error::Result;

/// Each number was assigned by the organization, and each grant is within the organization.
pub(super) fn projects(tx: &mut Tx<'_>, after: i64) -> Result<Step> {
    let projects: Vec<(i64, i64, i64)> = tx.all(PROJECTS, &[&after, &STEP])?;
    let upto = projects.last().map_or(after, |(id, ..)| *id);
    let mut findings = Vec::new();
    for (id, number, last) in projects.iter().filter(|(_, number, last)| !(1..=*last).contains(number)) {
        let what = format!("project {id} has the number {number}, but its organization has assigned none above {last}");
        findings.push(Finding::new(what, RESTORE));
    }
    for (id, team) in tx.all::<(i64, i64)>(FOREIGN_TEAMS, &[&after, &upto])? {
        let what = format!("project {id} is granted to team {team} of another organization");
        findings.push(Finding::new(what, "remove the project from the team"));
    }
    Ok(Step::new(findings, projects.iter().map(|project| project.0)))
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
