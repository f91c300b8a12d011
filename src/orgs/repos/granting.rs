//! What it takes that a team has a repository, or has it no longer: row, count, derived state, event and audit go
//! together (decisions 16, 45 and 47); which repositories a new team may get at once (decision 13), and which levels
//! there are.

use std::collections::HashSet;

use serde_json::json;

use super::level::Level;
use super::naming;
use super::repo::Repo;
use crate::derived::Change;
use crate::error::{Error, Result};
use crate::events::{self, Event, RepoFacts, TeamFacts};
use crate::operation::Cx;
use crate::orgs::changes;
use crate::orgs::org::Org;
use crate::people::login::Owner;

/// The repositories of these names that the caller administers; 422 for any other (decision 13).
pub fn administered(cx: &mut Cx, org: &Org, names: &[String]) -> Result<Vec<Repo>> {
    let me = cx.my_id();
    let mut found: Vec<Repo> = Vec::new();
    // Each is looked up once, however often it is named.
    let mut seen = HashSet::new();
    for name in names.iter().filter(|name| seen.insert(naming::name_key(name))) {
        let (of, repository) = name.split_once('/').unwrap_or((&org.login, name));
        let refused = || Error::data("Team", format!("Invalid repository was specified: {name:.140}"));
        if !of.eq_ignore_ascii_case(&org.login) {
            return Err(refused());
        }
        let repo = Repo::by_name(cx.tx, me, Owner::Org(org.id), repository)?;
        let repo = repo.filter(|repo| repo.level() >= Some(Level::Admin)).ok_or_else(refused)?;
        if found.iter().all(|known| known.id != repo.id) {
            found.push(repo);
        }
    }
    Ok(found)
}

/// Refuses a level that only an organization gives on its repositories, on one that a person owns (decision 30).
pub fn refuse_on_personal(repo: &Repo, level: Level, resource: &'static str) -> Result<()> {
    if repo.org().is_some() || !matches!(level, Level::Maintain | Level::Triage) {
        return Ok(());
    }
    let only = "maintain and triage are for repositories that an organization owns.";
    Err(Error::explained(resource, "invalid", "permission", only))
}

/// Grants a repository to a team that does not have it yet.
pub fn grant(cx: &mut Cx, org: i64, team: &TeamFacts, repository: RepoFacts, level: Level) -> Result<()> {
    cx.tx.run(GRANT, &[&team.id, &repository.id, &level.rank()])?;
    cx.tx.run(COUNT, &[&team.id, &1_i64])?;
    changes::log(cx.tx, org, &[Change::Grants { team: team.id }])?;
    let after = json!({ "team": team.id, "repository": repository.id, "level": level.rank() });
    events::emit(cx, org, &Event::RepositoryAdded { team: team.clone(), repository, level: level.rank() })?;
    events::record(cx, org, "team.add_repository", &json!(null), &after)
}

const GRANT: &str = "INSERT INTO team_repos (team_id, repo_id, level) VALUES ($1, $2, $3)";

const COUNT: &str = "UPDATE team_counts SET repos = repos + $2 WHERE team_id = $1";

/// Takes a repository from a team that has it at this level.
pub fn take(cx: &mut Cx, org: i64, team: &TeamFacts, repository: RepoFacts, level: i64) -> Result<()> {
    cx.tx.run(TAKE, &[&team.id, &repository.id])?;
    cx.tx.run(COUNT, &[&team.id, &-1_i64])?;
    changes::log(cx.tx, org, &[Change::Grants { team: team.id }])?;
    let before = json!({ "team": team.id, "repository": repository.id, "level": level });
    events::emit(cx, org, &Event::RepositoryRemoved { team: team.clone(), repository })?;
    events::record(cx, org, "team.remove_repository", &before, &json!(null))
}

const TAKE: &str = "DELETE FROM team_repos WHERE team_id = $1 AND repo_id = $2";
