//! The teams and people that are security managers (decision 50, and section 8 of `SPEC.md`, "Roles of organizations").

use std::collections::{BTreeMap, HashSet};

use super::super::fault::shown;
use super::super::report::Kind;
use super::roles::People;
use super::{Job, account};
use crate::error::Result;
use crate::members::security_managers;

/// Gives teams the role or takes it from them, and gives it to people, as far as the file says.
pub(super) fn put(job: &mut Job<'_, '_>, people: &People, teams: &[i64]) -> Result<()> {
    of_teams(job, teams)?;
    of_people(job, people)
}

fn of_teams(job: &mut Job<'_, '_>, teams: &[i64]) -> Result<()> {
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

/// No person loses the role.
fn of_people(job: &mut Job<'_, '_>, people: &People) -> Result<()> {
    let mut stored: BTreeMap<i64, String> = job.cx.tx.all(STORED, &[&job.org])?.into_iter().collect();
    let mut appointed = Vec::new();
    for person in job.file.people.iter().filter(|person| person.security_manager) {
        let account = account(&job.accounts, &person.login)?;
        if stored.remove(&account.id).is_some() || !people.is_member(account.id) {
            continue;
        }
        if account.suspended {
            let why = "the account is suspended and cannot become a security manager";
            job.report.skipped.push(format!("{}: {why}", account.login));
        } else {
            appointed.push(account.id);
        }
    }
    security_managers::import(job.cx.tx, job.org, &appointed)?;
    job.report.created(Kind::SecurityManager, appointed.len());
    job.report.beyond.extend(stored.into_values().map(|login| format!("that {login} is a security manager")));
    Ok(())
}

const STORED: &str = "
    SELECT sp.user_id, u.login FROM user_security_managers sp JOIN users u ON u.id = sp.user_id WHERE sp.org_id = $1";
