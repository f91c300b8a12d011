//! Repositories, in memory and naively: what a user may do with one is the highest of all that gives it to them, and a
//! team has what every team above it has (decisions 30, 31 and 33).

use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::properties::look::{ids, pages};
use crate::properties::model::{Model, PEOPLE, Who};
use crate::support::{Answer, Client, Value, json};

/// A place in [`WORDS`] and [`ROLES`]; the highest holds.
type Level = usize;

const WORDS: [&str; 6] = ["none", "pull", "triage", "push", "maintain", "admin"];
const ROLES: [&str; 6] = ["none", "read", "triage", "write", "maintain", "admin"];
/// As a repository's list of teams names levels in `permission` (decision 55).
const LEVELS: [&str; 6] = ["none", "pull", "triage", "push", "maintain", "admin"];
/// The word for each level in the permission of a person.
const OLD_WORDS: [&str; 6] = ["none", "read", "read", "write", "write", "admin"];
/// The levels that an organization can give all its members: a word and the level.
const DEFAULTS: [(&str, Level); 4] = [("none", 0), ("read", 1), ("write", 3), ("admin", 5)];
const ADMIN: Level = 5;

/// Names of repositories, each of which exists at most once.
const NAMES: [&str; 3] = ["web", "docs", "vault"];
const RECORD: &str = "application/vnd.github.v3.repository+json";

/// The repositories by name, and the place in [`DEFAULTS`] of what members have on all of them.
#[derive(Debug, Clone)]
pub struct Repos {
    all: BTreeMap<&'static str, Repo>,
    pub default: usize,
}

#[derive(Debug, Clone)]
struct Repo {
    id: i64,
    private: bool,
    collaborators: BTreeMap<Who, Level>,
    grants: BTreeMap<i64, Level>,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Create,
    Hide,
    Default,
    Collaborator,
    Grant,
    Convert,
    Delete,
}

/// A step before it is known which teams there are; level none takes away.
#[derive(Debug, Clone)]
pub struct Step {
    kind: Kind,
    repo: usize,
    team: usize,
    who: Who,
    level: Level,
    private: bool,
}

pub fn step() -> impl Strategy<Value = Step> {
    let kind = prop_oneof![
        4 => Just(Kind::Create),
        2 => Just(Kind::Hide),
        2 => Just(Kind::Default),
        4 => Just(Kind::Collaborator),
        7 => Just(Kind::Grant),
        1 => Just(Kind::Convert),
        1 => Just(Kind::Delete),
    ];
    let numbers = (0..NAMES.len(), 0..9_usize, 0..PEOPLE.len(), 0..WORDS.len(), prop::bool::weighted(0.8));
    (kind, numbers).prop_map(|(kind, (repo, team, who, level, private))| Step { kind, repo, team, who, level, private })
}

