//! Projects, identified by their numbers, with the levels of people and teams (decisions 32 and 50).

use std::collections::{HashMap, HashSet};

use super::super::desired::Project;
use super::super::fault::shown;
use super::super::report::Kind;
use super::roles::People;
use super::{Job, account, invitations};
use crate::db::{row, select};
use crate::error::{Error, Result};
use crate::projects::level::{self, NONE, word};

/// The identifiers of the organization's projects by number.
pub(super) type Projects = HashMap<i64, i64>;

row! {
    struct ProjectRow from "p" {
        id: i64,
        number: i64,
        name: String,
        body: Option<String>,
        state: String,
        level: i64 = "p.organization_level",
        private: bool,
    }
}

/// Creates and updates projects and their collaborators.
pub(super) fn put(job: &mut Job<'_, '_>, people: &People) -> Result<Projects> {
    let stored: Vec<ProjectRow> = job.cx.tx.all(STORED, &[&job.org])?;
    let mut projects: Projects = stored.iter().map(|project| (project.number, project.id)).collect();
    let known: HashMap<i64, &ProjectRow> = stored.iter().map(|project| (project.number, project)).collect();
    let file = job.file;
    for project in &file.projects {
        match known.get(&project.number) {
            Some(stored) => update(job, stored, project)?,
            None => {
                projects.insert(project.number, create(job, people, project)?);
            }
        }
    }
    job.cx.tx.run(LAST_NUMBER, &[&job.org])?;
    let listed: HashSet<i64> = file.projects.iter().map(|project| project.number).collect();
    let beyond = stored.iter().filter(|project| !listed.contains(&project.number));
    job.report.beyond.extend(beyond.map(|p| format!("project {} {}", p.number, shown(&p.name))));
    collaborators(job, &projects)?;
    Ok(projects)
}

const STORED: &str = select!(ProjectRow from "projects p WHERE p.org_id = $1 ORDER BY p.number");

/// A number from the file is never assigned again.
const LAST_NUMBER: &str = "
    UPDATE orgs SET last_project_number = (SELECT max(p.number) FROM projects p WHERE p.org_id = $1)
    WHERE id = $1 AND last_project_number < (SELECT max(p.number) FROM projects p WHERE p.org_id = $1)";

