//! The projects of a team: what it is granted, and what the teams above it are granted.
//!
//! Implements decisions 15 (the default level), 30 (the higher of the team's own level and the inherited one), 31
//! (removing a grant that is inherited or missing does nothing), 32 (who is authorized) and 33 (only what the caller
//! reads).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::team::Team;
use crate::db::{Lock, Tx};
use crate::error::{Error, Result};
use crate::journal::Change;
use crate::operation::{Caller, Cx, Done, List, Path, Record, Subject};
use crate::policy::{Fact, Granted, Standing};
use crate::projects::level::{self, Level, Permissions};
use crate::projects::project::{Project, ProjectRecord, administers, reads, tables, with_level};

/// A team and a project that a path names below it.
#[derive(Debug)]
pub struct TeamProject {
    team: Team,
    project: Project,
}

impl TeamProject {
    /// A project next to a team.
    #[must_use]
    pub fn of(team: Team, project: Project) -> Self {
        Self { team, project }
    }
}

impl Subject for TeamProject {
    const FORMS: &'static [&'static str] = &[
        "/orgs/{org}/teams/{team_slug}/projects/{project_id}",
        "/organizations/{org_id}/team/{team_id}/projects/{project_id}",
        "/organizations/{org_id}/teams/{team_slug}/projects/{project_id}",
        "/teams/{team_id}/projects/{project_id}",
    ];
    const LEGACY_FORMS: usize = 1;

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        let (team, standing) = Team::find(cx, path)?;
        let (project, level) = Project::readable(cx, path)?;
        let standing = standing.with(Fact::ProjectOfOrganization, project.org_id == team.org_id);
        Ok((Self { team, project }, with_level(standing, level)))
    }

    fn locks(tx: &mut Tx, caller: &Caller, path: &Path) -> Result<Vec<Lock>> {
        Team::locks(tx, caller, path)
    }

    fn organizations(&self) -> Vec<i64> {
        vec![self.team.org_id, self.project.org_id]
    }

    fn canonical(&self) -> String {
        format!("{}/projects/{}", self.team.canonical(), self.project.id)
    }
}

/// A project, with the team's permissions on it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "team-project")]
pub struct TeamProjectRecord {
    /// The project.
    #[serde(flatten)]
    pub project: ProjectRecord,
    /// Permissions of the team.
    pub permissions: Permissions,
}

/// List the projects of a team that the caller can read, by ID, including those inherited from its parent teams.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfTheTeam {}

/// Lists the projects of a team.
pub fn list(cx: &mut Cx, team: Granted<Team>, _: OfTheTeam) -> Result<List<TeamProjectRecord>> {
    let (total, page) = (count(cx, team.id)?, page(cx, team.id)?);
    List::of(page.iter().map(|(project, level)| record(cx, project, *level)), total)
}

/// The number of projects of a team that the caller can read.
pub(super) fn count(cx: &mut Cx, team: i64) -> Result<i64> {
    cx.tx.one(COUNT, &[&cx.my_id(), &team])
}

/// The projects of a page, each with the level of the team.
pub(super) fn page(cx: &mut Cx, team: i64) -> Result<Vec<(Project, i64)>> {
    let (limit, offset) = cx.page.sql();
    cx.tx.all(PAGE, &[&cx.my_id(), &team, &limit, &offset])
}

macro_rules! granted {
    () => {
        "WITH granted AS (
             SELECT g.project_id, max(g.level) AS level FROM team_tree up CROSS JOIN team_projects g
             WHERE up.descendant_id = $2 AND g.team_id = up.ancestor_id GROUP BY g.project_id)"
    };
}

const COUNT: &str = concat!(
    granted!(),
    " SELECT count(*) FROM granted CROSS JOIN projects p WHERE p.id = granted.project_id AND ",
    reads!()
);

/// The same, and true for each that the caller administers.
pub(super) fn page_with_role(cx: &mut Cx, team: i64) -> Result<Vec<(Project, i64, bool)>> {
    let (limit, offset) = cx.page.sql();
    cx.tx.all(PAGE_WITH_ROLE, &[&cx.my_id(), &team, &limit, &offset])
}

/// The same for this project alone.
pub(super) fn one_with_role(cx: &mut Cx, team: i64, project: i64) -> Result<Vec<(Project, i64, bool)>> {
    cx.tx.all(ONE_WITH_ROLE, &[&cx.my_id(), &team, &project])
}

