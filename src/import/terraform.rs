//! Terraform state, version 4: what its resources of GitHub's provider manage in one organization (decision 74).
//!
//! The state has no more than these resources, so everything else is left alone. A team has the lists of its members only
//! if `github_team_members` manages all of them. Identifiers of teams are those of the service that the state describes;
//! here they only join resources with each other.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

use super::cursor::Cursor;
use super::desired::{Org, Role};
use super::draft::Draft;
use super::fault::shown;
use super::values::{self, REST_LEVELS, TEAM_ROLES};
use crate::repos::level::Level;

/// A key that every state has, and no other file.
pub const MARK: &str = "terraform_version";

/// The version of the state's format that is read.
const VERSION: u64 = 4;

const TEAM: &str = "github_team";
const TEAM_MEMBERSHIP: &str = "github_team_membership";
const TEAM_MEMBERS: &str = "github_team_members";
const TEAM_REPOSITORY: &str = "github_team_repository";
const MEMBERSHIP: &str = "github_membership";
const COLLABORATOR: &str = "github_repository_collaborator";

/// The types of resources that are read.
const READ: &[&str] = &[TEAM, TEAM_MEMBERSHIP, TEAM_MEMBERS, TEAM_REPOSITORY, MEMBERSHIP, COLLABORATOR];

/// The beginning of the types of all resources of the provider.
const PROVIDER: &str = "github_";

const ORG_ROLES: &[(&str, Role)] = &[("admin", Role::Admin), ("member", Role::Member)];

/// The teams of the state by identifier and by slug, as indices of the teams of the organization.
type Teams = HashMap<String, usize>;

/// Reads what the state has of the organization.
pub fn read(top: &Cursor, login: &str) -> Option<Org> {
    let version = top.get("version")?;
    if version.keep(version.number())? != VERSION {
        top.wrong("only version 4 of Terraform state can be read; write it with Terraform 0.12 or later");
        return None;
    }
    let mut draft = Draft::begin(top, login);
    each(top, MEMBERSHIP, |at| {
        let role =
            at.read("role", |at| values::choice(at, ORG_ROLES)).or(at.get("role").is_none().then_some(Role::Member));
        if let Some(username) = required(at, "username") {
            draft.person(&username, role);
        }
    });
    let teams = teams(&mut draft, top);
    memberships(&mut draft, top, &teams);
    levels(&mut draft, top, &teams);
    // Who may see a repository is not read, so that a new one must not be open to everyone.
    draft.org.repos.iter_mut().for_each(|repo| repo.private_if_new = true);
    draft.org.not_kept = unread(top);
    draft.finish()
}

/// True if the text is JSON. Only such a state is read, because its secrets can be taken out.
pub fn is_json(text: &str) -> bool {
    serde_json::from_str::<Value>(without_mark(text)).is_ok()
}

/// A text without the byte order mark that some programs begin files with.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The text of a state without outputs, and with no more of its resources than is read: the others may have secrets.
/// Another text is returned as it is.
pub fn without_secrets(text: String) -> String {
    if !text.contains(MARK) {
        return text;
    }
    let Ok(Value::Object(mut state)) = serde_json::from_str(without_mark(&text)) else { return text };
    if !state.contains_key(MARK) {
        return text;
    }
    state.retain(|key, _| ["version", MARK, "resources"].contains(&key.as_str()));
    for resource in state.get_mut("resources").and_then(Value::as_array_mut).into_iter().flatten() {
        let is_read = resource["type"].as_str().is_some_and(|kind| READ.contains(&kind));
        if let Some(resource) = resource.as_object_mut().filter(|_| !is_read) {
            resource.remove("instances");
        }
        let instances = resource.get_mut("instances").and_then(Value::as_array_mut).into_iter().flatten();
        for instance in instances.filter_map(Value::as_object_mut) {
            instance.retain(|key, _| ["attributes", "index_key", "deposed"].contains(&key.as_str()));
        }
    }
    Value::Object(state).to_string()
}

/// Passes the attributes of each instance of each managed resource of a type to a function. Their path is the address.
fn each(top: &Cursor, kind: &str, mut take: impl FnMut(&Cursor)) {
    top.each("resources", |resource| {
        if text(&resource, "mode").as_deref() != Some("managed") || text(&resource, "type").as_deref() != Some(kind) {
            return;
        }
        resource.each("instances", |instance| {
            let address = address(&resource, &instance);
            // A deposed instance is one that Terraform still has to destroy.
            if let Some(attributes) = instance.get("attributes").filter(|_| instance.get("deposed").is_none()) {
                take(&attributes.named(&address));
            }
        });
    });
}

/// The address of an instance, such as `module.teams["x"].github_team.core[0]`.
fn address(resource: &Cursor, instance: &Cursor) -> String {
    let part = |key| text(resource, key).unwrap_or_default();
    let module = resource.get("module").map(|_| part("module") + ".").unwrap_or_default();
    let index = instance.get("index_key").map(|at| match (at.text(), at.number()) {
        (Ok(key), _) => format!("[\"{key}\"]"),
        (_, Ok(number)) => format!("[{number}]"),
        _ => String::new(),
    });
    format!("{module}{}.{}{}", part("type"), part("name"), index.unwrap_or_default())
}

