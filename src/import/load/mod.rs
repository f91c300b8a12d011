//! Loads one organization of a file, which does not exist yet, into the store, in one transaction (decision 50).

mod accounts;
mod collaborators;
mod former_names;
mod grants;
mod invitations;
mod memberships;
mod organization;
mod outsiders;
mod people;
mod projects;
mod repo_names;
mod repos;
mod roles;
mod security_managers;
mod teams;

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv4Addr};

use serde_json::json;

use super::Choices;
use super::check;
use super::desired::Org;
use super::fault::Faults;
use super::logins::Account;
use super::report::OrgReport;
use crate::clock::Time;
use crate::db::{Lock, Tx};
use crate::error::{Error, Result};
use crate::journal::{self, Change, Event, SITE, cursors};
use crate::links::Links;
use crate::operation::{Caller, Cx, Moment, Site};
use crate::people::login;
use crate::teams::counters;

/// The IP address of commands.
const LOCAL: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// An organization that is being imported.
struct Job<'a, 'c> {
    cx: Cx<'a, 'c>,
    file: &'a Org,
    org: i64,
    accounts: HashMap<String, Account>,
    /// True if the invited people get e-mails.
    mail: bool,
    report: OrgReport,
}

/// Makes the organization of the file, and reports what was made. `part` is told which part begins.
pub fn load(
    tx: &mut Tx<'_>,
    (site, now): (&Site, Time),
    request_id: &str,
    file: &Org,
    choices: Choices,
    part: &dyn Fn(&'static str),
) -> Result<OrgReport> {
    // The name space of logins.
    journal::lock(tx, &[Lock::Journal(SITE)])?;
    if choices.mail {
        // A server that was never started follows no journal yet.
        cursors::follow_all(tx)?;
    }
    let faults = Faults::default();
    let known = check::store(tx, file, choices, now, &faults)?;
    faults.ended()?;
    let (caller, links) = (Caller::default(), Links::default());
    let cx = Cx::new(tx, &caller, Moment::new(now, LOCAL, request_id), &links, site);
    let report = OrgReport {
        login: file.login.clone(),
        mail: choices.mail,
        not_kept: file.not_kept.iter().cloned().collect(),
        ..OrgReport::default()
    };
    let mut job = Job { cx, file, org: 0, accounts: known.accounts, mail: choices.mail, report };

    part("people");
    job.org = organization::put(&mut job)?;
    accounts::create(&mut job)?;
    let people = people::put(&mut job)?;
    part("repositories");
    let repos = repos::put(&mut job)?;
    collaborators::put(&mut job, &repos)?;
    let projects = projects::put(&mut job)?;
    part("teams");
    let teams = teams::put(&mut job)?;
    part("memberships");
    memberships::put(&mut job, &people, &teams)?;
    part("grants");
    grants::put(&mut job, &repos, &teams)?;
    security_managers::put(&mut job, &people, &teams)?;
    projects::grant(&mut job, &projects, &teams)?;
    part("counts");
    finish(job)
}

fn finish(mut job: Job<'_, '_>) -> Result<OrgReport> {
    counters::recount(job.cx.tx, job.org)?;
    let created: BTreeMap<_, _> =
        job.report.created.iter().map(|(kind, count)| (kind.names().1.to_owned(), *count)).collect();
    let after = json!({ "file": job.file.file, "created": created });
    let change = Change::new("org.import", &json!(null), &after).with_event(&Event::Imported { created });
    job.cx.record(job.org, change.reloading())?;
    Ok(job.report)
}

fn account<'j>(accounts: &'j HashMap<String, Account>, login: &str) -> Result<&'j Account> {
    accounts.get(&login::key(login)).ok_or_else(|| Error::Bug(format!("no account for {login}")))
}