macro_rules! found {
    ($columns:expr, $end:literal) => {
        const_str::concat!(
            granted!(),
            " SELECT ",
            Project::COLUMNS,
            ", granted.level",
            $columns,
            " FROM granted CROSS JOIN ",
            tables!(),
            " WHERE p.id = granted.project_id AND ",
            reads!(),
            $end
        )
    };
}

const PAGE: &str = found!("", " ORDER BY p.id LIMIT $3 OFFSET $4");
const PAGE_WITH_ROLE: &str = found!(concat!(", ", administers!()), " ORDER BY p.id LIMIT $3 OFFSET $4");
const ONE_WITH_ROLE: &str = found!(concat!(", ", administers!()), " AND p.id = $3");

/// Get a project of a team with the team's permissions on it, including those inherited from parent teams.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {}

/// Returns the project; 404 if it is granted neither to the team nor to a team above it.
pub fn get(cx: &mut Cx, at: Granted<TeamProject>, _: Get) -> Result<Record<TeamProjectRecord>> {
    let level: Option<i64> = cx.tx.one(LEVEL, &[&at.team.id, &at.project.id])?;
    Ok(record(cx, &at.project, level.ok_or(Error::NotFound)?).into())
}

const LEVEL: &str = "
    SELECT max(g.level) FROM team_tree up CROSS JOIN team_projects g
    WHERE up.descendant_id = $1 AND g.team_id = up.ancestor_id AND g.project_id = $2";

fn record(cx: &Cx, project: &Project, level: i64) -> TeamProjectRecord {
    TeamProjectRecord { project: ProjectRecord::new(cx.links, project), permissions: Permissions::of(level) }
}

/// Add a project to a team, or change the team's permission on it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Put {
    /// Permission of the team. Default: the one that corresponds to the team's own `permission`.
    pub permission: Option<Level>,
}

/// Grants the project at this level, replacing any other level of the team.
pub fn put(cx: &mut Cx, at: Granted<TeamProject>, p: Put) -> Result<Done> {
    let level = p.permission.unwrap_or_else(|| default(at.team.permission)).rank();
    let before = own(cx, &at)?;
    if before == Some(level) {
        return Ok(Done);
    }
    let (by, since) = cx.granting()?;
    cx.tx.run(PUT, &[&at.team.id, &at.project.id, &level, &by, &since])?;
    let action = if before.is_none() { "team.add_project" } else { "team.update_project_permission" };
    audit(cx, &at, action, before, Some(level))?;
    Ok(Done)
}

const PUT: &str = "
    INSERT INTO team_projects (team_id, project_id, level, granted_by, granted_at) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (team_id, project_id) DO UPDATE
    SET level = excluded.level, granted_by = excluded.granted_by, granted_at = excluded.granted_at";

/// The level on a project that a team's `permission` means (decision 15).
fn default(permission: &str) -> Level {
    match permission {
        "admin" => Level::Admin,
        "push" => Level::Write,
        _ => Level::Read,
    }
}

/// Remove a project from a team. The project itself and access inherited from parent teams stay.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Remove {}

/// Deletes the team's own grant; nothing happens if there is none.
pub fn remove(cx: &mut Cx, at: Granted<TeamProject>, _: Remove) -> Result<Done> {
    if let Some(before) = own(cx, &at)? {
        cx.tx.run(REMOVE, &[&at.team.id, &at.project.id])?;
        audit(cx, &at, "team.remove_project", Some(before), None)?;
    }
    Ok(Done)
}

const REMOVE: &str = "DELETE FROM team_projects WHERE team_id = $1 AND project_id = $2";

/// The level of the team's own grant.
fn own(cx: &mut Cx, at: &TeamProject) -> Result<Option<i64>> {
    cx.tx.maybe(OWN, &[&at.team.id, &at.project.id])
}

const OWN: &str = "SELECT level FROM team_projects WHERE team_id = $1 AND project_id = $2";

/// Clients know no event for this; only the audit log has an entry.
fn audit(cx: &mut Cx, at: &TeamProject, action: &'static str, before: Option<i64>, after: Option<i64>) -> Result<()> {
    let (team, slug, project) = (at.team.id, &at.team.slug, at.project.id);
    let facts = |level: Option<i64>| {
        level.map(
            |level| json!({ "team": team, "team_slug": slug, "project": project, "permission": level::word(level) }),
        )
    };
    cx.record(at.team.org_id, Change::new(action, &json!(facts(before)), &json!(facts(after))))
}
