//! The organization's own row: its profile and settings, as far as the file states them.

use super::super::desired::Org;
use super::super::report::Kind;
use super::Job;
use crate::db::{FromRow, Row};
use crate::error::{Error, Result};
use crate::events::{self, Event};
use crate::orgs::create;

#[derive(Clone, PartialEq, Eq)]
struct Settings {
    name: Option<String>,
    description: Option<String>,
    location: Option<String>,
    default_repository_permission: String,
    members_can_create_repositories: bool,
    has_organization_projects: bool,
    has_repository_projects: bool,
}

impl FromRow for Settings {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            name: row.get(0)?,
            description: row.get(1)?,
            location: row.get(2)?,
            default_repository_permission: row.get(3)?,
            members_can_create_repositories: row.get(4)?,
            has_organization_projects: row.get(5)?,
            has_repository_projects: row.get(6)?,
        })
    }
}

impl Settings {
    /// These settings with what the file states.
    fn with(&self, file: &Org) -> Self {
        let permission = file.default_repository_permission.map(str::to_owned);
        Self {
            name: file.name.clone().or_else(|| self.name.clone()),
            description: file.description.clone().or_else(|| self.description.clone()),
            location: file.location.clone().or_else(|| self.location.clone()),
            default_repository_permission: permission.unwrap_or_else(|| self.default_repository_permission.clone()),
            members_can_create_repositories: file
                .members_can_create_repositories
                .unwrap_or(self.members_can_create_repositories),
            has_organization_projects: file.has_organization_projects.unwrap_or(self.has_organization_projects),
            has_repository_projects: file.has_repository_projects.unwrap_or(self.has_repository_projects),
        }
    }
}

/// Creates the organization, or updates it; its identifier.
pub(super) fn put(job: &mut Job<'_, '_>, known: Option<i64>) -> Result<i64> {
    let Some(org) = known else {
        let org = make(job)?;
        update(job, org)?;
        job.report.created(Kind::Organization, 1);
        events::emit(&mut job.cx, org, &Event::OrganizationCreated)?;
        return Ok(org);
    };
    if update(job, org)? {
        job.report.changed.push("profile and settings of the organization".to_owned());
    }
    Ok(org)
}

fn make(job: &mut Job<'_, '_>) -> Result<i64> {
    let login = &job.file.login;
    let org = create::insert(job.cx.tx, login, job.file.name.as_deref(), job.cx.now)?;
    org.ok_or_else(|| Error::Bug(format!("{login} was checked and is taken")))
}

/// Whether anything differed.
fn update(job: &mut Job<'_, '_>, org: i64) -> Result<bool> {
    let was: Settings = job.cx.tx.one(SETTINGS, &[&org])?;
    let is = was.with(job.file);
    if is == was {
        return Ok(false);
    }
    job.cx.tx.run(
        UPDATE,
        &[
            &org,
            &is.name,
            &is.description,
            &is.location,
            &is.default_repository_permission,
            &is.members_can_create_repositories,
            &is.has_organization_projects,
            &is.has_repository_projects,
            &job.cx.now.0,
        ],
    )?;
    Ok(true)
}

const SETTINGS: &str = "
    SELECT name, description, location, default_repository_permission, members_can_create_repositories,
           has_organization_projects, has_repository_projects
    FROM orgs WHERE id = $1";

const UPDATE: &str = "
    UPDATE orgs
    SET name = $2, description = $3, location = $4, default_repository_permission = $5,
        members_can_create_repositories = $6, has_organization_projects = $7, has_repository_projects = $8,
        updated_at = $9
    WHERE id = $1";
