//! The organization's own row: its profile and settings, as far as the file contains them.

use super::super::report::Kind;
use super::super::stored_settings::stated;
use super::Job;
use crate::error::{Error, Result};
use crate::journal::{Change, Event};
use crate::orgs::settings;
use crate::orgs::{create, update};

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
