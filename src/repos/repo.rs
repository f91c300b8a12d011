//! The repository: its row, and the subject of its operations.
//!
//! Implements decisions 30 (a record without git data) and 33 (who finds it, and under which names).

use super::access;
use super::level::Level;
use super::naming;
use super::settings::Settings;
use crate::clock::Time;
use crate::db::{ByIds, Lock, Tx, by_ids_after, row, select};
use crate::error::{Error, Result};
use crate::operation::{Caller, Cx, Path, Subject};
use crate::orgs::org;
use crate::people::login::{self, Owner};
use crate::policy::{Fact, Standing};
use crate::scope::Scope;
use crate::site::signed_in;

row! {
    /// A repository, as a person sees it.
    #[derive(Debug, Clone)]
    pub struct Repo from "r" {
        /// ID.
        pub id: i64,
        /// The organization or person that owns it.
        pub owner: Owner = "r.org_id, r.user_id" => owner,
        /// The login of its owner.
        pub owner_login: String = "coalesce(o.login, u.login)",
        /// True if its owner is a person who administers the site.
        pub owner_site_admin: bool = "coalesce(u.site_admin, FALSE)",
        /// Name.
        pub name: String,
        /// Description.
        pub description: Option<String>,
        /// URL of its website.
        pub homepage: Option<String>,
        /// True if only people with access can read it.
        pub private: bool,
        /// True if it is archived and read-only.
        pub archived: bool,
        /// True if issues are enabled.
        pub has_issues: bool,
        /// True if projects are enabled.
        pub has_projects: bool,
        /// True if the wiki is enabled.
        pub has_wiki: bool,
        /// True if it is a template for new repositories.
        pub is_template: bool,
        /// Name of the default branch.
        pub default_branch: String,
        /// Settings that clients write and that have no effect here.
        pub settings: Settings => Settings::read,
        /// The repository that it was forked from, if that still exists.
        pub fork_of: Option<i64>,
        /// The first repository in its line of forks, if that still exists.
        pub source: Option<i64> = "r.source_id",
        /// Number of direct forks.
        pub forks_count: i64,
        /// Creation time.
        pub created_at: Time,
        /// Time of the last change.
        pub updated_at: Time,
        /// The level of the person's access to it, as a rank; 0 is no access.
        pub rank: i64 = access::level!(),
    }
}

/// The tables that a repository is read from: its own `r`, and its organization `o` or its person `u`.
macro_rules! tables {
    () => {
        "repos r LEFT JOIN orgs o ON o.id = r.org_id LEFT JOIN users u ON u.id = r.user_id"
    };
}
pub(crate) use tables;

fn owner((org, user): (Option<i64>, Option<i64>)) -> Result<Owner> {
    let owner = org.map(Owner::Org).or(user.map(Owner::User));
    owner.ok_or_else(|| Error::Bug("a repository without an owner".into()))
}

macro_rules! repo_by {
    ($condition:literal) => {
        select!(Repo from tables!(), " WHERE ", $condition)
    };
}

const BY_ID: &str = repo_by!("r.id = $2");
static BY_IDS: ByIds = ByIds::after(1, repo_by!("r.id IN ({ids})"));
const BY_ORG: &str = repo_by!("r.org_id = $2 AND r.name_key = $3");
const BY_USER: &str = repo_by!("r.user_id = $2 AND r.name_key = $3");
const FORMER_OF_ORG: &str =
    repo_by!("r.id = (SELECT n.repo_id FROM old_repo_names n WHERE n.org_id = $2 AND n.name_key = $3)");
const FORMER_OF_USER: &str =
    repo_by!("r.id = (SELECT n.repo_id FROM old_repo_names n WHERE n.user_id = $2 AND n.name_key = $3)");

impl Repo {
    /// The organization that owns it, if one does.
    #[must_use]
    pub fn org(&self) -> Option<i64> {
        match self.owner {
            Owner::Org(id) => Some(id),
            Owner::User(_) => None,
        }
    }

    /// The owner and the name, as clients write them.
    #[must_use]
    pub fn full_name(&self) -> String {
        [&self.owner_login, "/", &self.name].concat()
    }

    /// The level of the person's access to it.
    #[must_use]
    pub fn level(&self) -> Option<Level> {
        Level::of_rank(self.rank)
    }

    /// The standing of the caller, for whom it was read.
    #[must_use]
    pub fn standing(&self, cx: &Cx) -> Standing {
        signed_in(cx)
            .with(Fact::ReadsRepo, self.level() >= Some(Level::Pull))
            .with(Fact::WritesRepo, self.level() >= Some(Level::Push))
            .with(Fact::AdminsRepo, self.level() >= Some(Level::Admin))
    }

    /// True if the caller, for whom it was read, may see it. A private one also needs a token for private repositories.
    #[must_use]
    pub fn may_be_shown(&self, cx: &Cx) -> bool {
        self.rank > 0 && (!self.private || trusted(cx))
    }

    /// The repository with this identifier, with this person's rank on it, whether they can read it or not.
    pub fn by_id(tx: &mut Tx, person: i64, id: i64) -> Result<Option<Self>> {
        tx.maybe(BY_ID, &[&person, &id])
    }

    /// The repositories with these identifiers, with the caller's rank on each, in no order.
    pub fn by_ids(cx: &mut Cx, ids: &[i64]) -> Result<Vec<Self>> {
        let found = by_ids_after(cx.tx, &BY_IDS, &[&cx.my_id()], ids)?;
        Self::as_let_in(cx, found)
    }

