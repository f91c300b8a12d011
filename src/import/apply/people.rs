//! Owners and members of the organization (decisions 21 and 50).

use std::collections::HashSet;

use super::super::desired::Role;
use super::super::logins::Account;
use super::super::report::Kind;
use super::roles::{BILLING, MEMBER, OWNER, People};
use super::{Job, account, invitations};
use crate::db::{row, select};
use crate::error::Result;
use crate::members::organization::{self, Joining};

row! {
    struct MemberRow from "m" {
        user: i64 = "m.user_id",
        login: String = "u.login",
        suspended: bool = "u.suspended",
        role: &'static str => role,
        public: bool = "m.is_public",
    }
}

fn role(stored: String) -> &'static str {
    match stored.as_str() {
        "admin" => OWNER,
        "member" => MEMBER,
        _ => BILLING,
    }
}

/// Makes people owners and members. No one is removed.
pub(super) fn put(job: &mut Job<'_, '_>) -> Result<People> {
    let stored: Vec<MemberRow> = job.cx.tx.all(STORED, &[&job.org])?;
    let mut people = People(stored.iter().map(|person| (person.user, person.role)).collect());
    let mut joining: Vec<Joining> = Vec::new();
    let (mut listed, mut changes) = (HashSet::new(), Vec::new());
    for person in &job.file.people {
        let account = account(&job.accounts, &person.login)?;
        let role = match person.role {
            Role::Admin => OWNER,
            Role::Member => MEMBER,
            Role::BillingManager => BILLING,
        };
        listed.insert(account.id);
        match people.0.get(&account.id) {
            Some(was) if *was != BILLING && role == BILLING => {
                let why = format!("{} remains {}", account.login, wording(was));
                job.report.skipped.push(why);
            }
            Some(was) if *was != role => changes.push((account.clone(), role)),
            Some(_) => {}
            None if account.suspended => {
                job.report.skipped.push(format!("{}: the account is suspended and cannot be added", account.login));
            }
            None => joining.push((account.id, role, person.public)),
        }
    }
    let joined: Vec<i64> = joining.iter().map(|(user, ..)| *user).collect();
    people.0.extend(joining.iter().map(|(user, role, _)| (*user, *role)));
    organization::import(&mut job.cx, job.org, &joining)?;
    job.report.created(Kind::Member, joined.len());
    invitations::settle(job, &joined)?;

    let suspended: HashSet<i64> = stored.iter().filter(|p| p.suspended).map(|p| p.user).collect();
    change(job, &mut people, changes, &suspended)?;
    publish(job, &stored)?;
    let beyond = stored.iter().filter(|person| !listed.contains(&person.user));
    job.report.beyond.extend(beyond.map(|person| format!("{} ({})", person.login, wording(person.role))));
    Ok(people)
}

const STORED: &str = select!(MemberRow from
    "org_members m JOIN users u ON u.id = m.user_id
     WHERE m.org_id = $1 ORDER BY m.user_id");

/// Changes roles, promotions first. The last active owner stays an owner (decision 21).
fn change(
    job: &mut Job<'_, '_>,
    people: &mut People,
    mut changes: Vec<(Account, &'static str)>,
    suspended: &HashSet<i64>,
) -> Result<()> {
    changes.sort_by_key(|(_, role)| *role != OWNER);
    for (account, role) in changes {
        let owners = people.0.iter().filter(|(user, role)| **role == OWNER && !suspended.contains(user));
        let demotes = people.is_owner(account.id) && role != OWNER;
        if demotes && !owners.map(|(user, _)| *user).any(|user| user != account.id) {
            let why = "remains an owner, because there is no other active owner; add one to the file";
            job.report.skipped.push(format!("{}: {why}", account.login));
            continue;
        }
        organization::import_role(job.cx.tx, job.org, account.id, role)?;
        people.0.insert(account.id, role);
        job.report.changed.push(format!("{} is now {}", account.login, wording(role)));
    }
    Ok(())
}

/// Makes memberships public where the file says so. No public membership is hidden.
fn publish(job: &mut Job<'_, '_>, stored: &[MemberRow]) -> Result<()> {
    let hidden: HashSet<i64> = stored.iter().filter(|person| !person.public).map(|person| person.user).collect();
    for person in job.file.people.iter().filter(|person| person.public) {
        let account = account(&job.accounts, &person.login)?;
        if hidden.contains(&account.id) {
            organization::import_public(job.cx.tx, job.org, account.id)?;
            job.report.changed.push(format!("{} is now a public member", account.login));
        }
    }
    Ok(())
}

fn wording(role: &str) -> &'static str {
    match role {
        OWNER => "an owner",
        MEMBER => "a member",
        _ => "a billing manager",
    }
}
