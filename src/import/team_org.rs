//! The flat format `team-org/1`: one organization as tables of rows, with teams joined by numeric keys (decision 50).

use std::collections::HashMap;

use super::cursor::Cursor;
use super::desired::{Org, Role};
use super::draft::{Draft, PROFILE};
use super::fault::shown;
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
pub fn read(top: &Cursor) -> Option<Org> {
    let format = required(top, "format")?;
    format.keep(values::choice(&format, &[(FORMAT, ())]))?;
    top.only(&[TOP, TOP_IGNORED]);
    let org = required(top, "org")?;
    org.only(&[&["login"], PROFILE, switches::Given::KEYS]);
    let mut draft = Draft::begin(&org, required_text(&org, "login")?);
    draft.not_kept(top, "", TOP_IGNORED);
    top.each("org_members", |row| {
        if let Some([login, role]) = row.row(["login", "role"]) {
            draft.person(&login, role.keep(values::choice(&role, ORG_ROLES)));
        }
    });
    top.each("repos", |row| {
        row.only(&[REPO]);
        let declared = row.flag("declared").unwrap_or(true);
        if let Some(name) = required_text(&row, "name") {
            draft.repo(&row, name, declared);
        }
    });
    top.each("collaborators", |row| {
        let Some([repo, login, level]) = row.row(["repository", "login", "level"]) else { return };
        let level = level.keep(values::choice(&level, REST_LEVELS));
        if let (Some(repo), Some(login)) = (repo.keep(repo.text()), login.keep(login.text())) {
            draft.collaborator(&row, repo, login, level);
        }
    });
    teams(&mut draft, top);
    lists(&mut draft.org, top);
    draft.finish()
}

/// A table has the lists of every team, and of every repository.
fn lists(org: &mut Org, top: &Cursor) {
    let of = |table: &str, keys: &[&'static str]| if top.get(table).is_some() { keys.to_vec() } else { Vec::new() };
    let of_repos = of("collaborators", &["collaborators"]);
    let of_teams =
        [of("team_members", &["maintainers", "members"]), of("team_repos", &["repos"]), of("teams", &["teams"])];
    org.lists
        .extend([of("org_members", &["admins", "members"]), of("repos", &["repos"]), of("teams", &["teams"])].concat());
    org.repos.iter_mut().for_each(|repo| repo.lists.extend(&of_repos));
    org.teams.iter_mut().for_each(|team| team.lists.extend(of_teams.concat()));
}

fn teams(draft: &mut Draft, top: &Cursor) {
    let mut keys: HashMap<u64, usize> = HashMap::new();
    top.each("teams", |row| {
        row.only(&[TEAM, TEAM_IGNORED]);
        draft.not_kept(&row, "teams.*.", TEAM_IGNORED);
        let parent = row.read("parent", |at| {
            let message = "no earlier team has this key; list a parent before its child teams";
            keys.get(&at.number()?).copied().ok_or_else(|| at.fault(message))
        });
        let Some(name) = required_text(&row, "name") else { return };
        let team = draft.team(&row, name, parent);
        let Some(key) = required(&row, "key") else { return };
        if let Some(number) = key.keep(key.number())
            && keys.insert(number, team).is_some()
        {
            key.wrong("another team has this key");
        }
    });
    let team = |at: &Cursor| {
        let team = at.number().and_then(|key| keys.get(&key).copied().ok_or_else(|| at.fault("no team has this key")));
        at.keep(team)
    };
    top.each("team_members", |row| {
        let Some([key, login, role]) = row.row(["team key", "login", "role"]) else { return };
        if let (Some(team), Some(maintainer)) = (team(&key), role.keep(values::choice(&role, TEAM_ROLES))) {
            draft.membership(&login, team, maintainer);
        }
    });
    top.each("team_repos", |row| {
        let Some([key, repo, level]) = row.row(["team key", "repository", "level"]) else { return };
        let level = level.keep(values::choice(&level, REST_LEVELS));
        if let (Some(team), Some(repo)) = (team(&key), repo.keep(repo.text())) {
            draft.grant(&row, team, repo, level);
        }
    });
}

fn required<'p>(at: &'p Cursor, key: &str) -> Option<Cursor<'p>> {
    let value = at.get(key);
    if value.is_none() {
        at.wrong(format!("missing key {}", shown(key)));
    }
    value
}

fn required_text<'p>(at: &'p Cursor, key: &str) -> Option<&'p str> {
    let value = required(at, key)?;
    value.keep(value.text())
}