    /// The same repositories, with the rank of an outsider on those of organizations that do not let the caller's
    /// application in.
    pub fn as_let_in(cx: &mut Cx, mut repos: Vec<Self>) -> Result<Vec<Self>> {
        for repo in &mut repos {
            if let Some(org) = repo.org()
                && cx.is_closed(org)?
            {
                repo.rank = i64::from(!repo.private);
            }
        }
        Ok(repos)
    }

    /// The repository of this owner with this name, with this person's rank on it, whether they can read it or not.
    pub fn by_name(tx: &mut Tx, person: i64, owner: Owner, name: &str) -> Result<Option<Self>> {
        match owner {
            Owner::Org(id) => tx.maybe(BY_ORG, &[&person, &id, &naming::name_key(name)]),
            Owner::User(id) => tx.maybe(BY_USER, &[&person, &id, &naming::name_key(name)]),
        }
    }

    /// The repository of this owner that had this name, with this person's rank on it, whether they can read it or not.
    fn by_former_name(tx: &mut Tx, person: i64, owner: Owner, name: &str) -> Result<Option<Self>> {
        match owner {
            Owner::Org(id) => tx.maybe(FORMER_OF_ORG, &[&person, &id, &naming::name_key(name)]),
            Owner::User(id) => tx.maybe(FORMER_OF_USER, &[&person, &id, &naming::name_key(name)]),
        }
    }

    /// The repository with this identifier, if the caller may see it.
    pub fn shown(cx: &mut Cx, id: i64) -> Result<Option<Self>> {
        let me = cx.my_id();
        Ok(Self::by_id(cx.tx, me, id)?.filter(|repo| repo.may_be_shown(cx)))
    }

    /// The repository of this owner with this name, if the caller may see it.
    pub fn shown_by_name(cx: &mut Cx, owner: Owner, name: &str) -> Result<Option<Self>> {
        let me = cx.my_id();
        Ok(Self::by_name(cx.tx, me, owner, name)?.filter(|repo| repo.may_be_shown(cx)))
    }

    /// The repository that a path names with `owner` and `repo`, if the caller may see it.
    pub fn named(cx: &mut Cx, path: &Path) -> Result<Named> {
        let (owner, name) = (path.get("owner").unwrap_or_default(), path.get("repo").unwrap_or_default());
        let owner = login::find(cx.tx, owner)?.ok_or(Error::NotFound)?;
        if let Some(repo) = Self::shown_by_name(cx, owner, name)? {
            return Ok(Named::Now(repo));
        }
        let me = cx.my_id();
        let former = Self::by_former_name(cx.tx, me, owner, name)?.filter(|repo| repo.may_be_shown(cx));
        former.map(Named::Formerly).ok_or(Error::NotFound)
    }

    /// The same, as an organization that does not let the caller's application in shows it.
    pub fn named_toward(cx: &mut Cx, path: &Path) -> Result<Named> {
        cx.find_toward(|(Named::Now(repo) | Named::Formerly(repo))| repo.org(), |cx| Self::named(cx, path))
    }

    /// Its path in identifier form, which a rename does not change.
    #[must_use]
    pub fn lasting_path(&self) -> String {
        format!("/repositories/{}", self.id)
    }
}

/// A repository that was found by a name.
#[derive(Debug)]
pub enum Named {
    /// The repository that has the name.
    Now(Repo),
    /// The repository that had the name, as long as no other repository has taken it.
    Formerly(Repo),
}

/// True if the caller's token may be used for private repositories; public ones need no scope. Statements get this as
/// a parameter (see [`access::readable`]).
#[must_use]
pub fn trusted(cx: &Cx) -> bool {
    cx.caller.scopes().grants(&[Scope::Repo])
}

/// The number of segments of `/repos/{owner}/{repo}`, which a redirect replaces.
const SEGMENTS: usize = 3;

impl Subject for Repo {
    const FORMS: &'static [&'static str] = &["/repos/{owner}/{repo}", "/repositories/{repository_id}"];

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        let named = match path.id("repository_id")? {
            Some(id) => Named::Now(Self::shown(cx, id)?.ok_or(Error::NotFound)?),
            None => Self::named(cx, path)?,
        };
        let repo = match named {
            Named::Now(repo) => repo,
            Named::Formerly(repo) if repo.private && cx.is_closed(repo.org().unwrap_or_default())? => {
                return Err(Error::NotFound);
            }
            Named::Formerly(repo) => return Err(Error::Moved { to: repo.lasting_path(), segments: SEGMENTS }),
        };
        let standing = repo.standing(cx).with(Fact::TheUser, org::names_caller(cx, path));
        Ok((repo, standing))
    }

    fn locks(tx: &mut Tx, _: &Caller, path: &Path) -> Result<Vec<Lock>> {
        let repo = match path.id("repository_id")? {
            Some(id) => Self::by_id(tx, 0, id)?,
            None => match login::find(tx, path.get("owner").unwrap_or_default())? {
                Some(owner) => Self::by_name(tx, 0, owner, path.get("repo").unwrap_or_default())?,
                None => None,
            },
        };
        let repo = repo.ok_or(Error::NotFound)?;
        let granted: Vec<i64> = tx.all(GRANTED_IN, &[&repo.id])?;
        let granted = granted.into_iter().map(Lock::Journal);
        Ok(granted.chain(repo.owner.locks()).collect())
    }

    fn organizations(&self) -> Vec<i64> {
        self.org().into_iter().collect()
    }

    fn canonical(&self) -> String {
        self.lasting_path()
    }
}

/// The organizations that have a team to which the repository is granted.
const GRANTED_IN: &str = "
    SELECT DISTINCT t.org_id FROM team_repos g CROSS JOIN teams t WHERE g.repo_id = $1 AND t.id = g.team_id";
