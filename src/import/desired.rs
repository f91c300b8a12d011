//! The content of a file: organizations with their people, repositories and teams, validated, and independent of any
//! store.
//!
//! Everything here already satisfies the rules that a file alone can break: decisions 9 (names), 11 (privacy and
//! nesting) and 22 (logins). What needs the store is checked later: slugs, existing people, owners. Every item has its
//! line in the file, for messages.

use std::collections::BTreeSet;

pub use super::cursor::Lists;
use super::fault::Fault;
use super::team_settings::TeamSettings;
use crate::orgs::creation::Wanted;
use crate::orgs::switches;
use crate::repos::level::Level;
use crate::repos::settings::Given;
use crate::rows::Privacy;
use crate::rows::ReviewDelegation;

/// One organization in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Org {
    /// The file it was read from, as named on the command line.
    pub file: String,
    /// The line where it begins.
    pub line: u32,
    /// The keys of its path in the file, such as `orgs.acme`.
    pub key: String,
    /// Its login.
    pub login: String,
    /// The display name.
    pub name: Option<String>,
    /// The description of its profile.
    pub description: Option<String>,
    /// The company of its profile.
    pub company: Option<String>,
    /// The URL of its website.
    pub blog: Option<String>,
    /// The location of its profile.
    pub location: Option<String>,
    /// The public e-mail address of its profile.
    pub email: Option<String>,
    /// The name on that service.
    pub twitter_username: Option<String>,
    /// The e-mail address for billing.
    pub billing_email: Option<String>,
    /// The permission of every member on every repository: `none`, `read`, `write` or `admin`.
    pub default_repository_permission: Option<&'static str>,
    /// True if members may create teams.
    pub members_can_create_teams: Option<bool>,
    /// True if members may leave teams.
    pub members_can_leave_teams: Option<bool>,
    /// The kinds of repositories that members may create.
    pub creation: Wanted,
    /// True if members may fork private repositories.
    pub members_can_fork_private_repositories: Option<bool>,
    /// Switches without an effect here.
    pub switches: switches::Given,
    /// True if the organization has projects.
    pub has_organization_projects: Option<bool>,
    /// True if its repositories have projects.
    pub has_repository_projects: Option<bool>,
    /// True if owners see the IP addresses of members in the audit log.
    pub audit_shows_addresses: Option<bool>,
    /// Owners, members and billing managers in the order of the file, each person once.
    pub people: Vec<Person>,
    /// Repositories, each once. Those that only a team or a collaborator names come last.
    pub repos: Vec<Repo>,
    /// Collaborators of repositories, each person once per repository.
    pub collaborators: Vec<Collaborator>,
    /// Teams; a parent comes before its children.
    pub teams: Vec<Team>,
    /// Projects, each number once.
    pub projects: Vec<Project>,
    /// Invitations.
    pub invitations: Vec<Invitation>,
    /// Keys that are allowed in the file but whose values are not stored, such as `repos.*.topics`.
    pub not_kept: BTreeSet<String>,
    /// The lists of the organization that the file has.
    pub lists: Lists,
}

impl Org {
    /// An error at a line of this organization's file, for rules that are checked after reading.
    pub fn fault(&self, line: u32, key: &str, message: impl Into<String>) -> Fault {
        Fault::new(line, key, message).in_file(&self.file)
    }
}

/// A person who belongs to the organization.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The login, as first written.
    pub login: String,
    /// The role of the person in the organization.
    pub role: Role,
    /// True if the file makes the membership public.
    pub public: bool,
    /// True if the file gives the person the role `security_manager`.
    pub security_manager: bool,
    /// The line where the person is named.
    pub line: u32,
}

/// The role of a person in an organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// An owner.
    Admin,
    /// A member.
    Member,
    /// A person who only manages billing.
    BillingManager,
}

impl Role {
    /// The role as the API names it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Member => "member",
            Self::BillingManager => "billing_manager",
        }
    }

    /// The words with which a message names a person who has this role.
    #[must_use]
    pub fn wording(self) -> &'static str {
        match self {
            Self::Admin => "an owner",
            Self::Member => "a member",
            Self::BillingManager => "a billing manager",
        }
    }
}

