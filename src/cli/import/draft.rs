//! An organization while it is read: takes items from either format, merges spellings of one login, and refuses
//! contradictions (decisions 9, 11, 22, 50).

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::cursor::Cursor;
use super::desired::{Collaborator, Grant, Membership, Org, Person, Repo, Role, Team};
use super::fault::{Fault, shown};
use super::{stored_settings, values};
use crate::orgs::creation::Wanted;
use crate::repos::level::Level;
use crate::teams::attributes::Privacy;

/// The keys of an organization's profile that are read.
pub const PROFILE: &[&str] = &[
    "name",
    "description",
    "company",
    "blog",
    "location",
    "email",
    "twitter_username",
    "billing_email",
    "default_repository_permission",
    "members_allowed_repository_creation_type",
    "members_can_create_repositories",
    "members_can_create_public_repositories",
    "members_can_create_private_repositories",
    "members_can_fork_private_repositories",
    "has_organization_projects",
    "has_repository_projects",
];

/// An organization that is not complete yet. The maps lead from lower-case names to indices of its lists.
#[derive(Default)]
pub struct Draft {
    pub(super) org: Org,
    pub(super) people: HashMap<String, usize>,
    repos: HashMap<String, usize>,
    collaborators: HashMap<(String, String), usize>,
    pub(super) teams: HashMap<String, usize>,
}

impl Draft {
    /// Begins with the profile at a position.
    pub fn begin(at: &Cursor, login: &str) -> Result<Self, Fault> {
        let truth = |key| at.get(key).map(|at| at.truth()).transpose();
        let short = |key| at.get(key).map_or(Ok(None), |at| values::short(&at));
        let address = |key| at.get(key).map_or(Ok(None), |at| values::profile_address(&at));
        let permission = at.get("default_repository_permission");
        let org = Org {
            line: at.line,
            key: at.path.to_string(),
            login: values::login(at, login)?.to_owned(),
            name: at.get("name").map_or(Ok(None), |at| values::name(&at))?,
            description: at.get("description").map(|at| values::description(&at)).transpose()?,
            company: short("company")?,
            blog: short("blog")?,
            location: short("location")?,
            email: address("email")?,
            twitter_username: short("twitter_username")?,
            billing_email: address("billing_email")?,
            default_repository_permission: permission
                .map(|at| values::choice(&at, values::BASE_PERMISSIONS))
                .transpose()?,
            creation: Wanted {
                kind: at
                    .get("members_allowed_repository_creation_type")
                    .map(|at| values::choice(&at, values::CREATION_TYPES))
                    .transpose()?,
                any: truth("members_can_create_repositories")?,
                public: truth("members_can_create_public_repositories")?,
                private: truth("members_can_create_private_repositories")?,
            },
            members_can_fork_private_repositories: truth("members_can_fork_private_repositories")?,
            switches: stored_settings::switches(at)?,
            has_organization_projects: truth("has_organization_projects")?,
            has_repository_projects: truth("has_repository_projects")?,
            ..Org::default()
        };
        Ok(Self { org, ..Self::default() })
    }

    /// Records which of these keys have a value here; `above` is their path in the organization.
    pub fn not_kept(&mut self, at: &Cursor, above: &str, keys: &[&str]) {
        let present = keys.iter().filter(|key| at.get(key).is_some());
        self.org.not_kept.extend(present.map(|key| format!("{above}{key}")));
    }

    /// Adds an owner, a member or a billing manager.
    pub fn person(&mut self, at: &Cursor, role: Role) -> Result<(), Fault> {
        let login = values::login(at, at.text()?)?;
        match self.people.entry(login.to_ascii_lowercase()) {
            Entry::Vacant(free) => {
                free.insert(self.org.people.len());
                self.org.people.push(Person {
                    login: login.to_owned(),
                    role,
                    public: false,
                    security_manager: false,
                    line: at.line,
                });
                Ok(())
            }
            Entry::Occupied(known) => {
                let first = &self.org.people[*known.get()];
                if first.role == role {
                    return Ok(());
                }
                let mut roles = [first.role, role];
                roles.sort_unstable();
                let [one, other] = roles.map(Role::wording);
                let message = format!("is both {one} and {other}; list each person once");
                Err(at.fault(format!("{} {message} (see line {})", shown(login), first.line)))
            }
        }
    }

    /// Adds a repository that the file lists, with the settings at the position.
    pub fn repo(&mut self, at: &Cursor, name: &str, declared: bool) -> Result<(), Fault> {
        let name = values::repo_name(at, name)?;
        if let Some(first) = self.repos.insert(name.to_ascii_lowercase(), self.org.repos.len()) {
            let line = self.org.repos[first].line;
            return Err(at.fault(format!("repository {} is listed twice; see line {line}", shown(name))));
        }
        let truth = |key| at.get(key).map(|at| at.truth()).transpose();
        self.org.repos.push(Repo {
            name: name.to_owned(),
            description: at.get("description").map(|at| values::description(&at)).transpose()?,
            homepage: at.get("homepage").map(|at| values::line(&at)).transpose()?,
            private: private(at)?,
            archived: truth("archived")?,
            default_branch: at.get("default_branch").map_or(Ok(None), |at| values::short(&at))?,
            has_issues: truth("has_issues")?,
            has_projects: truth("has_projects")?,
            has_wiki: truth("has_wiki")?,
            is_template: None,
            settings: stored_settings::of_repo(at)?,
            vulnerability_alerts: None,
            former_names: former_names(at, values::repo_name)?,
            declared,
            line: at.line,
        });
        Ok(())
    }

