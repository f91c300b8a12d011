//! Owners, members and billing managers of the organization (decisions 21 and 50).

use super::super::desired::Role;
use super::super::report::Kind;
use super::roles::{BILLING, MEMBER, OWNER, People};
use super::{Job, account};
use crate::error::Result;
use crate::members::organization::{self, Joining};

/// Makes people owners, members and billing managers.
pub(super) fn put(job: &mut Job<'_, '_>) -> Result<People> {
    let mut joining: Vec<Joining> = Vec::new();
    for person in &job.file.people {
        let account = account(&job.accounts, &person.login)?;
        let role = match person.role {
            Role::Admin => OWNER,
            Role::Member => MEMBER,
            Role::BillingManager => BILLING,
        };
        if account.suspended {
            job.report.skipped.push(format!("{}: the account is suspended and cannot be added", account.login));
        } else {
            joining.push((account.id, role, person.public));
        }
    }
    organization::import(&mut job.cx, job.org, &joining)?;
    job.report.created(Kind::Member, joining.len());
    Ok(People(joining.into_iter().map(|(user, role, _)| (user, role)).collect()))
}
