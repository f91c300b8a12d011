//! Projects, in memory and naively: what a user may do with one is the highest of all that gives it to them
//! (decisions 30 to 33).

use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::properties::look::{ids, pages};
use crate::properties::model::{Model, PEOPLE, Who};
use crate::support::{Answer, Client, Value, json};

const WORDS: [&str; 4] = ["none", "read", "write", "admin"];

/// A place in [`WORDS`]; the highest holds.
type Level = usize;

/// A project that never is.
const NO_PROJECT: i64 = 9_999;

#[derive(Debug, Clone)]
pub struct Project {
    organization: Level,
    private: bool,
    collaborators: BTreeMap<Who, Level>,
    grants: BTreeMap<i64, Level>,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Create,
    Open,
    Collaborator,
    Grant,
    Delete,
}

/// A step before it is known which teams and projects there are; level none takes away.
#[derive(Debug, Clone)]
pub struct Step {
    kind: Kind,
    project: usize,
    team: usize,
    who: Who,
    level: Level,
    private: bool,
}

pub fn step() -> impl Strategy<Value = Step> {
    let kind = prop_oneof![
        2 => Just(Kind::Create),
        2 => Just(Kind::Open),
        2 => Just(Kind::Collaborator),
        6 => Just(Kind::Grant),
        1 => Just(Kind::Delete),
    ];
    let numbers = (0..4_usize, 0..9_usize, 0..PEOPLE.len(), 0..WORDS.len(), any::<bool>());
    (kind, numbers).prop_map(|(kind, (project, team, who, level, private))| Step {
        kind,
        project,
        team,
        who,
        level,
        private,
    })
}

#[derive(Debug, Clone)]
pub enum Deed {
    Create,
    Open { project: i64, organization: Level, private: bool },
    Collaborator { project: i64, who: Who, level: Level },
    Grant { project: i64, team: i64, level: Level },
    Delete { project: i64 },
}

impl Deed {
    pub fn of(model: &Model, step: &Step) -> Self {
        let Step { kind, project, team, who, level, private } = *step;
        let known = &model.projects;
        let project = known.keys().copied().nth(project % (known.len() + 1)).unwrap_or(NO_PROJECT);
        match kind {
            Kind::Create => Self::Create,
            Kind::Open => Self::Open { project, organization: level, private },
            Kind::Collaborator => Self::Collaborator { project, who, level },
            Kind::Grant => Self::Grant { project, team: model.nth_team(team), level },
            Kind::Delete => Self::Delete { project },
        }
    }

    pub fn success(&self) -> u16 {
        match self {
            Self::Create => 201,
            Self::Open { .. } => 200,
            _ => 204,
        }
    }

    pub fn send(&self, client: &Client) -> Answer {
        match self {
            Self::Create => client.post("/orgs/acme/projects", json!({ "name": "Roadmap" })),
            Self::Open { project, organization, private } => {
                let body = json!({ "organization_permission": WORDS[*organization], "private": private });
                client.patch(&format!("/projects/{project}"), body)
            }
            Self::Collaborator { project, who, level } => {
                set(client, &format!("/projects/{project}/collaborators/{}", PEOPLE[*who]), *level)
            }
            Self::Grant { project, team, level } => {
                set(client, &format!("/organizations/1/team/{team}/projects/{project}"), *level)
            }
            Self::Delete { project } => client.delete(&format!("/projects/{project}")),
        }
    }

    /// Every status that a refusal of this can have, or none if it must succeed.
    pub fn refusals(&self, model: &Model, actor: Who) -> Vec<u16> {
        let at_least = |project: i64, needed: Level| match level(model, actor, project) {
            0 => vec![404],
            has if has < needed => vec![403],
            _ => vec![],
        };
        match *self {
            Self::Create if !model.people.contains_key(&actor) => vec![403],
            Self::Create => vec![],
            Self::Open { project, organization, private } => {
                let same = model
                    .projects
                    .get(&project)
                    .is_some_and(|p| (p.organization, p.private) == (organization, private));
                at_least(project, if same { 2 } else { 3 })
            }
            Self::Collaborator { project, .. } | Self::Delete { project } => at_least(project, 3),
            Self::Grant { team, .. } if !model.sees(actor, team) => vec![404],
            Self::Grant { project, level, .. } => at_least(project, if level == 0 { 1 } else { 3 }),
        }
    }