/// A repository of the organization.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repo {
    /// Its name, unique in the organization regardless of case.
    pub name: String,
    /// Its description.
    pub description: Option<String>,
    /// The URL of its website.
    pub homepage: Option<String>,
    /// True if it is private; none if the file does not say.
    pub private: Option<bool>,
    /// True if it is private when it is created, unless the file says something else.
    pub private_if_new: bool,
    /// True if it is archived; none if the file does not say.
    pub archived: Option<bool>,
    /// Its default branch.
    pub default_branch: Option<String>,
    /// True if it has issues.
    pub has_issues: Option<bool>,
    /// True if it has projects.
    pub has_projects: Option<bool>,
    /// True if it has a wiki.
    pub has_wiki: Option<bool>,
    /// True if other repositories can be created from it.
    pub is_template: Option<bool>,
    /// Other settings.
    pub settings: Given,
    /// True if it has vulnerability alerts; none if the file does not say.
    pub vulnerability_alerts: Option<bool>,
    /// Its former names, each once.
    pub former_names: Vec<String>,
    /// True if the file lists it among its repositories.
    pub declared: bool,
    /// The lists of the repository that the file has.
    pub lists: Lists,
    /// The line where it is first named.
    pub line: u32,
}

/// A person who has a level on one repository without any team.
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
    /// ID of the team in the store. It takes precedence over the names.
    pub id: Option<i64>,
    /// Former names of the team, each once.
    pub former_names: Vec<String>,
    /// Direct members, each person once.
    pub members: Vec<Membership>,
    /// Levels on repositories, each repository once.
    pub grants: Vec<Grant>,
    /// Levels on projects, each project once.
    pub projects: Vec<ProjectGrant>,
    /// Other settings.
    pub settings: TeamSettings,
    /// True if it has the role `security_manager`; none if the file does not say.
    pub security_manager: Option<bool>,
    /// The delegation of requests for reviews.
    pub reviews: Option<ReviewDelegation>,
    /// True if the file says nothing of the team but who is on it.
    pub only_people: bool,
    /// The lists of the team that the file has.
    pub lists: Lists,
    /// The line where the team begins.
    pub line: u32,
    /// The keys of its path in the file, such as `orgs.acme.teams.Core`.
    pub key: String,
}

/// The membership of a person in a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Membership {
    /// The login, as first written in this team.
    pub login: String,
    /// True if the person maintains the team.
    pub maintainer: bool,
    /// The line where the person is named.
    pub line: u32,
}

/// The permission of a team on a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The repository, spelled as in [`Org::repos`].
    pub repo: String,
    /// The level; none removes the grant.
    pub level: Option<Level>,
    /// The line where the level is given.
    pub line: u32,
}

/// A project of the organization.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Project {
    /// Its number, which identifies it.
    pub number: i64,
    /// Its name.
    pub name: String,
    /// Its description.
    pub body: Option<String>,
    /// `open` or `closed`.
    pub state: Option<&'static str>,
    /// The rank of the level of every member.
    pub organization_level: Option<i64>,
    /// True if only people with a level can read it.
    pub private: Option<bool>,
    /// The login of the person who created it.
    pub creator: Option<String>,
    /// People with a level of their own, each once.
    pub collaborators: Vec<ProjectCollaborator>,
    /// The lists of the project that the file has.
    pub lists: Lists,
    /// The line where it begins.
    pub line: u32,
    /// The keys of its path in the file.
    pub key: String,
}

/// A person who has a level on one project without any team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectCollaborator {
    /// The login.
    pub login: String,
    /// The rank of the level.
    pub level: i64,
    /// The line where the level is given.
    pub line: u32,
}

/// The permission of a team on a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectGrant {
    /// The number of the project, which is one of [`Org::projects`].
    pub number: i64,
    /// The rank of the level; 0 removes the grant.
    pub level: i64,
    /// The line where the level is given.
    pub line: u32,
}

/// An open invitation to the organization: of a person, or to an e-mail address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invitation {
    /// The login of the person; their teams are those that list them in the file.
    pub login: Option<String>,
    /// The e-mail address that is invited, or to which the e-mail for a person is sent.
    pub email: Option<String>,
    /// `direct_member`, `admin`, `billing_manager`, `hiring_manager` or `reinstate`.
    pub role: &'static str,
    /// True if the file says on which teams the invited person will be, and not in which role they are invited.
    pub only_teams: bool,
    /// The teams of an invitation to an e-mail address: indices into [`Org::teams`], and whether as maintainer.
    pub teams: Vec<(usize, bool)>,
    /// The line where it begins.
    pub line: u32,
    /// The keys of its path in the file.
    pub key: String,
}
