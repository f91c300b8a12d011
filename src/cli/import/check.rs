//! Errors in well-formed files: files that contradict each other or the store.
//!
//! Implements decisions 9 (slugs), 21 (an owner), 22 (one name space) and 48 (synchronized teams).

use std::collections::HashMap;

use super::desired::{Org, Role};
use super::fault::{Fault, shown};
use super::logins::{self, Account, Holder, Known};
use super::matching;
use super::unlisted::{self, Unlisted};
use crate::clock::Time;
use crate::db::Tx;
use crate::error::Result;
use crate::members::synced;
use crate::people::login;
use crate::rows::TeamRow;
use crate::teams::slug;

/// Refuses files that contradict each other, and teams with the same slug.
pub fn files(orgs: &[Org]) -> std::result::Result<(), Fault> {
    let mut known: HashMap<String, &Org> = HashMap::new();
    for org in orgs {
        if let Some(first) = known.insert(login::key(&org.login), org) {
            let place = format!("{}:{}", first.file, first.line);
            let message =
                format!("organization {} is also described in {place}; remove one of them", shown(&org.login));
            return Err(org.fault(org.line, &org.key, message));
        }
    }
    orgs.iter().try_for_each(|org| {
        people_are_no_organizations(org, &known)?;
        slugs_differ(org)
    })
}

fn people_are_no_organizations(org: &Org, orgs: &HashMap<String, &Org>) -> std::result::Result<(), Fault> {
    for named in logins::named(org) {
        if let Some(other) = orgs.get(&named.key) {
            let place = format!("{}:{}", other.file, other.line);
            let message = format!("{} is a person here and an organization in {place}", shown(named.login));
            return Err(org.fault(named.line, named.place, message));
        }
    }
    Ok(())
}

fn slugs_differ(org: &Org) -> std::result::Result<(), Fault> {
    let mut known = HashMap::new();
    for team in &org.teams {
        let Some(slug) = slug::from_name(&team.name) else { continue };
        let message = format!("the slug of this team is {}", shown(&slug));
        if let Some((name, line)) = known.insert(slug, (&team.name, team.line)) {
            let message = format!("{message}, like that of {} on line {line}; rename one of them", shown(name));
            return Err(org.fault(team.line, &team.key, message));
        }
    }
    Ok(())
}

/// Refuses a file that does not fit the store.
pub fn store(tx: &mut Tx, org: &Org, unlisted: Unlisted, now: Time) -> Result<Known> {
    let named = logins::named(org);
    let own = login::key(&org.login);
    let keys: Vec<&str> = named.iter().map(|n| n.key.as_str()).chain([own.as_str()]).collect();
    let mut holders = logins::holders(tx, &keys)?;

    let id = organization(org, holders.remove(&own).as_ref())?;
    let mut accounts = HashMap::with_capacity(holders.len());
    for named in &named {
        let refused = |why: &str| org.fault(named.line, named.place, format!("{} {why}", shown(named.login)));
        let Some(holder) = holders.remove(&named.key) else {
            if login::is_reserved(named.login) {
                return Err(refused(RESERVED).into());
            }
            continue;
        };
        match holder {
            Holder { current: true, account: Some(account), .. } => accounts.insert(named.key.clone(), account),
            Holder { current: true, .. } => return Err(refused("is an organization, not a person").into()),
            _ => return Err(refused(KEPT).into()),
        };
    }
    match id {
        Some(id) => {
            let stored = matching::stored(tx, id)?;
            no_children_of_synced(tx, org, &stored)?;
        }
        None => has_owner(org, &accounts)?,
    }
    let known = Known { org: id, accounts };
    if unlisted == Unlisted::Refuse {
        unlisted::refuse(tx, org, &known, now)?;
    }
    Ok(known)
}

/// A team that follows an identity provider gets no children (decision 48).
fn no_children_of_synced(tx: &mut Tx, org: &Org, stored: &[TeamRow]) -> Result<()> {
    let pairs = matching::pair(org, stored)?;
    for team in &org.teams {
        let Some(index) = team.parent else { continue };
        let Some(parent) = pairs[index].map(|pair| stored[pair].id) else { continue };
        if synced::is_synced(tx, parent)? {
            let parent = shown(&org.teams[index].name);
            let message = format!(
                "the parent {parent} follows an identity provider and cannot have child teams; unlink it first"
            );
            return Err(org.fault(team.line, &team.key, message).into());
        }
    }
    Ok(())
}

const RESERVED: &str = "is a reserved login, which no new account gets; choose another one";

const KEPT: &str = "is a former username, reserved for its former owner; use the current one, or release it with \
                    `guildhall username release`";

fn organization(org: &Org, holder: Option<&Holder>) -> std::result::Result<Option<i64>, Fault> {
    let refused = |why: &str| org.fault(org.line, &org.key, format!("{} {why}", shown(&org.login)));
    match holder {
        None if login::is_reserved(&org.login) => Err(refused(RESERVED)),
        None => Ok(None),
        Some(Holder { current: true, org: Some(id), .. }) => Ok(Some(*id)),
        Some(Holder { current: true, .. }) => Err(refused("is a person, not an organization")),
        Some(_) => Err(refused(KEPT)),
    }
}

/// A new organization needs an owner who can act in it.
fn has_owner(org: &Org, accounts: &HashMap<String, Account>) -> std::result::Result<(), Fault> {
    let active = |login: &str| accounts.get(&login::key(login)).is_none_or(|account| !account.suspended);
    if org.people.iter().any(|person| person.role == Role::Admin && active(&person.login)) {
        return Ok(());
    }
    let message = "a new organization needs an owner whose account is not suspended; add one to \"admins\"";
    Err(org.fault(org.line, &org.key, message))
}