#[derive(Debug, Clone)]
pub enum Deed {
    Create { repo: &'static str, private: bool },
    Hide { repo: &'static str, private: bool },
    Default { default: usize },
    Collaborator { repo: &'static str, who: Who, level: Level },
    Grant { repo: &'static str, team: i64, level: Level },
    Convert { who: Who },
    Delete { repo: &'static str },
}

impl Deed {
    pub fn of(model: &Model, step: &Step) -> Self {
        let Step { kind, repo, team, who, level, private } = *step;
        let repo = NAMES[repo];
        match kind {
            Kind::Create => Self::Create { repo, private },
            Kind::Hide => Self::Hide { repo, private },
            Kind::Default => Self::Default { default: level % DEFAULTS.len() },
            Kind::Collaborator => Self::Collaborator { repo, who, level },
            Kind::Grant => Self::Grant { repo, team: model.nth_team(team), level },
            Kind::Convert => Self::Convert { who },
            Kind::Delete => Self::Delete { repo },
        }
    }

    pub fn success(&self) -> u16 {
        match self {
            Self::Create { .. } => 201,
            Self::Hide { .. } | Self::Default { .. } => 200,
            _ => 204,
        }
    }

    pub fn send(&self, client: &Client) -> Answer {
        match *self {
            Self::Create { repo, private } => {
                client.post("/orgs/acme/repos", json!({ "name": repo, "private": private }))
            }
            Self::Hide { repo, private } => client.patch(&at(repo), json!({ "private": private })),
            Self::Default { default } => {
                client.patch("/orgs/acme", json!({ "default_repository_permission": DEFAULTS[default].0 }))
            }
            Self::Collaborator { repo, who, level } => {
                set(client, &format!("{}/collaborators/{}", at(repo), PEOPLE[who]), level)
            }
            Self::Grant { repo, team, level } => {
                set(client, &format!("/organizations/1/team/{team}{}", at(repo)), level)
            }
            Self::Convert { who } => client.put_empty(&format!("/orgs/acme/outside_collaborators/{}", PEOPLE[who])),
            Self::Delete { repo } => client.delete(&at(repo)),
        }
    }

    /// Every status that a refusal of this can have, or none if it must succeed.
    pub fn refusals(&self, model: &Model, actor: Who) -> Vec<u16> {
        let at_least = |repo: &str, needed: Level| match level(model, actor, repo) {
            0 => vec![404],
            has if has < needed => vec![403],
            _ => vec![],
        };
        match *self {
            Self::Default { .. } | Self::Convert { .. } if !model.owns(actor) => vec![403],
            Self::Create { .. } if !model.people.contains_key(&actor) => vec![403],
            Self::Create { repo, .. } if model.repos.all.contains_key(repo) => vec![422],
            Self::Create { .. } | Self::Default { .. } => vec![],
            Self::Hide { repo, .. } | Self::Delete { repo } => at_least(repo, ADMIN),
            Self::Collaborator { repo, who, level } => {
                at_least(repo, if level == 0 && who == actor { 1 } else { ADMIN })
            }
            Self::Grant { team, .. } if !model.sees(actor, team) => vec![404],
            Self::Grant { repo, team, level } => {
                at_least(repo, if level == 0 && model.leads(actor, team) { 1 } else { ADMIN })
            }
            Self::Convert { who } if !model.people.contains_key(&who) => vec![403],
            Self::Convert { who } => model.last_owner_stays(who, false),
        }
    }

    /// Does what is not refused; a new repository has this identifier.
    pub fn carry_out(&self, model: &mut Model, actor: Who, id: Option<i64>) {
        let owns = model.owns(actor);
        let all = &mut model.repos.all;
        match *self {
            Self::Create { repo, private } => {
                let id = id.expect("a new repository has an identifier");
                let collaborators = (!owns).then_some((actor, ADMIN)).into_iter().collect();
                all.insert(repo, Repo { id, private, collaborators, grants: BTreeMap::new() });
            }
            Self::Hide { repo, private } => all.get_mut(repo).expect("a repository").private = private,
            Self::Default { default } => model.repos.default = default,
            Self::Collaborator { repo, who, level } => {
                give(&mut all.get_mut(repo).expect("a repository").collaborators, who, level);
            }
            Self::Grant { repo, team, level } => {
                give(&mut all.get_mut(repo).expect("a repository").grants, team, level);
            }
            Self::Convert { who } => {
                let kept = |repo: &Repo| own(repo, who).max(by_teams(model, who, repo));
                let kept: Vec<Level> = model.repos.all.values().map(kept).collect();
                model.leave(who);
                for (repo, level) in model.repos.all.values_mut().zip(kept) {
                    give(&mut repo.collaborators, who, level);
                }
            }
            Self::Delete { repo } => drop(all.remove(repo)),
        }
    }
}

fn at(repo: &str) -> String {
    format!("/repos/acme/{repo}")
}

fn set(client: &Client, path: &str, level: Level) -> Answer {
    if level == 0 { client.delete(path) } else { client.put(path, json!({ "permission": WORDS[level] })) }
}

fn give<K: Ord>(levels: &mut BTreeMap<K, Level>, to: K, level: Level) {
    levels.remove(&to);
    if level > 0 {
        levels.insert(to, level);
    }
}

impl Repos {
    /// None yet; members would read them.
    pub fn new() -> Self {
        Self { all: BTreeMap::new(), default: 1 }
    }

    /// Grants go with their teams, and collaborators with their membership.
    pub fn forget(&mut self, team: impl Fn(i64) -> bool, person: Option<Who>) {
        for repo in self.all.values_mut() {
            repo.grants.retain(|id, _| !team(*id));
            repo.collaborators.retain(|who, _| Some(*who) != person);
        }
    }
}

fn own(repo: &Repo, who: Who) -> Level {
    repo.collaborators.get(&who).copied().unwrap_or(0)
}

/// The level of a team: by its own grant or that of any team above it, whichever is higher.
fn of_team(model: &Model, team: i64, repo: &Repo) -> Level {
    model.above(team).iter().filter_map(|id| repo.grants.get(id)).copied().max().unwrap_or(0)
}

fn by_teams(model: &Model, who: Who, repo: &Repo) -> Level {
    let teams = model.teams.iter().filter(|(_, team)| team.members.contains_key(&who));
    teams.map(|(id, _)| of_team(model, *id, repo)).max().unwrap_or(0)
}

/// The level that a user was given, by whatever gives it.
fn given(model: &Model, who: Who, repo: &Repo) -> Level {
    let of_role = match model.people.get(&who) {
        Some(true) => ADMIN,
        Some(false) => DEFAULTS[model.repos.default].1,
        None => 0,
    };
    of_role.max(by_teams(model, who, repo)).max(own(repo, who))
}

/// The level of a user, `None` if there is no such repository.
fn level(model: &Model, who: Who, repo: &str) -> Level {
    let Some(repo) = model.repos.all.get(repo) else { return 0 };
    given(model, who, repo).max(usize::from(!repo.private))
}

/// A list by identifier, as the model has it.
fn sorted<T>(items: impl Iterator<Item = (i64, T)>) -> Vec<(i64, T)> {
    let mut items: Vec<_> = items.collect();
    items.sort_by_key(|(id, _)| *id);
    items
}

/// The identifiers of a list with one member of each item.
fn shown(items: &[Value], member: &str) -> Vec<(i64, String)> {
    let text = |item: &Value| item[member].as_str().expect("text").to_owned();
    ids(items).into_iter().zip(items.iter().map(text)).collect()
}

/// Compares all that a user can see of repositories.
pub fn look(client: &Client, model: &Model, who: Who) {
    let context = || format!("to {} in {model:#?}", PEOPLE[who]);
    let repos = || model.repos.all.iter().filter(|(name, _)| level(model, who, name) > 0);
    let readable = sorted(repos().map(|(name, repo)| (repo.id, ROLES[level(model, who, name)].to_owned())));
    assert_eq!(shown(&pages(client, "/orgs/acme/repos", 2), "role_name"), readable, "repositories {}", context());
    for name in NAMES {
        let answer = client.get(&at(name));
        match level(model, who, name) {
            0 => drop(answer.refused(404, "Not Found")),
            level => assert_eq!(answer.expect(200)["role_name"], ROLES[level], "{name} {}", context()),
        }
    }
    for (name, repo) in repos() {
        let teams = model.teams.keys().copied().filter(|team| model.sees(who, *team));
        let teams = sorted(teams.map(|team| (team, of_team(model, team, repo))).filter(|(_, level)| *level > 0));
        let listed = pages(client, &format!("{}/teams", at(name)), 2);
        for (field, words) in [("role_name", ROLES), ("permission", LEVELS)] {
            let teams: Vec<_> = teams.iter().map(|(team, level)| (*team, words[*level].to_owned())).collect();
            assert_eq!(shown(&listed, field), teams, "{field} of the teams of {name} {}", context());
        }
        collaborators(client, model, who, name, repo);
    }
    for team in model.teams.keys().filter(|team| model.sees(who, **team)) {
        of_a_team(client, model, who, *team);
    }
}

fn of_a_team(client: &Client, model: &Model, who: Who, team: i64) {
    let path = format!("/organizations/1/team/{team}");
    let has = |name: &str| match model.repos.all.get(name) {
        Some(repo) if level(model, who, name) > 0 => of_team(model, team, repo),
        _ => 0,
    };
    let listed = pages(client, &format!("{path}/repos"), 2);
    let expected = model.repos.all.iter().map(|(name, repo)| (repo.id, has(name))).filter(|(_, level)| *level > 0);
    let expected: Vec<_> = sorted(expected).into_iter().map(|(id, level)| (id, ROLES[level].to_owned())).collect();
    assert_eq!(shown(&listed, "role_name"), expected, "team {team} to {} in {model:#?}", PEOPLE[who]);
    for name in NAMES {
        let check = client.with("Accept", RECORD).get(&format!("{path}{}", at(name)));
        match listed.iter().find(|repo| repo["name"] == name) {
            Some(repo) => assert_eq!(check.expect(200), repo),
            None => drop(check.refused(404, "Not Found")),
        }
    }
}

/// The people of a repository, as a user with write access sees them, and what each of them may do.
fn collaborators(client: &Client, model: &Model, who: Who, name: &str, repo: &Repo) {
    let path = format!("{}/collaborators", at(name));
    if level(model, who, name) < 3 {
        client.get(&path).expect(403);
        return;
    }
    let logins = |affiliation: &str| -> Vec<(String, String)> {
        let people = pages(client, &format!("{path}?affiliation={affiliation}"), 2);
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        people.iter().map(|person| (text(&person["login"]), text(&person["role_name"]))).collect()
    };
    let those = |chosen: &dyn Fn(Who) -> bool| -> Vec<(String, String)> {
        let people = (0..PEOPLE.len()).filter(|who| chosen(*who));
        people.map(|who| (PEOPLE[who].to_owned(), ROLES[level(model, who, name)].to_owned())).collect()
    };
    let (direct, member) = (|who| own(repo, who) > 0, |who| model.people.contains_key(&who));
    assert_eq!(logins("all"), those(&|who| given(model, who, repo) > 0), "people of {name} in {model:#?}");
    assert_eq!(logins("direct"), those(&direct), "collaborators of {name} in {model:#?}");
    assert_eq!(logins("outside"), those(&|who| direct(who) && !member(who)), "of {name} in {model:#?}");
    for (of, login) in PEOPLE.iter().enumerate() {
        let has = level(model, of, name);
        let permission = client.get(&format!("{path}/{login}/permission"));
        let permission = permission.expect(200);
        let shown = (&permission["permission"], &permission["role_name"]);
        assert_eq!(shown, (&json!(OLD_WORDS[has]), &json!(ROLES[has])), "{login} and {name} in {model:#?}");
        let status = client.get(&format!("{path}/{login}")).status;
        assert_eq!(status, if given(model, of, repo) > 0 { 204 } else { 404 }, "{login} and {name} in {model:#?}");
    }
}

/// The collaborators from outside, as an owner reads them.
pub fn outsiders(owner: &Client, model: &Model) {
    let listed = pages(owner, "/orgs/acme/outside_collaborators", 2);
    let logins: Vec<&str> = listed.iter().map(|person| person["login"].as_str().expect("a login")).collect();
    let given = |who: &Who| model.repos.all.values().any(|repo| own(repo, *who) > 0);
    let outside = (0..PEOPLE.len()).filter(|who| given(who) && !model.people.contains_key(who));
    assert_eq!(logins, outside.map(|who| PEOPLE[who]).collect::<Vec<_>>(), "outside collaborators in {model:#?}");
}
