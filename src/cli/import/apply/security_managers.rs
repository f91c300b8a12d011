//! Which teams are security managers (decision 50, and section 8 of `SPEC.md`, "Roles of organizations").

use std::collections::HashSet;

use super::super::fault::shown;
use super::super::report::Kind;
use super::Job;
use crate::error::Result;

/// Gives teams the role or takes it from them, as far as the file says.
pub(super) fn put(job: &mut Job<'_, '_>, teams: &[i64]) -> Result<()> {
    let stored: Vec<(i64,)> = job.cx.tx.all("SELECT team_id FROM security_managers WHERE org_id = $1", &[&job.org])?;
    let stored: HashSet<i64> = stored.into_iter().map(|(team,)| team).collect();
    for (team, id) in job.file.teams.iter().zip(teams) {
        let name = shown(&team.name);
        match (stored.contains(id), team.security_manager) {
            (false, Some(true)) => {
                job.cx.tx.run("INSERT INTO security_managers (org_id, team_id) VALUES ($1, $2)", &[&job.org, id])?;
                job.report.created(Kind::SecurityManager, 1);
            }
            (true, Some(false)) => {
                job.cx.tx.run("DELETE FROM security_managers WHERE team_id = $1", &[id])?;
                job.report.changed.push(format!("team {name}: no longer a security manager"));
            }
            (true, None) => job.report.beyond.push(format!("that team {name} is a security manager")),
            _ => {}
        }
    }
    Ok(())
}
