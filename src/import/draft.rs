//! An organization while it is read: takes items from either format, merges spellings of one login, and refuses
//! contradictions (decisions 9, 11, 22, 50). What is refused is left out, or kept as it is where other parts of the file
//! refer to it, so that one error does not lead to others.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use super::cursor::Cursor;
use super::desired::{Collaborator, Grant, Membership, Org, Person, Repo, Role, Team};
use super::fault::{Fault, Faults, shown};
use super::{stored_settings, values};
use crate::orgs::creation::Wanted;
use crate::repos::level::Level;
use crate::rows::Privacy;

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
pub struct Draft<'f> {
    pub(super) org: Org,
    pub(super) people: HashMap<String, usize>,
    repos: HashMap<String, usize>,
    collaborators: HashMap<(String, String), usize>,
    pub(super) teams: HashMap<String, usize>,
    faults: &'f Faults,
    /// True if the login or a person of the organization cannot be read.
    pub(super) unread: bool,
}

impl<'f> Draft<'f> {
    /// Begins with the profile at a position.
    pub fn begin(at: &Cursor<'f>, login: &str) -> Self {
        let short = |key| at.read(key, values::short).flatten();
        let address = |key| at.read(key, values::profile_address).flatten();
        let org = Org {
            line: at.line,
            key: at.path.to_string(),
            login: login.to_owned(),
            name: at.read("name", values::name).flatten(),
            description: at.read("description", values::description),
            company: short("company"),
            blog: short("blog"),
            location: short("location"),
            email: address("email"),
            twitter_username: short("twitter_username"),
            billing_email: address("billing_email"),
            default_repository_permission: at
                .read("default_repository_permission", |at| values::choice(at, values::BASE_PERMISSIONS)),
            creation: Wanted {
                kind: at
                    .read("members_allowed_repository_creation_type", |at| values::choice(at, values::CREATION_TYPES)),
                any: at.flag("members_can_create_repositories"),
                public: at.flag("members_can_create_public_repositories"),
                private: at.flag("members_can_create_private_repositories"),
            },
            members_can_fork_private_repositories: at.flag("members_can_fork_private_repositories"),
            switches: stored_settings::switches(at),
            has_organization_projects: at.flag("has_organization_projects"),
            has_repository_projects: at.flag("has_repository_projects"),
            lists: at.present(&["admins", "members", "repos", "teams"]),
            ..Org::default()
        };
        Self {
            org,
            people: HashMap::new(),
            repos: HashMap::new(),
            collaborators: HashMap::new(),
            teams: HashMap::new(),
            faults: at.faults,
            unread: at.keep(values::login(at, login)).is_none(),
        }
    }

    /// Records which of these keys have a value here; `above` is their path in the organization.
    pub fn not_kept(&mut self, at: &Cursor, above: &str, keys: &[&str]) {
        let present = keys.iter().filter(|key| at.get(key).is_some());
        self.org.not_kept.extend(present.map(|key| format!("{above}{key}")));
    }

    /// Adds the owners, members or billing managers of the list under a key.
    pub fn people(&mut self, at: &Cursor, key: &str, role: Role) {
        let Some(list) = at.get(key) else { return };
        match list.items() {
            Some(items) => items.for_each(|item| self.person(&item, Some(role))),
            None => self.unread = true,
        }
    }

