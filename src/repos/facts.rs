//! Converts repositories to what events show and back: payloads show a repository as it was.

use super::access;
use super::repo::{Repo, tables};
use super::settings::Settings;
use crate::db::Tx;
use crate::error::Result;
use crate::journal::{OwnerFacts, RepoFacts};
use crate::people::login::Owner;

impl Repo {
    /// The repository as an event shows it.
    #[must_use]
    pub fn facts(&self) -> RepoFacts {
        let (id, organization) = match self.owner {
            Owner::Org(id) => (id, true),
            Owner::User(id) => (id, false),
        };
        let (login, site_admin) = (self.owner_login.clone(), self.owner_site_admin);
        RepoFacts {
            id: self.id,
            full_name: self.full_name(),
            owner: OwnerFacts { id, organization, login, site_admin },
            private: self.private,
            archived: self.archived,
            description: self.description.clone(),
            homepage: self.homepage.clone(),
            default_branch: self.default_branch.clone(),
            is_template: self.is_template,
            has_issues: self.has_issues,
            has_projects: self.has_projects,
            has_wiki: self.has_wiki,
            forks_count: self.forks_count,
            created_at: self.created_at,
            updated_at: self.updated_at,
            settings: serde_json::json!(self.settings.unusual()),
            fork_of: self.fork_of,
        }
    }

    /// The repository that an event showed, for a caller without access.
    pub fn of_facts(facts: &RepoFacts) -> Result<Self> {
        let owner = if facts.owner.organization { Owner::Org(facts.owner.id) } else { Owner::User(facts.owner.id) };
        let name = facts.full_name.rsplit('/').next().unwrap_or_default().to_owned();
        Ok(Self {
            id: facts.id,
            owner,
            owner_login: facts.owner.login.clone(),
            owner_site_admin: facts.owner.site_admin,
            name,
            description: facts.description.clone(),
            homepage: facts.homepage.clone(),
            private: facts.private,
            archived: facts.archived,
            has_issues: facts.has_issues,
            has_projects: facts.has_projects,
            has_wiki: facts.has_wiki,
            is_template: facts.is_template,
            default_branch: facts.default_branch.clone(),
            settings: Settings::read(Some(facts.settings.to_string()))?,
            fork_of: facts.fork_of,
            source: None,
            forks_count: facts.forks_count,
            created_at: facts.created_at,
            updated_at: facts.updated_at,
            rank: 0,
        })
    }
}

/// The repositories that are granted to a team, by id, for a caller without access.
pub fn granted_to(tx: &mut Tx, team: i64) -> Result<Vec<Repo>> {
    tx.all(GRANTED_TO, &[&team])
}

const GRANTED_TO: &str = const_str::concat!(
    "SELECT ",
    const_str::replace!(Repo::COLUMNS, access::level!(), "CAST(0 AS BIGINT)"),
    " FROM ",
    tables!(),
    " WHERE r.id IN (SELECT g.repo_id FROM team_repos g WHERE g.team_id = $1) ORDER BY r.id"
);
