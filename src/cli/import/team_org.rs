//! The flat format `team-org/1`: one organization as tables of rows, with teams joined by numeric keys (decision 50).

use std::collections::HashMap;

use super::cursor::Cursor;
use super::desired::{Org, Role};
use super::draft::{Draft, PROFILE};
use super::fault::{Fault, shown};
use super::values::{self, REST_LEVELS, TEAM_ROLES};
use crate::orgs::switches;

/// The value of `format`.
const FORMAT: &str = "team-org/1";

/// The tables and the header.
const TOP: &[&str] = &["format", "org", "org_members", "repos", "collaborators", "teams", "team_members", "team_repos"];

/// The source of the data, which is not stored.
const TOP_IGNORED: &[&str] = &["source"];

const REPO: &[&str] = &["name", "declared", "description", "archived", "private", "visibility", "default_branch"];

const TEAM: &[&str] = &["key", "name", "parent", "description", "privacy", "previously"];

/// The governance of the source: `subteam_of` is not a parent.
const TEAM_IGNORED: &[&str] = &["subteam_of"];

const ORG_ROLES: &[(&str, Role)] = &[("admin", Role::Admin), ("member", Role::Member)];

/// Reads the organization of a document.
pub fn read(top: &Cursor) -> Result<Org, Fault> {
    values::choice(&required(top, "format")?, &[(FORMAT, ())])?;
    top.only(&[TOP, TOP_IGNORED])?;
    let org = required(top, "org")?;
    org.only(&[&["login"], PROFILE, switches::Given::KEYS])?;
    let mut draft = Draft::begin(&org, required(&org, "login")?.text()?)?;
    draft.not_kept(top, "", TOP_IGNORED);
    each(top, "org_members", |row| {
        let [login, role] = row.row(["login", "role"])?;
        draft.person(&login, values::choice(&role, ORG_ROLES)?)
    })?;
    each(top, "repos", |row| {
        row.only(&[REPO])?;
        let declared = row.get("declared").map_or(Ok(true), |at| at.truth())?;
        draft.repo(row, required(row, "name")?.text()?, declared)
    })?;
    each(top, "collaborators", |row| {
        let [repo, login, level] = row.row(["repository", "login", "level"])?;
        draft.collaborator(row, repo.text()?, login.text()?, values::choice(&level, REST_LEVELS)?)
    })?;
    teams(&mut draft, top)?;
    draft.finish()
}

fn teams(draft: &mut Draft, top: &Cursor) -> Result<(), Fault> {
    let mut keys: HashMap<u64, usize> = HashMap::new();
    each(top, "teams", |row| {
        row.only(&[TEAM, TEAM_IGNORED])?;
        draft.not_kept(row, "teams.*.", TEAM_IGNORED);
        let key = required(row, "key")?;
        let parent = row.get("parent").map(|at| {
            let message = "no earlier team has this key; list a parent before its child teams";
            keys.get(&at.number()?).copied().ok_or_else(|| at.fault(message))
        });
        let team = draft.team(row, required(row, "name")?.text()?, parent.transpose()?)?;
        match keys.insert(key.number()?, team) {
            None => Ok(()),
            Some(_) => Err(key.fault("another team has this key")),
        }
    })?;
    let team = |at: &Cursor| keys.get(&at.number()?).copied().ok_or_else(|| at.fault("no team has this key"));
    each(top, "team_members", |row| {
        let [key, login, role] = row.row(["team key", "login", "role"])?;
        draft.membership(&login, team(&key)?, values::choice(&role, TEAM_ROLES)?)
    })?;
    each(top, "team_repos", |row| {
        let [key, repo, level] = row.row(["team key", "repository", "level"])?;
        draft.grant(row, team(&key)?, repo.text()?, Some(values::choice(&level, REST_LEVELS)?))
    })
}

/// Passes each row of a table to a function; an absent table has no rows.
fn each(top: &Cursor, table: &str, mut take: impl FnMut(&Cursor) -> Result<(), Fault>) -> Result<(), Fault> {
    if let Some(rows) = top.get(table) {
        for row in rows.items()? {
            take(&row)?;
        }
    }
    Ok(())
}

fn required<'p>(at: &'p Cursor<'p>, key: &str) -> Result<Cursor<'p>, Fault> {
    at.get(key).ok_or_else(|| at.fault(format!("missing key {}", shown(key))))
}
