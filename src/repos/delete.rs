//! Deleting a repository and everything that was granted on it.
//!
//! Implements decisions 16 (counts of grants), 30 and 45 (what a cascade deletes is listed before). The teams lose the
//! repository first, each with its event.

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
    granting::take_from_all(cx, &repo.facts())?;
    if let Some(parent) = repo.fork_of {
        cx.tx.run("UPDATE repos SET forks_count = forks_count - 1 WHERE id = $1", &[&parent])?;
    }
    counted::remove(cx.tx, repo.owner, repo.private)?;
    cx.tx.run("DELETE FROM repos WHERE id = $1", &[&repo.id])?;
    let change = Change::new("repo.destroy", &repo.facts(), &json!(null));
    super::note(cx, repo.owner, change, &Event::RepositoryDeleted { repository: repo.facts() })?;
    Ok(Done)
}
