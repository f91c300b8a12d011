//! Deleting a repository and everything that was granted on it.
//!
//! Implements decisions 16 (counts of grants), 30 and 45 (what a cascade deletes is listed before).

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::repo::Repo;
use super::{counted, granting};
use crate::error::Result;
use crate::journal::{Change, Event};
use crate::operation::{Cx, Done};
use crate::policy::Granted;

/// Delete a repository. Its forks stay and become ordinary repositories.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Delete {}

/// Deletes a repository, its grants and its collaborators.
pub fn delete(cx: &mut Cx, repo: Granted<Repo>, _: Delete) -> Result<Done> {
    let teams: Vec<(i64, i64)> = cx.tx.all(TEAMS, &[&repo.id])?;
    cx.tx.run(COUNT_GRANTS, &[&repo.id])?;
    granting::record_lost(cx, &teams)?;
    let teams = teams.into_iter().map(|(_, team)| team).collect();
    if let Some(parent) = repo.fork_of {
        cx.tx.run("UPDATE repos SET forks_count = forks_count - 1 WHERE id = $1", &[&parent])?;
    }
    counted::remove(cx.tx, repo.owner, repo.private)?;
    cx.tx.run("DELETE FROM repos WHERE id = $1", &[&repo.id])?;
    let change = Change::new("repo.destroy", &repo.facts(), &json!(null));
    super::note(cx, repo.owner, change, &Event::RepositoryDeleted { repository: repo.facts(), teams })?;
    Ok(Done)
}

const TEAMS: &str = "
    SELECT t.org_id, t.id FROM team_repos g JOIN teams t ON t.id = g.team_id WHERE g.repo_id = $1 ORDER BY t.id";

const COUNT_GRANTS: &str = "
    UPDATE team_counts SET repos = repos - 1
    WHERE team_id IN (SELECT g.team_id FROM team_repos g WHERE g.repo_id = $1)";
