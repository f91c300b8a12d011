//! The switch for vulnerability alerts of a repository. It is stored for clients that set it, and has no effect here.
//!
//! Implements decision 52.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::repo::Repo;
use crate::db::{ByIds, Tx, by_ids};
use crate::error::{Error, Result};
use crate::journal::{self, Change};
use crate::operation::{Cx, Done};
use crate::people::login::Owner;
use crate::policy::Granted;

/// Check whether vulnerability alerts are enabled for a repository.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Check {}

/// Succeeds if alerts are enabled; 404 if they are not.
pub fn check(cx: &mut Cx, repo: Granted<Repo>, _: Check) -> Result<Done> {
    if are_enabled(cx, &repo)? { Ok(Done) } else { Err(Error::NotFound) }
}

/// Enable vulnerability alerts for a repository.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Enable {}

/// Enables alerts. Does nothing if they are enabled.
pub fn enable(cx: &mut Cx, repo: Granted<Repo>, _: Enable) -> Result<Done> {
    set(cx, &repo, true, "repository_vulnerability_alerts.enable")
}

/// Disable vulnerability alerts for a repository.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Disable {}

/// Disables alerts. Does nothing if they are disabled.
pub fn disable(cx: &mut Cx, repo: Granted<Repo>, _: Disable) -> Result<Done> {
    set(cx, &repo, false, "repository_vulnerability_alerts.disable")
}

fn are_enabled(cx: &mut Cx, repo: &Repo) -> Result<bool> {
    cx.tx.one(ENABLED, &[&repo.id])
}

const ENABLED: &str = "SELECT vulnerability_alerts FROM repos WHERE id = $1";

/// These repositories, each with true if it has alerts.
pub fn enabled_of(tx: &mut Tx, ids: &[i64]) -> Result<Vec<(i64, bool)>> {
    by_ids(tx, &ENABLED_OF, ids)
}

static ENABLED_OF: ByIds = ByIds::new("SELECT id, vulnerability_alerts FROM repos WHERE id IN ({ids})");

fn set(cx: &mut Cx, repo: &Repo, enabled: bool, action: &'static str) -> Result<Done> {
    if are_enabled(cx, repo)? != enabled {
        cx.tx.run(SET, &[&repo.id, &enabled])?;
        let journal = match repo.owner {
            Owner::Org(org) => org,
            Owner::User(_) => journal::SITE,
        };
        cx.record(journal, Change::new(action, &facts(repo, !enabled), &facts(repo, enabled)))?;
    }
    Ok(Done)
}

const SET: &str = "UPDATE repos SET vulnerability_alerts = $2 WHERE id = $1";

/// The setting as the audit log shows it.
fn facts(repo: &Repo, enabled: bool) -> Value {
    json!({ "repository": repo.id, "full_name": repo.full_name(), "vulnerability_alerts": enabled })
}