/// Adds the teams, a parent before its children.
fn teams(draft: &mut Draft, top: &Cursor) -> Teams {
    let mut teams = Teams::new();
    let mut waited = 0;
    loop {
        let mut waiting = 0;
        each(top, TEAM, |at| {
            let Some(id) = required_id(at, "id").filter(|id| !teams.contains_key(id)) else { return };
            let parent = id_of(at, "parent_team_id");
            let above = parent.as_ref().and_then(|parent| teams.get(parent).copied());
            if parent.is_some() && above.is_none() {
                waiting += 1;
                return;
            }
            let Some(name) = required(at, "name").and_then(|name| name.keep(name.text().map(str::to_owned))) else {
                return;
            };
            let index = draft.team(at, &name, above);
            // The provider stores an empty text for a team without a description.
            draft.org.teams[index].description.take_if(|text| text.is_empty());
            teams.insert(id, index);
            teams.extend(text(at, "slug").map(|slug| (slug, index)));
        });
        if waiting == 0 || waiting == waited {
            break;
        }
        waited = waiting;
    }
    each(top, TEAM, |at| {
        if let (Some(id), Some(parent)) = (id_of(at, "id"), at.get("parent_team_id"))
            && !teams.contains_key(&id)
        {
            parent.wrong("the state has no such team, or it is below this one; let Terraform manage the parent too");
        }
    });
    teams
}

fn memberships(draft: &mut Draft, top: &Cursor, teams: &Teams) {
    let mut add = |at: &Cursor, team: usize| {
        let role = at.read("role", |at| values::choice(at, TEAM_ROLES)).or(at.get("role").is_none().then_some(false));
        if let (Some(username), Some(maintainer)) = (required(at, "username"), role) {
            draft.membership(&username, team, maintainer);
        }
    };
    each(top, TEAM_MEMBERSHIP, |at| {
        if let Some(team) = team_of(at, teams) {
            add(at, team);
        }
    });
    let mut listed = Vec::new();
    each(top, TEAM_MEMBERS, |at| {
        if let Some(team) = team_of(at, teams) {
            at.each("members", |member| add(&member, team));
            listed.push(team);
        }
    });
    for team in listed {
        draft.org.teams[team].lists.extend(["maintainers", "members"]);
    }
}

fn levels(draft: &mut Draft, top: &Cursor, teams: &Teams) {
    let level = |at: &Cursor, usual: Level| {
        at.read("permission", |at| values::choice(at, REST_LEVELS)).or(at.get("permission").is_none().then_some(usual))
    };
    each(top, TEAM_REPOSITORY, |at| {
        let (team, repo) = (team_of(at, teams), required(at, "repository"));
        if let (Some(team), Some(repo), Some(level)) = (team, repo, level(at, Level::Pull))
            && let Some(name) = repo.keep(repo.text())
        {
            draft.grant(&repo, team, name, Some(level));
        }
    });
    each(top, COLLABORATOR, |at| {
        let (repo, username) = (required(at, "repository"), required(at, "username"));
        if let (Some(repo), Some(username)) = (repo, username)
            && let (Some(name), Some(login)) = (repo.keep(repo.text()), username.keep(username.text()))
        {
            // The owner may stand before the name.
            let name = name.rsplit('/').next().unwrap_or(name);
            draft.collaborator(&repo, name, login, level(at, Level::Push));
        }
    });
}

/// The team of a resource. `team_id` is the identifier or the slug of a team.
fn team_of(at: &Cursor, teams: &Teams) -> Option<usize> {
    let id = required_id(at, "team_id")?;
    let team = teams.get(&id).copied();
    if team.is_none() {
        let message = format!("the state has no team {}; let Terraform manage the team too", shown(&id));
        at.get("team_id")?.wrong(message);
    }
    team
}

/// The types of other resources of the provider.
fn unread(top: &Cursor) -> BTreeSet<String> {
    let mut types = BTreeSet::new();
    top.each("resources", |resource| {
        let is_managed = text(&resource, "mode").as_deref() == Some("managed");
        let kind = text(&resource, "type").filter(|kind| is_managed && kind.starts_with(PROVIDER));
        types.extend(kind.filter(|kind| !READ.contains(&kind.as_str())));
    });
    types
}

fn text(at: &Cursor, key: &str) -> Option<String> {
    at.read(key, |at| at.text().map(str::to_owned))
}

/// An identifier, which is text or a number; nothing if it is absent or empty.
fn id_of(at: &Cursor, key: &str) -> Option<String> {
    let at = at.get(key)?;
    let number = |_| at.number().map(|number| number.to_string());
    at.keep(at.text().map(str::to_owned).or_else(number)).filter(|id| !id.is_empty())
}

fn required_id(at: &Cursor, key: &str) -> Option<String> {
    required(at, key)?;
    id_of(at, key)
}

fn required<'p>(at: &'p Cursor, key: &str) -> Option<Cursor<'p>> {
    let value = at.get(key);
    if value.is_none() {
        at.wrong(format!("missing attribute {}", shown(key)));
    }
    value
}