    /// Adds a person, unless the role cannot be read.
    pub fn person(&mut self, at: &Cursor, role: Option<Role>) {
        let login = at.keep(at.text().and_then(|text| values::login(at, text)));
        let (Some(login), Some(role)) = (login, role) else {
            self.unread = true;
            return;
        };
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
            }
            Entry::Occupied(known) => {
                let first = &self.org.people[*known.get()];
                if first.role != role {
                    let mut roles = [first.role, role];
                    roles.sort_unstable();
                    let [one, other] = roles.map(Role::wording);
                    let message = format!("is both {one} and {other}; list each person once");
                    at.wrong(format!("{} {message} (see line {})", shown(login), first.line));
                }
            }
        }
    }

    /// Adds a repository that the file lists, with the settings at the position.
    pub fn repo(&mut self, at: &Cursor, name: &str, declared: bool) {
        at.keep(values::repo_name(at, name));
        if let Some(first) = self.repos.insert(name.to_ascii_lowercase(), self.org.repos.len()) {
            let line = self.org.repos[first].line;
            at.wrong(format!("repository {} is listed twice; see line {line}", shown(name)));
        }
        self.org.repos.push(Repo {
            name: name.to_owned(),
            description: at.read("description", values::description),
            homepage: at.read("homepage", values::line),
            private: private(at),
            private_if_new: false,
            archived: at.flag("archived"),
            default_branch: at.read("default_branch", values::short).flatten(),
            has_issues: at.flag("has_issues"),
            has_projects: at.flag("has_projects"),
            has_wiki: at.flag("has_wiki"),
            is_template: None,
            settings: stored_settings::of_repo(at),
            vulnerability_alerts: None,
            former_names: former_names(at, values::repo_name),
            declared,
            lists: at.present(&["collaborators"]),
            line: at.line,
        });
    }

    /// Gives a person a level on a repository, unless the level cannot be read.
    pub fn collaborator(&mut self, at: &Cursor, repo: &str, login: &str, level: Option<Level>) {
        let login = at.keep(values::login(at, login));
        let (Some(login), Some(repo), Some(level)) = (login, self.named_repo(at, repo), level) else { return };
        match self.collaborators.entry((repo.clone(), login.to_ascii_lowercase())) {
            Entry::Vacant(free) => {
                free.insert(self.org.collaborators.len());
                self.org.collaborators.push(Collaborator { repo, login: login.to_owned(), level, line: at.line });
            }
            Entry::Occupied(known) => {
                let first = &self.org.collaborators[*known.get()];
                if first.level != level {
                    at.wrong(format!("{} has a different level on line {}", shown(login), first.line));
                }
            }
        }
    }

    /// Adds a team with the settings at the position, and returns its index.
    pub fn team(&mut self, at: &Cursor, name: &str, parent: Option<usize>) -> usize {
        let name = at.keep(values::team_name(at, name)).unwrap_or(name).to_owned();
        let index = self.org.teams.len();
        if let Some(first) = self.teams.insert(name.clone(), index) {
            let first = &self.org.teams[first];
            let message = "another team of this organization has the same name";
            at.wrong(format!("{message}: {} on line {}", first.key, first.line));
        }
        let team = Team {
            name,
            description: at.read("description", values::description),
            privacy: at.read("privacy", |at| values::choice(at, values::PRIVACY)),
            parent,
            former_names: former_names(at, values::team_name),
            lists: at.present(&["maintainers", "members", "repos", "teams"]),
            line: at.line,
            key: at.path.to_string(),
            ..Team::default()
        };
        if let Some(parent) = parent {
            self.not_secret(&team, "has a parent");
            self.not_secret(&self.org.teams[parent], "has children");
        }
        self.org.teams.push(team);
        index
    }

    fn not_secret(&self, team: &Team, why: &str) {
        if team.privacy == Some(Privacy::Secret) {
            let message = format!("a secret team cannot be nested, and this one {why}; make it closed");
            self.faults.add(Fault::new(team.line, &team.key, message));
        }
    }

    /// Adds a person to a team.
    pub fn membership(&mut self, at: &Cursor, team: usize, maintainer: bool) {
        if let Some(login) = at.keep(at.text().and_then(|text| values::login(at, text))) {
            self.org.teams[team].members.push(Membership { login: login.to_owned(), maintainer, line: at.line });
        }
    }

    /// Gives a team a level on a repository, or removes it.
    pub fn grant(&mut self, at: &Cursor, team: usize, repo: &str, level: Option<Level>) {
        if let Some(repo) = self.named_repo(at, repo) {
            self.org.teams[team].grants.push(Grant { repo, level, line: at.line });
        }
    }

    /// The organization, when everything has been added; nothing if it is not known who belongs to it.
    pub fn finish(mut self) -> Option<Org> {
        for team in &mut self.org.teams {
            let fault = |line, message| self.faults.add(Fault::new(line, &team.key, message));
            team.members = merged(std::mem::take(&mut team.members), fault);
            let mut repos = HashMap::with_capacity(team.grants.len());
            for grant in &team.grants {
                if let Some(first) = repos.insert(&grant.repo, grant.line) {
                    let message = format!("repository {} is granted twice; see line {first}", shown(&grant.repo));
                    fault(grant.line, message);
                }
            }
        }
        (!self.unread).then_some(self.org)
    }

    /// The spelling of a known repository; one that the file does not list is added.
    fn named_repo(&mut self, at: &Cursor, name: &str) -> Option<String> {
        let key = name.to_ascii_lowercase();
        if let Some(index) = self.repos.get(&key) {
            return Some(self.org.repos[*index].name.clone());
        }
        let name = at.keep(values::repo_name(at, name))?.to_owned();
        self.repos.insert(key, self.org.repos.len());
        self.org.repos.push(Repo { name: name.clone(), line: at.line, ..Repo::default() });
        Some(name)
    }
}

/// True if the repository is private, as far as the file says.
fn private(at: &Cursor) -> Option<bool> {
    let private = at.flag("private");
    let visibility = at.read("visibility", |at| match values::choice(at, values::VISIBILITY)? {
        visibility if private.is_some_and(|private| private != visibility) => {
            Err(at.fault("\"private\" contradicts this; remove one of them"))
        }
        visibility => Ok(visibility),
    });
    visibility.or(private)
}

/// Validates a text as a name.
type Name = for<'t> fn(&Cursor, &'t str) -> Result<&'t str, Fault>;

fn former_names(at: &Cursor, valid: Name) -> Vec<String> {
    let (mut names, mut known) = (Vec::new(), HashSet::new());
    at.each("previously", |item| {
        let name = item.keep(item.text().and_then(|text| valid(&item, text)));
        names.extend(name.filter(|name| known.insert((*name).to_owned())).map(str::to_owned));
    });
    names
}

/// One membership per person, in the order of the file; a function is told who is listed in both roles.
fn merged(members: Vec<Membership>, fault: impl Fn(u32, String)) -> Vec<Membership> {
    let mut known: HashMap<String, usize> = HashMap::with_capacity(members.len());
    let mut out: Vec<Membership> = Vec::with_capacity(members.len());
    for member in members {
        match known.entry(member.login.to_ascii_lowercase()) {
            Entry::Occupied(index) => {
                let first = &out[*index.get()];
                if first.maintainer != member.maintainer {
                    let message = "is both a maintainer and a member of this team; list each person once";
                    fault(member.line, format!("{} {message} (see line {})", shown(&member.login), first.line));
                }
            }
            Entry::Vacant(free) => {
                free.insert(out.len());
                out.push(member);
            }
        }
    }
    out
}
