//! Imports one organization of a file into the store, in one transaction (decision 50).

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
mod reviews;
mod roles;
mod security_managers;
mod teams;
mod tree;

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
use crate::members::groups;
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
    /// True if the organization did not exist before.
    is_new: bool,
    accounts: HashMap<String, Account>,
    /// True if the invited people get e-mails.
    mail: bool,
    report: OrgReport,
}

/// Makes the organization match the file, and reports the changes.
pub fn apply(
    tx: &mut Tx<'_>,
    site: &Site,
    now: Time,
    request_id: &str,
    file: &Org,
    choices: Choices,
    part: &dyn Fn(&'static str),
) -> Result<OrgReport> {
    lock(tx, file)?;
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
    let (is_new, accounts) = (known.org.is_none(), known.accounts);
    let mut job = Job { cx, file, org: 0, is_new, accounts, mail: choices.mail, report };

    part("people");
    job.org = organization::put(&mut job, known.org)?;
    accounts::create(&mut job)?;
    let people = people::put(&mut job)?;
    part("repositories");
    let repos = repos::put(&mut job)?;
    collaborators::put(&mut job, &repos)?;
    let projects = projects::put(&mut job, &people)?;
    part("teams");
    let teams = teams::put(&mut job)?;
    reviews::put(&mut job, &teams)?;
    part("memberships");
    memberships::put(&mut job, &people, &teams)?;
    part("grants");
    grants::put(&mut job, &repos, &teams)?;
    security_managers::put(&mut job, &people, &teams)?;
    projects::grant(&mut job, &projects, &teams)?;
    part("counts");
    finish(job)
}

/// Locks the name space of logins, and the organization if it exists.
fn lock(tx: &mut Tx<'_>, file: &Org) -> Result<()> {
    let mut locks = vec![Lock::Journal(SITE)];
    if let Some(login::Owner::Org(id)) = login::find(tx, &file.login)? {
        locks.push(Lock::Journal(id));
    }
    journal::lock(tx, &locks)
}

fn finish(mut job: Job<'_, '_>) -> Result<OrgReport> {
    if !job.report.has_changes() {
        return Ok(job.report);
    }
    // New members of the organization also join the teams that follow their groups.
    groups::follow_all(&mut job.cx, job.org)?;
    counters::recount(job.cx.tx, job.org)?;
    let created: BTreeMap<_, _> =
        job.report.created.iter().map(|(kind, count)| (kind.names().1.to_owned(), *count)).collect();
    let changed = job.report.changed.len() as u64;
    let after = json!({ "file": job.file.file, "created": created, "changed": changed });
    let change = Change::new("org.import", &json!(null), &after).with_event(&Event::Imported { created, changed });
    job.cx.record(job.org, change.reloading())?;
    Ok(job.report)
}

fn account<'j>(accounts: &'j HashMap<String, Account>, login: &str) -> Result<&'j Account> {
    accounts.get(&login::key(login)).ok_or_else(|| Error::Bug(format!("no account for {login}")))
}
