//! The configuration format of peribolos: `orgs`, each with people, repositories and nested teams (decision 50).

use std::collections::HashMap;

use super::cursor::Cursor;
use super::desired::{Org, Role};
use super::draft::{Draft, PROFILE};
use super::extension;
use super::fault::shown;
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
    "visibility",
    extension::KEY,
];

/// Keys of a repository that concern its content, which the service does not store.
const REPO_IGNORED: &[&str] = &["on_create"];

/// Keys of a team.
const TEAM: &[&str] =
    &["description", "maintainers", "members", "previously", "privacy", "repos", "teams", extension::KEY];

/// Reads every organization of a document that has nothing else.
pub fn read(top: &Cursor) -> Vec<Org> {
    top.only(&[&["orgs"]]);
    let orgs = orgs(top);
    if orgs.is_empty() && top.faults.is_empty() {
        top.wrong("\"orgs\" is empty; add the login of an organization below it");
    }
    orgs
}

/// Reads every organization of a document.
pub fn orgs(top: &Cursor) -> Vec<Org> {
    let mut orgs = Vec::new();
    let mut lines = HashMap::new();
    let Some(all) = top.get("orgs") else { return orgs };
    for (login, at) in all.entries() {
        if let Some(first) = lines.insert(login.to_ascii_lowercase(), at.line) {
            at.wrong(format!("organization {} is listed twice; see line {first}", shown(login)));
        } else {
            orgs.extend(org(&at, login));
        }
    }
    orgs
}

/// Reads one organization.
pub fn org(at: &Cursor, login: &str) -> Option<Org> {
    only(at, &[ORG, PROFILE, switches::Given::KEYS]);
    let mut draft = Draft::begin(at, login);
    draft.people(at, "admins", Role::Admin);
    draft.people(at, "members", Role::Member);
    if let Some(all) = at.get("repos") {
        for (name, at) in all.entries() {
            repo(&mut draft, &at, name);
        }
    }
    teams(&mut draft, at, None);
    extension::org(&mut draft, at);
    draft.finish()
}

/// Refuses unknown keys, and says where a team belongs that is not under `teams`.
fn only(at: &Cursor, known: &[&[&str]]) {
    for (key, value) in at.unknown(known) {
        if TEAM.iter().any(|key| value.get(key).is_some()) {
            value.wrong("unknown key; if this is a team, move it under \"teams\"");
        } else {
            value.refuse_key(key, known);
        }
    }
}

fn repo(draft: &mut Draft, at: &Cursor, name: &str) {
    at.only(&[REPO, Given::KEYS, REPO_IGNORED]);
    draft.repo(at, name, true);
    draft.not_kept(at, "repos.*.", REPO_IGNORED);
    extension::repo(draft, at);
    if let Some(all) = at.get("collaborators") {
        for (login, at) in all.entries() {
            draft.collaborator(&at, name, login, at.keep(values::choice(&at, LEVELS)));
        }
    }
}

fn teams(draft: &mut Draft, at: &Cursor, parent: Option<usize>) {
    let Some(all) = at.get("teams") else { return };
    for (name, at) in all.entries() {
        only(&at, &[TEAM]);
        let team = draft.team(&at, name, parent);
        for (key, maintainer) in [("maintainers", true), ("members", false)] {
            at.each(key, |item| draft.membership(&item, team, maintainer));
        }
        if let Some(grants) = at.get("repos") {
            for (repo, at) in grants.entries() {
                draft.grant(&at, team, repo, at.keep(values::choice(&at, GRANT_LEVELS)).flatten());
            }
        }
        extension::team(draft, &at, team);
        teams(draft, &at, Some(team));
    }
}