    /// Does what is not refused; a new project has this identifier.
    pub fn carry_out(&self, model: &mut Model, actor: Who, id: Option<i64>) {
        match *self {
            Self::Create => {
                let collaborators = BTreeMap::from([(actor, 3)]);
                // The words of the organization's default have the same order.
                let organization = model.repos.default;
                let project = Project { organization, private: true, collaborators, grants: BTreeMap::new() };
                model.projects.insert(id.expect("a new project has an identifier"), project);
            }
            Self::Open { project, organization, private } => {
                let project = model.projects.get_mut(&project).expect("a project");
                (project.organization, project.private) = (organization, private);
            }
            Self::Collaborator { project, who, level } => {
                give(&mut model.projects.get_mut(&project).expect("a project").collaborators, who, level);
            }
            Self::Grant { project, team, level } => {
                give(&mut model.projects.get_mut(&project).expect("a project").grants, team, level);
            }
            Self::Delete { project } => drop(model.projects.remove(&project)),
        }
    }
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

/// Grants go with their teams, and collaborators with their membership.
pub fn forget(projects: &mut BTreeMap<i64, Project>, team: impl Fn(i64) -> bool, person: Option<Who>) {
    for project in projects.values_mut() {
        project.grants.retain(|id, _| !team(*id));
        project.collaborators.retain(|who, _| Some(*who) != person);
    }
}

/// The level of a team: by its own grant or that of any team above it.
fn of_team(model: &Model, team: i64, project: &Project) -> Level {
    model.above(team).iter().filter_map(|id| project.grants.get(id)).copied().max().unwrap_or(0)
}

/// The level of a user, `None` if there is no such project.
fn level(model: &Model, who: Who, project: i64) -> Level {
    let Some(project) = model.projects.get(&project) else { return 0 };
    let of_role = match model.people.get(&who) {
        Some(true) => 3,
        Some(false) => project.organization,
        None => 0,
    };
    let teams = model.teams.iter().filter(|(_, team)| team.members.contains_key(&who));
    let of_teams = teams.map(|(id, _)| of_team(model, *id, project)).max().unwrap_or(0);
    let own = project.collaborators.get(&who).copied().unwrap_or(0);
    of_role.max(of_teams).max(own).max(usize::from(!project.private))
}

/// Compares all that a user can see of projects.
pub fn look(client: &Client, model: &Model, who: Who) {
    let reads = |id: &i64| level(model, who, *id) > 0;
    let readable: Vec<i64> = model.projects.keys().copied().filter(reads).collect();
    assert_eq!(ids(&pages(client, "/orgs/acme/projects", 2)), readable, "{} in {model:#?}", PEOPLE[who]);
    for id in model.projects.keys() {
        let status = client.get(&format!("/projects/{id}")).status;
        assert_eq!(status, if reads(id) { 200 } else { 404 }, "project {id} to {} in {model:#?}", PEOPLE[who]);
    }
    for team in model.teams.keys().filter(|team| model.sees(who, **team)) {
        let of = |id: &i64| of_team(model, *team, &model.projects[id]);
        let shown = pages(client, &format!("/organizations/1/team/{team}/projects"), 2);
        let expected: Vec<i64> = readable.iter().copied().filter(|id| of(id) > 0).collect();
        assert_eq!(ids(&shown), expected, "projects of team {team} to {} in {model:#?}", PEOPLE[who]);
        for project in shown {
            let id = project["id"].as_i64().expect("an identifier");
            let level = of(&id);
            let permissions = json!({ "read": true, "write": level > 1, "admin": level > 2 });
            assert_eq!(project["permissions"], permissions, "project {id} of team {team} in {model:#?}");
            let check = client.get(&format!("/organizations/1/team/{team}/projects/{id}"));
            assert_eq!(check.expect(200), &project);
        }
    }
}

/// The permission of each user, as an owner reads it.
pub fn permissions(owner: &Client, model: &Model) {
    for id in model.projects.keys() {
        for (who, login) in PEOPLE.iter().enumerate() {
            let answer = owner.get(&format!("/projects/{id}/collaborators/{login}/permission"));
            let expected = Value::from(WORDS[level(model, who, *id)]);
            assert_eq!(answer.expect(200)["permission"], expected, "{login} and project {id} in {model:#?}");
        }
    }
}
