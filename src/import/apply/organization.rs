//! The organization's own row: its profile and settings, as far as the file contains them.

use super::super::desired::Org;
use super::super::report::Kind;
use super::Job;
use crate::error::{Error, Result};
use crate::journal::{Change, Event};
use crate::orgs::settings::{self, OrgSettings};
use crate::orgs::{create, update};

/// The stored values, overridden by those in the file.
fn stated(file: &Org, was: &OrgSettings) -> OrgSettings {
    let permission = file.default_repository_permission.map(str::to_owned);
    let (any, public, private) = creation(file, was);
    OrgSettings {
        name: line(file.name.as_ref(), was.name.as_ref()),
        description: file.description.clone().or_else(|| was.description.clone()),
        company: line(file.company.as_ref(), was.company.as_ref()),
        blog: line(file.blog.as_ref(), was.blog.as_ref()),
        location: line(file.location.as_ref(), was.location.as_ref()),
        email: line(file.email.as_ref(), was.email.as_ref()),
        twitter_username: line(file.twitter_username.as_ref(), was.twitter_username.as_ref()),
        billing_email: line(file.billing_email.as_ref(), was.billing_email.as_ref()),
        default_repository_permission: permission.unwrap_or_else(|| was.default_repository_permission.clone()),
        members_can_create_teams: file.members_can_create_teams.unwrap_or(was.members_can_create_teams),
        members_can_leave_teams: file.members_can_leave_teams.unwrap_or(was.members_can_leave_teams),
        members_can_create_repositories: any,
        members_can_create_public_repositories: public,
        members_can_create_private_repositories: private,
        members_can_fork_private_repositories: file
            .members_can_fork_private_repositories
            .unwrap_or(was.members_can_fork_private_repositories),
        switches: was.switches.clone().with(file.switches.clone()),
        has_organization_projects: file.has_organization_projects.unwrap_or(was.has_organization_projects),
        has_repository_projects: file.has_repository_projects.unwrap_or(was.has_repository_projects),
        audit_shows_addresses: file.audit_shows_addresses.unwrap_or(was.audit_shows_addresses),
        applications_need_approval: was.applications_need_approval,
        plan: was.plan.clone(),
    }
}

/// The columns that say which repositories members may create. They stay as they are if they mean what the file says.
fn creation(file: &Org, was: &OrgSettings) -> (bool, bool, bool) {
    let is = was.creation().after(file.creation);
    if is != was.creation() {
        return is.columns();
    }
    (
        was.members_can_create_repositories,
        was.members_can_create_public_repositories,
        was.members_can_create_private_repositories,
    )
}

/// A line in a file is trimmed; a stored line that differs in nothing else stays.
fn line(file: Option<&String>, was: Option<&String>) -> Option<String> {
    let same = |text: &&String| file.is_none_or(|file| file == text.trim());
    was.filter(same).or(file).cloned()
}

/// Creates or updates the organization, and returns its identifier.
pub(super) fn put(job: &mut Job<'_, '_>, known: Option<i64>) -> Result<i64> {
    let Some(org) = known else {
        let org = make(job)?;
        change(job, org)?;
        job.report.created(Kind::Organization, 1);
        job.cx.record(org, Change::of(&Event::OrganizationCreated))?;
        return Ok(org);
    };
    if change(job, org)? {
        job.report.changed.push("profile and settings of the organization".to_owned());
    }
    Ok(org)
}

fn make(job: &mut Job<'_, '_>) -> Result<i64> {
    let login = &job.file.login;
    let org = create::insert(&mut job.cx, login, job.file.name.as_deref())?;
    org.ok_or_else(|| Error::Bug(format!("{login} was checked and is taken")))
}

/// Updates the row, and returns whether anything differed.
fn change(job: &mut Job<'_, '_>, org: i64) -> Result<bool> {
    let was = settings::stored(job.cx.tx, org)?;
    let is = stated(job.file, &was);
    if is == was {
        return Ok(false);
    }
    update::save(job.cx.tx, org, &is, job.cx.now()?)?;
    Ok(true)
}
