//! Projects, identified by their numbers, with the levels of people and teams (decisions 32 and 50).

use std::collections::HashMap;

use super::super::desired::Project;
use super::super::report::Kind;
use super::{Job, account, invitations};
use crate::db::{Bind, Bulk};
use crate::error::{Error, Result};
use crate::projects::level::{self, NONE};

/// The identifiers of the organization's projects by number.
pub(super) type Projects = HashMap<i64, i64>;

/// Creates projects and gives people their levels on them.
pub(super) fn put(job: &mut Job<'_, '_>) -> Result<Projects> {
    let mut projects = Projects::new();
    let file = job.file;
    for project in &file.projects {
        projects.insert(project.number, create(job, project)?);
    }
    if let Some(last) = projects.keys().max() {
        job.cx.tx.run("UPDATE orgs SET last_project_number = $2 WHERE id = $1", &[&job.org, last])?;
    }
    collaborators(job, &projects)?;
    Ok(projects)
}

fn create(job: &mut Job<'_, '_>, project: &Project) -> Result<i64> {
    let creator = match &project.creator {
        Some(login) => Some(account(&job.accounts, login)?.id),
        None => invitations::inviter(job)?,
    };
    let (default,): (String,) =
        job.cx.tx.one("SELECT default_repository_permission FROM orgs WHERE id = $1", &[&job.org])?;
    let level = project.organization_level.unwrap_or_else(|| level::rank(&default));
    let (state, private) = (project.state.unwrap_or("open"), project.private.unwrap_or(true));
    let mut made: Vec<(i64,)> = job.cx.tx.run_all(
        CREATE,
        &[
            &job.org,
            &project.number,
            &project.name,
            &project.body,
            &state,
            &level,
            &private,
            &creator,
            &job.cx.now()?.0,
        ],
    )?;
    let (id,) = made.pop().ok_or_else(|| Error::Bug("no person could have created the project".into()))?;
    job.report.created(Kind::Project, 1);
    Ok(id)
}

const CREATE: &str = "
    INSERT INTO projects (org_id, number, name, body, state, organization_level, private, creator_id, creator_login,
                          created_at, updated_at)
    SELECT CAST($1 AS BIGINT), CAST($2 AS BIGINT), CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS TEXT),
           CAST($6 AS BIGINT), CAST($7 AS BOOLEAN), u.id, u.login, CAST($9 AS BIGINT), CAST($9 AS BIGINT)
    FROM users u WHERE u.id = $8
    RETURNING id";

fn collaborators(job: &mut Job<'_, '_>, projects: &Projects) -> Result<()> {
    let file = job.file;
    let (by, at) = job.cx.granting()?;
    let mut new = Vec::new();
    for project in &file.projects {
        for wanted in &project.collaborators {
            let account = account(&job.accounts, &wanted.login)?;
            if account.suspended {
                let (login, on) = (&account.login, project.number);
                job.report.skipped.push(format!("{login} is suspended and cannot be added to project {on}"));
            } else {
                new.push((projects[&project.number], account.id, wanted.level));
            }
        }
    }
    let rows: Vec<[&dyn Bind; 5]> =
        new.iter().map(|(project, user, level)| [project as &dyn Bind, user, level, &by, &at]).collect();
    COLLABORATE.run(job.cx.tx, &rows)?;
    job.report.created(Kind::ProjectCollaborator, new.len());
    Ok(())
}

static COLLABORATE: Bulk<5> =
    Bulk::new("INSERT INTO project_collaborators (project_id, user_id, level, granted_by, granted_at) VALUES {rows}");

/// Grants projects to teams.
pub(super) fn grant(job: &mut Job<'_, '_>, projects: &Projects, teams: &[i64]) -> Result<()> {
    let (by, since) = job.cx.granting()?;
    let mut new = Vec::new();
    for (team, id) in job.file.teams.iter().zip(teams) {
        let granted = team.projects.iter().filter(|grant| grant.level != NONE);
        new.extend(granted.map(|grant| (*id, projects[&grant.number], grant.level)));
    }
    let rows: Vec<[&dyn Bind; 5]> =
        new.iter().map(|(team, project, level)| [team as &dyn Bind, project, level, &by, &since]).collect();
    GRANT.run(job.cx.tx, &rows)?;
    job.report.created(Kind::ProjectGrant, new.len());
    Ok(())
}

static GRANT: Bulk<5> =
    Bulk::new("INSERT INTO team_projects (team_id, project_id, level, granted_by, granted_at) VALUES {rows}");
