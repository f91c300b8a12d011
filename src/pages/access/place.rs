//! A repository or a project, as its page knows it.

use serde::Deserialize;

use super::reasons::Access;
use crate::error::{Error, Result};
use crate::links::segment;
use crate::name::called;
use crate::pages::guest::{Guest, body};
use crate::teams::rooms::grants::RoomGrant;

/// The operations on access to one kind of place.
pub(super) struct Operations {
    pub explain: &'static str,
    pub list: &'static str,
    pub grants: &'static str,
    pub add_person: &'static str,
    pub remove_person: &'static str,
    pub add_team: &'static str,
    pub remove_team: &'static str,
    /// The list of what a team has.
    pub of_team: &'static str,
}

const OF_REPOSITORY: Operations = Operations {
    explain: "repos.explainAccess",
    list: "repos.listAccess",
    grants: "repos.listGrants",
    add_person: "repos.addCollaborator",
    remove_person: "repos.removeCollaborator",
    add_team: "teams.addOrUpdateRepoPermissionsInOrg",
    remove_team: "teams.removeRepoInOrg",
    of_team: "rooms.repositories",
};

const OF_PROJECT: Operations = Operations {
    explain: "projects.explainAccess",
    list: "projects.listAccess",
    grants: "projects.listGrants",
    add_person: "projects.addCollaborator",
    remove_person: "projects.removeCollaborator",
    add_team: "teams.addOrUpdateProjectPermissionsInOrg",
    remove_team: "teams.removeProjectInOrg",
    of_team: "rooms.projects",
};

/// The levels of repositories, the weakest first, each with its name.
const OF_REPOSITORIES: &[(&str, &str)] =
    &[("pull", "Read"), ("triage", "Triage"), ("push", "Write"), ("maintain", "Maintain"), ("admin", "Admin")];

/// The levels of projects.
const OF_PROJECTS: &[(&str, &str)] = &[("read", "Read"), ("write", "Write"), ("admin", "Admin")];

/// A repository or a project.
pub(super) struct Place {
    id: i64,
    /// Its path below `/ui`.
    pub at: String,
    /// The login of its owner.
    pub owner: String,
    /// The owner's displayed name.
    pub called: String,
    pub name: String,
    /// `repository` or `project`.
    pub kind: &'static str,
    pub description: Option<String>,
    pub private: bool,
    /// True if an organization owns it, so that teams can have it.
    pub has_teams: bool,
    pub levels: &'static [(&'static str, &'static str)],
    pub operations: Operations,
    /// The words of the paths of its operations.
    words: Vec<(&'static str, String)>,
}

#[derive(Deserialize)]
struct Repository {
    id: i64,
    name: String,
    private: bool,
    description: Option<String>,
    owner: Owner,
}

#[derive(Deserialize)]
struct Owner {
    login: String,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct Project {
    name: String,
    body: Option<String>,
    private: bool,
}

#[derive(Deserialize)]
struct Numbered {
    id: i64,
}

#[derive(Deserialize)]
struct Organization {
    login: String,
    name: String,
}

/// The displayed name of an organization.
async fn name_of(guest: &Guest<'_>, org: &str) -> Result<String> {
    let of: Organization = guest.call("orgs.get", &[("org", org)], body([])).await?;
    Ok(called(Some(&of.name), &of.login).to_owned())
}

impl Place {
    /// Looks up a repository.
    pub async fn repository(guest: &Guest<'_>, owner: &str, repo: &str) -> Result<Self> {
        let of: Repository = guest.call("repos.get", &[("owner", owner), ("repo", repo)], body([])).await?;
        let is_of_org = of.owner.kind == "Organization";
        let (owner, name) = (of.owner.login, of.name);
        let named = if is_of_org { name_of(guest, &owner).await? } else { owner.clone() };
        Ok(Self {
            id: of.id,
            at: format!("/{}/{}", segment(&owner), segment(&name)),
            kind: "repository",
            description: of.description,
            private: of.private,
            has_teams: is_of_org,
            levels: OF_REPOSITORIES,
            operations: OF_REPOSITORY,
            words: vec![("owner", owner.clone()), ("repo", name.clone())],
            owner,
            called: named,
            name,
        })
    }

    /// Looks up the project with this number in an organization.
    pub async fn project(guest: &Guest<'_>, org: &str, number: &str) -> Result<Self> {
        let number: u32 = number.parse().map_err(|_| Error::NotFound)?;
        let found: Numbered = guest.call("projects.find", &[("org", org)], body([("number", number.into())])).await?;
        let id = found.id.to_string();
        let of: Project = guest.call("projects.get", &[("project_id", &id)], body([])).await?;
        Ok(Self {
            id: found.id,
            at: format!("/orgs/{}/projects/{number}", segment(org)),
            owner: org.to_owned(),
            called: name_of(guest, org).await?,
            name: of.name,
            kind: "project",
            description: of.body,
            private: of.private,
            has_teams: true,
            levels: OF_PROJECTS,
            operations: OF_PROJECT,
            words: vec![("project_id", id)],
        })
    }

    /// True if it was given to this team itself.
    pub async fn is_given_to_team(&self, guest: &Guest<'_>, team: [&str; 2]) -> Result<bool> {
        let [org, slug] = team;
        let (at, id) = ([("org", org), ("team_slug", slug)], body([("id", self.id.into())]));
        let given = guest.call::<Vec<RoomGrant>>(self.operations.of_team, &at, id).await;
        is_there(given.map(|given| given.iter().any(|of| of.own.is_some())))
    }

    /// True if it was given to this person by hand.
    pub async fn is_given_to_person(&self, guest: &Guest<'_>, login: &str) -> Result<bool> {
        let at = self.path(&[("username", login)]);
        let access = guest.call::<Access>(self.operations.explain, &at, body([])).await;
        is_there(access.map(|access| access.is_single()))
    }

    /// Identifies the access of a `team` or a `person`: the IDs of this place and of who has it.
    pub async fn key(&self, guest: &Guest<'_>, [kind, org, who]: [&str; 3]) -> Result<String> {
        let of: Numbered = match kind {
            "team" => guest.call("teams.getByName", &[("org", org), ("team_slug", who)], body([])).await?,
            _ => guest.call("users.getByUsername", &[("username", who)], body([])).await?,
        };
        Ok(format!("{} {}", self.id, of.id))
    }

    /// The path of an operation on it, with these words besides.
    pub fn path<'a>(&'a self, besides: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
        self.words.iter().map(|(name, word)| (*name, word.as_str())).chain(besides.iter().copied()).collect()
    }

    /// The name of a level.
    pub fn level(&self, word: &str) -> &'static str {
        self.levels.iter().find(|(level, _)| *level == word).map_or("None", |(_, name)| name)
    }
}

/// The same answer, where a person or a team that is not found has nothing.
fn is_there(answer: Result<bool>) -> Result<bool> {
    match answer {
        Err(Error::NotFound | Error::Moved { .. } | Error::Invalid(_)) => Ok(false),
        answer => answer,
    }
}
