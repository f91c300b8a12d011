//! Repositories that a new team gets at once (decision 13).

use serde_json::json;

use super::level::Level;
use super::repo::Repo;
use crate::error::{Error, Result};
use crate::events::{self, Event};
use crate::operation::Cx;
use crate::orgs::org::Org;
use crate::people::login::Owner;

/// The repositories of these names that the caller administers; 422 for any other (decision 13).
pub fn administered(cx: &mut Cx, org: &Org, names: &[String]) -> Result<Vec<i64>> {
    let me = cx.my_id();
    let mut found = Vec::new();
    for name in names {
        let (of, repository) = name.split_once('/').unwrap_or((&org.login, name));
        let refused = || Error::data("Team", format!("Invalid repository was specified: {name:.140}"));
        if !of.eq_ignore_ascii_case(&org.login) {
            return Err(refused());
        }
        let repo = Repo::by_name(cx.tx, me, Owner::Org(org.id), repository)?;
        let repo = repo.filter(|repo| repo.level() >= Some(Level::Admin)).ok_or_else(refused)?;
        if !found.contains(&repo.id) {
            found.push(repo.id);
        }
    }
    Ok(found)
}

/// Grants a repository to a team that does not have it yet.
pub fn grant(cx: &mut Cx, org: i64, team: i64, repository: i64, level: i64) -> Result<()> {
    cx.tx.run(GRANT, &[&team, &repository, &level])?;
    events::emit(cx, org, &Event::RepositoryAdded { team, repository, level })?;
    let after = json!({ "team": team, "repository": repository, "level": level });
    events::record(cx, org, "team.add_repository", &json!(null), &after)
}

const GRANT: &str = "INSERT INTO team_repos (team_id, repo_id, level) VALUES ($1, $2, $3)";
