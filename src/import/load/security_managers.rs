//! The teams and people that are security managers (decision 50, and section 8 of `SPEC.md`, "Roles of organizations").

use super::super::report::Kind;
use super::roles::People;
use super::{Job, account};
use crate::error::Result;
use crate::members::security_managers;

/// Gives the role to teams and to people.
pub(super) fn put(job: &mut Job<'_, '_>, people: &People, teams: &[i64]) -> Result<()> {
    for (team, id) in job.file.teams.iter().zip(teams) {
        if team.security_manager == Some(true) {
            job.cx.tx.run("INSERT INTO security_managers (org_id, team_id) VALUES ($1, $2)", &[&job.org, id])?;
            job.report.created(Kind::SecurityManager, 1);
        }
    }
    let mut appointed = Vec::new();
    for person in job.file.people.iter().filter(|person| person.security_manager) {
        let account = account(&job.accounts, &person.login)?;
        if people.is_member(account.id) {
            appointed.push(account.id);
        }
    }
    security_managers::import(job.cx.tx, job.org, &appointed)?;
    job.report.created(Kind::SecurityManager, appointed.len());
    Ok(())
}
