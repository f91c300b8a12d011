//! The organization's own row: its profile and settings, as far as the file contains them.

use super::super::report::Kind;
use super::super::stored_settings::stated;
use super::Job;
use crate::error::{Error, Result};
use crate::journal::{Change, Event};
use crate::orgs::settings;
use crate::orgs::{create, update};

/// Creates the organization, and returns its identifier.
pub(super) fn put(job: &mut Job<'_, '_>) -> Result<i64> {
    let org = make(job)?;
    let usual = settings::stored(job.cx.tx, org)?;
    let stated = stated(job.file, &usual);
    if stated != usual {
        update::save(job.cx.tx, org, &stated, job.cx.now()?)?;
    }
    job.report.created(Kind::Organization, 1);
    job.cx.record(org, Change::of(&Event::OrganizationCreated))?;
    Ok(org)
}

fn make(job: &mut Job<'_, '_>) -> Result<i64> {
    let login = &job.file.login;
    let org = create::insert(&mut job.cx, login, job.file.name.as_deref())?;
    org.ok_or_else(|| Error::Bug(format!("{login} was checked and is taken")))
}
