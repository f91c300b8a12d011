//! Forking: a copy of the record, in the caller's own account or in an organization.
//!
//! Implements decisions 5 (202, although the fork exists at once) and 30 (the repository it was forked from).

use schemars::JsonSchema;
use serde::Deserialize;

use super::create::{New, insert, refuse_kind};
use super::naming;
use super::record::{self, Repository};
use super::repo::Repo;
use super::settings::Settings;
use crate::db::{Lock, Tx};
use crate::error::{Error, Result};
use crate::journal::{Change, Event, SITE};
use crate::operation::{Caller, Cx, Path, Record, Subject};
use crate::orgs;
use crate::orgs::org::Org;
use crate::people::login::{self, Owner};
use crate::people::me;
use crate::policy::{Granted, OWNER, Standing, creates_repos};

/// A repository as the origin of a fork. The fork can belong to the caller or to one of their organizations, so these
/// are locked as well.
#[derive(Debug, Clone)]
pub struct Origin(Repo);

impl Subject for Origin {
    const FORMS: &'static [&'static str] = Repo::FORMS;

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        let (repo, standing) = Repo::find(cx, path)?;
        Ok((Self(repo), standing))
    }

    fn locks(tx: &mut Tx, caller: &Caller, path: &Path) -> Result<Vec<Lock>> {
        let mut locks = Repo::locks(tx, caller, path)?;
        if let Some(person) = &caller.person {
            locks.extend(me::user_and_orgs(tx, person.id)?);
            locks.push(Lock::Journal(SITE));
        }
        Ok(locks)
    }

    fn organizations(&self) -> Vec<i64> {
        self.0.organizations()
    }

    fn canonical(&self) -> String {
        self.0.canonical()
    }
}

/// Fork a repository. If the account already has a fork of it, that fork is returned.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Fork {
    /// Login of the organization that owns the fork. Default: the caller owns it.
    pub organization: Option<String>,
    /// Name of the fork. Default: the name of the repository.
    #[schemars(length(min = 1, max = naming::NAME_MAX))]
    pub name: Option<String>,
}

/// Forks a repository. The fork of a private repository is private.
pub fn create(cx: &mut Cx, origin: Granted<Origin>, p: Fork) -> Result<Record<Repository, 202>> {
    let parent = &origin.0;
    let (owner, owns) = match &p.organization {
        Some(login) => organization(cx, login)?,
        None => (Owner::User(cx.me()?.id), true),
    };
    let repo = if let Some(repo) = existing(cx, parent.id, owner)? {
        repo
    } else {
        refuse_policy(cx, parent, owner, owns)?;
        fork(cx, parent, owner, owns, p.name)?
    };
    let record = record::full(cx, &repo)?;
    let location = record.minimal.addresses.url.clone();
    Ok(Record::from(record).at(location))
}

/// The organization with this login, if the caller may create repositories in it; otherwise 403.
fn organization(cx: &mut Cx, login: &str) -> Result<(Owner, bool)> {
    let Some(Owner::Org(id)) = login::find(cx.tx, login)? else {
        return Err(Error::explained(
            "Fork",
            "invalid",
            "organization",
            "organization is not the login of an organization",
        ));
    };
    let me = cx.my_id();
    let standing = Org::by_id(cx.tx, me, id)?.ok_or(Error::NotFound)?.standing(cx);
    creates_repos().check((), standing)?;
    cx.refuse_closed(id)?;
    Ok((Owner::Org(id), OWNER.holds(standing)))
}

/// Refuses what the parent, its organization or that of the fork does not let people do who are not owners.
fn refuse_policy(cx: &mut Cx, parent: &Repo, owner: Owner, owns: bool) -> Result<()> {
    let me = cx.my_id();
    if parent.private && !owns_parent(cx, parent, me)? {
        let refused = |text: &'static str| Err(Error::Forbidden(text.into()));
        if !parent.settings.allow_forking {
            return refused(
                "The repository may not be forked: `allow_forking` is off. Ask a person who administers it.",
            );
        }
        if let Owner::Org(org) = parent.owner
            && !orgs::settings::stored(cx.tx, org)?.members_can_fork_private_repositories
        {
            return refused("The organization does not let members fork its private repositories. Ask an owner.");
        }
    }
    match owner {
        Owner::Org(org) if !owns => refuse_kind(cx, org, parent.private),
        _ => Ok(()),
    }
}

fn owns_parent(cx: &mut Cx, parent: &Repo, me: i64) -> Result<bool> {
    match parent.owner {
        Owner::Org(org) => Ok(orgs::org::role_of(cx.tx, org, me)? == Some("admin")),
        Owner::User(id) => Ok(id == me),
    }
}

fn existing(cx: &mut Cx, parent: i64, owner: Owner) -> Result<Option<Repo>> {
    let found: Option<i64> = match owner {
        Owner::Org(id) => cx.tx.maybe(FORK_OF_ORG, &[&parent, &id])?,
        Owner::User(id) => cx.tx.maybe(FORK_OF_USER, &[&parent, &id])?,
    };
    found.map_or(Ok(None), |id| Repo::shown(cx, id))
}

const FORK_OF_ORG: &str = "SELECT id FROM repos WHERE fork_of = $1 AND org_id = $2 ORDER BY id LIMIT 1";
const FORK_OF_USER: &str = "SELECT id FROM repos WHERE fork_of = $1 AND user_id = $2 ORDER BY id LIMIT 1";

fn fork(cx: &mut Cx, parent: &Repo, owner: Owner, owns: bool, name: Option<String>) -> Result<Repo> {
    let name = match &name {
        Some(name) => naming::valid_name(name)?.to_owned(),
        None => parent.name.clone(),
    };
    let new = New {
        name,
        description: parent.description.clone(),
        homepage: parent.homepage.clone(),
        private: parent.private,
        has_issues: false,
        has_projects: parent.has_projects,
        has_wiki: parent.has_wiki,
        is_template: false,
        default_branch: parent.default_branch.clone(),
        settings: Settings::default(),
        fork_of: Some(parent.id),
        source: parent.source.or(parent.fork_of).or(Some(parent.id)),
    };
    let repo = insert(cx, owner, owns, &new)?;
    cx.tx.run("UPDATE repos SET forks_count = forks_count + 1 WHERE id = $1", &[&parent.id])?;
    let event = Event::RepositoryForked { repository: parent.facts(), fork: repo.facts() };
    if let Owner::Org(org) = parent.owner {
        cx.record(org, Change::of(&event))?;
    }
    Ok(repo)
}
