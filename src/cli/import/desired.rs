//! What a file wants to exist: organizations with their people, repositories and teams, checked and free of any store.
//!
//! Everything here already keeps the rules that a file alone can break: decisions 9 (names), 11 (privacy and nesting)
//! and 22 (logins). What needs the store is judged later: slugs, people who exist, owners. Every item keeps
//! the line where it stands, for messages.

use super::fault::Fault;

/// One organization as a file describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Org {
    /// The file it was read from, as named on the command line.
    pub file: String,
    /// The line where it begins.
    pub line: u32,
    /// The keys that lead to it in the file, as in `orgs.acme`.
    pub key: String,
    /// Its login.
    pub login: String,
    /// The name shown to people.
    pub name: Option<String>,
    /// The description of its profile.
    pub description: Option<String>,
    /// The location of its profile.
    pub location: Option<String>,
    /// What every member may do with every repository: `none`, `read`, `write` or `admin`.
    pub default_repository_permission: Option<&'static str>,
    /// Whether members may create repositories.
    pub members_can_create_repositories: Option<bool>,
    /// Whether the organization has projects.
    pub has_organization_projects: Option<bool>,
    /// Whether its repositories have projects.
    pub has_repository_projects: Option<bool>,
    /// Owners and members in the order of the file, each person once.
    pub people: Vec<Person>,
    /// Repositories, each once; those that only a team or a collaborator names stand at the end.
    pub repos: Vec<Repo>,
    /// Collaborators of repositories, each person once a repository.
    pub collaborators: Vec<Collaborator>,
    /// Teams; a parent stands before its children.
    pub teams: Vec<Team>,
}

impl Org {
    /// A fault at a line of this organization's file, for rules that are judged after reading.
    pub fn fault(&self, line: u32, key: &str, message: impl Into<String>) -> Fault {
        Fault::new(line, key, message).in_file(&self.file)
    }
}

/// Somebody who belongs to the organization.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The login, as first written.
    pub login: String,
    /// What the person is in the organization.
    pub role: Role,
    /// The line where the person is named.
    pub line: u32,
}

/// What somebody is in an organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// An owner.
    Admin,
    /// A member.
    Member,
}

/// A repository of the organization.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repo {
    /// Its name, unique in the organization without regard to case.
    pub name: String,
    /// Its description.
    pub description: Option<String>,
    /// Whether it is private, where the file says so.
    pub private: Option<bool>,
    /// Whether it is archived, where the file says so.
    pub archived: Option<bool>,
    /// Its default branch.
    pub default_branch: Option<String>,
    /// False when the file does not list it among its repositories.
    pub declared: bool,
    /// The line where it is first named.
    pub line: u32,
}

/// Somebody who has a level on one repository without any team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collaborator {
    /// The repository, spelled as in [`Org::repos`].
    pub repo: String,
    /// The login.
    pub login: String,
    /// The level.
    pub level: Level,
    /// The line where the level is given.
    pub line: u32,
}

/// A level of access to a repository, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// `read`, in REST words `pull`.
    Read,
    /// `triage`.
    Triage,
    /// `write`, in REST words `push`.
    Write,
    /// `maintain`.
    Maintain,
    /// `admin`.
    Admin,
}

/// A team.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Team {
    /// Its name, trimmed and unique in the organization as written; slugs are compared by the store.
    pub name: String,
    /// Its description.
    pub description: Option<String>,
    /// Its privacy; without one it is closed when it has a parent or children (decisions 50).
    pub privacy: Option<Privacy>,
    /// Its parent, as an index into [`Org::teams`] that is lower than its own.
    pub parent: Option<usize>,
    /// Names that the team had before, each once.
    pub former_names: Vec<String>,
    /// Direct members, each person once, maintainer where the file says both.
    pub members: Vec<Membership>,
    /// Levels on repositories, each repository once.
    pub grants: Vec<Grant>,
    /// The line where the team begins.
    pub line: u32,
    /// The keys that lead to it in the file, as in `orgs.acme.teams.Core`.
    pub key: String,
}

/// Who sees a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Privacy {
    /// Its members and the owners.
    Secret,
    /// Every member of the organization.
    Closed,
}

/// Somebody's place in a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Membership {
    /// The login, as first written in this team.
    pub login: String,
    /// Whether the person maintains the team.
    pub maintainer: bool,
    /// The line where the person is named.
    pub line: u32,
}

/// What a team may do with a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The repository, spelled as in [`Org::repos`].
    pub repo: String,
    /// The level; none means that the grant is taken away.
    pub level: Option<Level>,
    /// The line where the level is given.
    pub line: u32,
}
