//! Errors in well-formed files: files that contradict each other or the store.
//!
//! Implements decisions 9 (slugs), 21 (an owner), 22 (one name space) and 48 (synchronized teams).

use std::collections::{HashMap, HashSet};

use super::desired::{Org, Role};
use super::fault::{Faults, shown};
use super::logins::{self, Account, Holder, Known, Named};
use super::{Choices, matching, owners, unlisted};
use crate::clock::Time;
use crate::db::Tx;
use crate::error::Result;
use crate::members::synced;
use crate::people::login;
use crate::rows::TeamRow;
use crate::teams::slug;

/// Refuses files that contradict each other, and teams with the same slug.
pub fn files(orgs: &[Org], faults: &Faults) {
    let mut known: HashMap<String, &Org> = HashMap::new();
    for org in orgs {
        if let Some(first) = known.insert(login::key(&org.login), org) {
            let place = format!("{}:{}", first.file, first.line);
            let message =
                format!("organization {} is also described in {place}; remove one of them", shown(&org.login));
            faults.add(org.fault(org.line, &org.key, message));
        }
    }
    for org in orgs {
        people_are_no_organizations(org, &known, faults);
        slugs_differ(org, faults);
    }
}

fn people_are_no_organizations(org: &Org, orgs: &HashMap<String, &Org>, faults: &Faults) {
    for named in logins::named(org) {
        if let Some(other) = orgs.get(&named.key) {
            let place = format!("{}:{}", other.file, other.line);
            let message = format!("{} is a person here and an organization in {place}", shown(named.login));
            faults.add(org.fault(named.line, named.place, message));
        }
    }
}

fn slugs_differ(org: &Org, faults: &Faults) {
    let mut known = HashMap::new();
    for team in &org.teams {
        let Some(slug) = slug::from_name(&team.name) else { continue };
        let message = format!("the slug of this team is {}", shown(&slug));
        if let Some((name, line)) = known.insert(slug, (&team.name, team.line))
            && *name != team.name
        {
            let message = format!("{message}, like that of {} on line {line}; rename one of them", shown(name));
            faults.add(org.fault(team.line, &team.key, message));
        }
    }
}

/// Refuses a file that does not fit the store.
pub fn store(tx: &mut Tx, org: &Org, choices: Choices, now: Time, faults: &Faults) -> Result<Known> {
    let named = logins::named(org);
    let own = login::key(&org.login);
    let keys: Vec<&str> = named.iter().map(|n| n.key.as_str()).chain([own.as_str()]).collect();
    let holders = logins::holders(tx, &keys)?;
    let known = known(org, named, holders, faults);
    let mut unlisted = unlisted::of(org, choices.unlisted);
    match known.org {
        Some(id) => {
            let stored = matching::stored(tx, id)?;
            let synced = synced::of_org(tx, id)?;
            no_children_of_synced(org, (&stored, &synced), faults);
            if !choices.owners {
                owners::refuse(tx, org, id, &known, now, faults)?;
            }
            unlisted::without_stored(tx, id, &known, now, &mut unlisted)?;
        }
        None => has_owner(org, &known.accounts, faults),
    }
    unlisted::refuse(org, &unlisted, faults);
    Ok(known)
}

/// Refuses a file that does not fit a store that does not exist yet.
pub fn new_store(org: &Org, choices: Choices, faults: &Faults) {
    let known = known(org, logins::named(org), HashMap::new(), faults);
    has_owner(org, &known.accounts, faults);
    unlisted::refuse(org, &unlisted::of(org, choices.unlisted), faults);
}

/// The organization and the people of a file, as far as they are stored. Refuses logins that others have or had.
fn known(org: &Org, named: Vec<Named<'_>>, mut holders: HashMap<String, Holder>, faults: &Faults) -> Known {
    let id = organization(org, holders.remove(&login::key(&org.login)).as_ref(), faults);
    let mut accounts = HashMap::with_capacity(holders.len());
    for named in named {
        let refused =
            |why: &str| faults.add(org.fault(named.line, named.place, format!("{} {why}", shown(named.login))));
        match holders.remove(&named.key) {
            None if login::is_reserved(named.login) => refused(RESERVED),
            None => {}
            Some(Holder { current: true, account: Some(account), .. }) => drop(accounts.insert(named.key, account)),
            Some(Holder { current: true, .. }) => refused("is an organization, not a person"),
            Some(_) => refused(KEPT),
        }
    }
    Known { org: id, accounts }
}

/// A team that follows an identity provider gets no children (decision 48).
fn no_children_of_synced(org: &Org, (stored, synced): (&[TeamRow], &HashSet<i64>), faults: &Faults) {
    let Some(pairs) = faults.keep(matching::pair(org, stored)) else { return };
    for team in &org.teams {
        let Some(index) = team.parent else { continue };
        let Some(parent) = pairs[index].map(|pair| stored[pair].id) else { continue };
        if synced.contains(&parent) {
            let parent = shown(&org.teams[index].name);
            let message = format!(
                "the parent {parent} follows an identity provider and cannot have child teams; unlink it first"
            );
            faults.add(org.fault(team.line, &team.key, message));
        }
    }
}

const RESERVED: &str = "is a reserved login, which no new account gets; choose another one";

const KEPT: &str = "is a former username, reserved for its former owner; use the current one, or release it with \
                    `guildhall username release`";

fn organization(org: &Org, holder: Option<&Holder>, faults: &Faults) -> Option<i64> {
    let why = match holder {
        None if login::is_reserved(&org.login) => RESERVED,
        None => return None,
        Some(Holder { current: true, org: Some(id), .. }) => return Some(*id),
        Some(Holder { current: true, .. }) => "is a person, not an organization",
        Some(_) => KEPT,
    };
    faults.add(org.fault(org.line, &org.key, format!("{} {why}", shown(&org.login))));
    None
}

/// A new organization needs an owner who can act in it.
fn has_owner(org: &Org, accounts: &HashMap<String, Account>, faults: &Faults) {
    let active = |login: &str| accounts.get(&login::key(login)).is_none_or(|account| !account.suspended);
    if !org.people.iter().any(|person| person.role == Role::Admin && active(&person.login)) {
        let message = "a new organization needs an owner whose account is not suspended; add one to \"admins\"";
        faults.add(org.fault(org.line, &org.key, message));
    }
}