fn create(job: &mut Job<'_, '_>, people: &People, project: &Project) -> Result<i64> {
    let creator = match &project.creator {
        Some(login) => Some(account(&job.accounts, login)?.id),
        None => invitations::inviter(job, people)?,
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

fn update(job: &mut Job<'_, '_>, stored: &ProjectRow, project: &Project) -> Result<()> {
    let body = project.body.as_ref().or(stored.body.as_ref());
    let state = project.state.unwrap_or(&stored.state);
    let level = project.organization_level.unwrap_or(stored.level);
    let private = project.private.unwrap_or(stored.private);
    let same = project.name == stored.name && body == stored.body.as_ref() && state == stored.state;
    if same && level == stored.level && private == stored.private {
        return Ok(());
    }
    job.cx.tx.run(UPDATE, &[&stored.id, &project.name, &body, &state, &level, &private, &job.cx.now()?.0])?;
    job.report.changed.push(format!("settings of project {} {}", project.number, shown(&stored.name)));
    Ok(())
}

const UPDATE: &str = "
    UPDATE projects SET name = $2, body = $3, state = $4, organization_level = $5, private = $6,
        updated_at = CASE WHEN updated_at > $7 THEN updated_at ELSE $7 END
    WHERE id = $1";

fn collaborators(job: &mut Job<'_, '_>, projects: &Projects) -> Result<()> {
    let stored: Vec<(i64, i64, i64, String, i64)> = job.cx.tx.all(COLLABORATORS, &[&job.org])?;
    let mut left: HashMap<(i64, i64), i64> = stored.iter().map(|row| ((row.0, row.1), row.2)).collect();
    let file = job.file;
    let (by, at) = job.cx.granting()?;
    for project in &file.projects {
        let id = projects[&project.number];
        for wanted in &project.collaborators {
            let account = account(&job.accounts, &wanted.login)?;
            let (login, level, on) = (&account.login, wanted.level, project.number);
            match left.remove(&(id, account.id)) {
                Some(was) if was == level => continue,
                Some(_) => job.report.changed.push(format!("{login} now has {} on project {on}", word(level))),
                None if account.suspended => {
                    job.report.skipped.push(format!("{login} is suspended and cannot be added to project {on}"));
                    continue;
                }
                None => job.report.created(Kind::ProjectCollaborator, 1),
            }
            job.cx.tx.run(COLLABORATE, &[&id, &account.id, &level, &by, &at])?;
        }
    }
    for (project, user, level, login, number) in stored {
        if left.contains_key(&(project, user)) {
            job.report.beyond.push(format!("{login} on project {number} with {}", word(level)));
        }
    }
    Ok(())
}

const COLLABORATORS: &str = "
    SELECT c.project_id, c.user_id, c.level, u.login, p.number
    FROM projects p
    JOIN project_collaborators c ON c.project_id = p.id
    JOIN users u ON u.id = c.user_id
    WHERE p.org_id = $1 ORDER BY p.number, c.user_id";

const COLLABORATE: &str = "
    INSERT INTO project_collaborators (project_id, user_id, level, granted_by, granted_at) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (project_id, user_id) DO UPDATE
    SET level = excluded.level, granted_by = excluded.granted_by, granted_at = excluded.granted_at";

/// Grants projects to teams and sets levels; only the level `none` removes a grant.
pub(super) fn grant(job: &mut Job<'_, '_>, projects: &Projects, teams: &[i64]) -> Result<()> {
    let stored: Vec<(i64, i64, i64, i64, String)> = job.cx.tx.all(GRANTS, &[&job.org])?;
    let mut left: HashMap<(i64, i64), i64> = stored.iter().map(|row| ((row.0, row.1), row.2)).collect();
    let file = job.file;
    let (by, since) = job.cx.granting()?;
    for (team, id) in file.teams.iter().zip(teams) {
        for grant in &team.projects {
            let project = projects[&grant.number];
            let changed = |what: String| format!("team {} {what} project {}", shown(&team.name), grant.number);
            match (left.remove(&(*id, project)), grant.level) {
                (None, NONE) => {}
                (Some(_), NONE) => {
                    job.cx.tx.run(REVOKE, &[id, &project])?;
                    job.report.changed.push(changed("no longer has access to".to_owned()));
                }
                (None, level) => {
                    job.cx.tx.run(GRANT, &[id, &project, &level, &by, &since])?;
                    job.report.created(Kind::ProjectGrant, 1);
                }
                (Some(was), level) if was == level => {}
                (Some(_), level) => {
                    job.cx.tx.run(GRANT, &[id, &project, &level, &by, &since])?;
                    job.report.changed.push(changed(format!("now has {} on", word(level))));
                }
            }
        }
    }
    let listed: HashSet<i64> = teams.iter().copied().collect();
    for (team, project, level, number, name) in stored {
        if left.contains_key(&(team, project)) && listed.contains(&team) {
            job.report.beyond.push(format!("project {number} of team {} with {}", shown(&name), word(level)));
        }
    }
    Ok(())
}

const GRANTS: &str = "
    SELECT g.team_id, g.project_id, g.level, p.number, t.name
    FROM projects p
    JOIN team_projects g ON g.project_id = p.id
    JOIN teams t ON t.id = g.team_id
    WHERE p.org_id = $1 ORDER BY g.team_id, p.number";

const REVOKE: &str = "DELETE FROM team_projects WHERE team_id = $1 AND project_id = $2";

const GRANT: &str = "
    INSERT INTO team_projects (team_id, project_id, level, granted_by, granted_at) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (team_id, project_id) DO UPDATE
    SET level = excluded.level, granted_by = excluded.granted_by, granted_at = excluded.granted_at";
