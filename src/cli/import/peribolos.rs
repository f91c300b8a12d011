//! The configuration format of peribolos: `orgs`, each with people, repositories and nested teams (decision 50).

use std::collections::HashMap;

use super::cursor::Cursor;
use super::desired::{Org, Role};
use super::draft::{Draft, PROFILE};
use super::extension;
use super::fault::{Fault, shown};
use super::values::{self, GRANT_LEVELS, LEVELS};
use crate::orgs::switches;
use crate::repos::settings::Given;

/// Keys of an organization that contain people, repositories and teams.
const ORG: &[&str] = &["admins", "members", "repos", "teams", extension::KEY];

/// Keys of a repository that are read.
const REPO: &[&str] = &[
    "archived",
    "collaborators",
    "default_branch",
    "description",
    "has_issues",
    "has_projects",
    "has_wiki",
    "homepage",
    "previously",
    "private",
    extension::KEY,
];

/// Keys of a repository that concern its content, which the service does not store.
const REPO_IGNORED: &[&str] = &["on_create"];

/// Keys of a team.
const TEAM: &[&str] =
    &["description", "maintainers", "members", "previously", "privacy", "repos", "teams", extension::KEY];

/// Reads every organization of a document that has nothing else.
pub fn read(top: &Cursor) -> Result<Vec<Org>, Fault> {
    top.only(&[&["orgs"]])?;
    let orgs = orgs(top)?;
    if orgs.is_empty() {
        return Err(top.fault("\"orgs\" is empty; add the login of an organization below it"));
    }
    Ok(orgs)
}

/// Reads every organization of a document.
pub fn orgs(top: &Cursor) -> Result<Vec<Org>, Fault> {
    let mut orgs = Vec::new();
    let mut lines = HashMap::new();
    if let Some(all) = top.get("orgs") {
        for (login, at) in all.entries()? {
            if let Some(first) = lines.insert(login.to_ascii_lowercase(), at.line) {
                let login = shown(login);
                let message = format!("organization {login} is listed twice; see line {first}");
                return Err(at.fault(message));
            }
            orgs.push(org(&at, login)?);
        }
    }
    Ok(orgs)
}

fn org(at: &Cursor, login: &str) -> Result<Org, Fault> {
    at.only(&[ORG, PROFILE, switches::Given::KEYS])?;
    let mut draft = Draft::begin(at, login)?;
    for (key, role) in [("admins", Role::Admin), ("members", Role::Member)] {
        if let Some(list) = at.get(key) {
            for item in list.items()? {
                draft.person(&item, role)?;
            }
        }
    }
    if let Some(all) = at.get("repos") {
        for (name, at) in all.entries()? {
            repo(&mut draft, &at, name)?;
        }
    }
    teams(&mut draft, at, None)?;
    extension::org(&mut draft, at)?;
    draft.finish()
}

fn repo(draft: &mut Draft, at: &Cursor, name: &str) -> Result<(), Fault> {
    at.only(&[REPO, Given::KEYS, REPO_IGNORED])?;
    draft.repo(at, name, true)?;
    draft.not_kept(at, "repos.*.", REPO_IGNORED);
    extension::repo(draft, at)?;
    if let Some(all) = at.get("collaborators") {
        for (login, at) in all.entries()? {
            draft.collaborator(&at, name, login, values::choice(&at, LEVELS)?)?;
        }
    }
    Ok(())
}

fn teams(draft: &mut Draft, at: &Cursor, parent: Option<usize>) -> Result<(), Fault> {
    let Some(all) = at.get("teams") else {
        return Ok(());
    };
    for (name, at) in all.entries()? {
        at.only(&[TEAM])?;
        let team = draft.team(&at, name, parent)?;
        for (key, maintainer) in [("maintainers", true), ("members", false)] {
            if let Some(list) = at.get(key) {
                for item in list.items()? {
                    draft.membership(&item, team, maintainer)?;
                }
            }
        }
        if let Some(grants) = at.get("repos") {
            for (repo, at) in grants.entries()? {
                draft.grant(&at, team, repo, values::choice(&at, GRANT_LEVELS)?)?;
            }
        }
        extension::team(draft, &at, team)?;
        teams(draft, &at, Some(team))?;
    }
    Ok(())
}