    /// Gives a person a level on a repository.
    pub fn collaborator(&mut self, at: &Cursor, repo: &str, login: &str, level: Level) -> Result<(), Fault> {
        let login = values::login(at, login)?;
        let repo = self.named_repo(at, repo)?;
        match self.collaborators.entry((repo.clone(), login.to_ascii_lowercase())) {
            Entry::Vacant(free) => {
                free.insert(self.org.collaborators.len());
                self.org.collaborators.push(Collaborator { repo, login: login.to_owned(), level, line: at.line });
                Ok(())
            }
            Entry::Occupied(known) => {
                let first = &self.org.collaborators[*known.get()];
                if first.level == level {
                    return Ok(());
                }
                Err(at.fault(format!("{} has a different level on line {}", shown(login), first.line)))
            }
        }
    }

    /// Adds a team with the settings at the position, and returns its index.
    pub fn team(&mut self, at: &Cursor, name: &str, parent: Option<usize>) -> Result<usize, Fault> {
        let name = values::team_name(at, name)?.to_owned();
        let index = self.org.teams.len();
        if let Some(first) = self.teams.insert(name.clone(), index) {
            let first = &self.org.teams[first];
            let message = "another team of this organization has the same name";
            return Err(at.fault(format!("{message}: {} on line {}", first.key, first.line)));
        }
        let team = Team {
            name,
            description: at.get("description").map(|at| values::description(&at)).transpose()?,
            privacy: at.get("privacy").map(|at| values::choice(&at, values::PRIVACY)).transpose()?,
            parent,
            former_names: former_names(at, values::team_name)?,
            line: at.line,
            key: at.path.to_string(),
            ..Team::default()
        };
        if let Some(parent) = parent {
            not_secret(&team, "has a parent")?;
            not_secret(&self.org.teams[parent], "has children")?;
        }
        self.org.teams.push(team);
        Ok(index)
    }

    /// Adds a person to a team.
    pub fn membership(&mut self, at: &Cursor, team: usize, maintainer: bool) -> Result<(), Fault> {
        let login = values::login(at, at.text()?)?.to_owned();
        self.org.teams[team].members.push(Membership { login, maintainer, line: at.line });
        Ok(())
    }

    /// Gives a team a level on a repository, or removes it.
    pub fn grant(&mut self, at: &Cursor, team: usize, repo: &str, level: Option<Level>) -> Result<(), Fault> {
        let repo = self.named_repo(at, repo)?;
        self.org.teams[team].grants.push(Grant { repo, level, line: at.line });
        Ok(())
    }

    /// The organization, when everything has been added.
    pub fn finish(mut self) -> Result<Org, Fault> {
        for team in &mut self.org.teams {
            team.members = merged(std::mem::take(&mut team.members));
            let mut repos = HashMap::with_capacity(team.grants.len());
            for grant in &team.grants {
                if let Some(first) = repos.insert(&grant.repo, grant.line) {
                    let message = format!("repository {} is granted twice; see line {first}", shown(&grant.repo));
                    return Err(Fault::new(grant.line, &team.key, message));
                }
            }
        }
        Ok(self.org)
    }

    /// The spelling of a known repository; one that the file does not list is added.
    fn named_repo(&mut self, at: &Cursor, name: &str) -> Result<String, Fault> {
        let name = values::repo_name(at, name)?;
        let index = *self.repos.entry(name.to_ascii_lowercase()).or_insert(self.org.repos.len());
        if index == self.org.repos.len() {
            self.org.repos.push(Repo { name: name.to_owned(), line: at.line, ..Repo::default() });
        }
        Ok(self.org.repos[index].name.clone())
    }
}

fn private(at: &Cursor) -> Result<Option<bool>, Fault> {
    let private = at.get("private").map(|at| at.truth()).transpose()?;
    let Some(at) = at.get("visibility") else {
        return Ok(private);
    };
    let visibility = values::choice(&at, values::VISIBILITY)?;
    if private.is_some_and(|private| private != visibility) {
        return Err(at.fault("\"private\" contradicts this; remove one of them"));
    }
    Ok(Some(visibility))
}

fn not_secret(team: &Team, why: &str) -> Result<(), Fault> {
    if team.privacy != Some(Privacy::Secret) {
        return Ok(());
    }
    let message = format!("a secret team cannot be nested, and this one {why}; make it closed");
    Err(Fault::new(team.line, &team.key, message))
}

/// Validates a text as a name.
type Name = for<'t> fn(&Cursor, &'t str) -> Result<&'t str, Fault>;

fn former_names(at: &Cursor, valid: Name) -> Result<Vec<String>, Fault> {
    let mut names: Vec<String> = Vec::new();
    if let Some(list) = at.get("previously") {
        for item in list.items()? {
            let name = valid(&item, item.text()?)?;
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    Ok(names)
}

/// One membership per person, in the order of the file. A person who is listed as a maintainer at least once is one.
fn merged(members: Vec<Membership>) -> Vec<Membership> {
    let mut known: HashMap<String, usize> = HashMap::with_capacity(members.len());
    let mut out: Vec<Membership> = Vec::with_capacity(members.len());
    for member in members {
        match known.entry(member.login.to_ascii_lowercase()) {
            Entry::Occupied(index) => out[*index.get()].maintainer |= member.maintainer,
            Entry::Vacant(free) => {
                free.insert(out.len());
                out.push(member);
            }
        }
    }
    out
}
