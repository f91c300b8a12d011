//! One organization of a file into the store, in one transaction (decision 50).

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
mod teams;
mod tree;

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv4Addr};

use serde_json::json;

use super::check;
use super::desired::Org;
use super::logins::Account;
use super::report::OrgReport;
use crate::clock::{Now, Time};
use crate::db::{Lock, Tx};
use crate::error::{Error, Result};
use crate::events::{self, Event};
use crate::links::Links;
use crate::operation::{Caller, Cx, Page, Site};
use crate::orgs::{changes, synced};
use crate::people::login;
use crate::teams::counters;

/// Where commands come from.
const LOCAL: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// An organization on its way into the store.
struct Job<'a, 'c> {
    cx: Cx<'a, 'c>,
    file: &'a Org,
    org: i64,
    accounts: HashMap<String, Account>,
    report: OrgReport,
}

/// Makes the organization what the file says, and says what that took.
pub fn apply(tx: &mut Tx<'_>, site: &Site, now: Time, request_id: &str, file: &Org) -> Result<OrgReport> {
    lock(tx, file)?;
    let known = check::store(tx, file)?;
    let (caller, links) = (Caller::default(), Links { origin: String::new(), api: String::new() });
    let page = Page { number: 1, per_page: 30 };
    let repository_record = false;
    let cx = Cx {
        tx,
        caller: &caller,
        peer: LOCAL,
        now: Now::new(now),
        links: &links,
        page,
        repository_record,
        request_id,
        site,
    };
    let report = OrgReport { login: file.login.clone(), ..OrgReport::default() };
    let mut job = Job { cx, file, org: 0, accounts: known.accounts, report };

    job.org = organization::put(&mut job, known.org)?;
    accounts::create(&mut job)?;
    let people = people::put(&mut job)?;
    let repos = repos::put(&mut job)?;
    collaborators::put(&mut job, &repos)?;
    let projects = projects::put(&mut job, &people)?;
    let teams = teams::put(&mut job)?;
    memberships::put(&mut job, &people, &teams)?;
    grants::put(&mut job, &repos, &teams)?;
    projects::grant(&mut job, &projects, &teams)?;
    finish(job)
}

/// The name space, in which logins are taken, and the organization if it is there.
fn lock(tx: &mut Tx<'_>, file: &Org) -> Result<()> {
    if !tx.has_locks() {
        return Ok(());
    }
    let mut locks = vec![Lock::Site];
    if let Some(login::Owner::Org(id)) = login::find(tx, &file.login)? {
        locks.push(Lock::Org(id));
    }
    tx.lock(&mut locks)
}

fn finish(mut job: Job<'_, '_>) -> Result<OrgReport> {
    if !job.report.has_changes() {
        return Ok(job.report);
    }
    // Whoever came is in the teams whose groups have them.
    synced::follow_all(&mut job.cx, job.org)?;
    counters::recount(job.cx.tx, job.org)?;
    changes::everything(job.cx.tx, job.org)?;
    let created: BTreeMap<_, _> = job.report.created.iter().map(|(kind, count)| (kind.names().1, *count)).collect();
    let changed = job.report.changed.len() as u64;
    let after = json!({ "file": job.file.file, "created": created, "changed": changed });
    events::emit(&mut job.cx, job.org, &Event::Imported { created, changed })?;
    events::record(&mut job.cx, job.org, "org.import", &json!(null), &after)?;
    Ok(job.report)
}

fn account<'j>(accounts: &'j HashMap<String, Account>, login: &str) -> Result<&'j Account> {
    accounts.get(&login::key(login)).ok_or_else(|| Error::Bug(format!("no account for {login}")))
}
