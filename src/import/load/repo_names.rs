//! Former names of repositories, which redirect to them (decisions 33 and 50).

use std::collections::{BTreeMap, HashMap};

use super::super::report::Kind;
use super::Job;
use crate::db::{Bind, Bulk};
use crate::error::Result;
use crate::repos::name_key;

/// The organization's repositories by the form in which names are compared.
pub(super) type Repos = HashMap<String, i64>;

/// Stores the former names of the file's repositories. The name of a repository, and a former name that was claimed
/// first, take precedence.
pub(super) fn put(job: &mut Job<'_, '_>, repos: &Repos) -> Result<()> {
    let mut claimed: BTreeMap<String, i64> = BTreeMap::new();
    for repo in &job.file.repos {
        let Some(id) = repos.get(&name_key(&repo.name)) else { continue };
        for former in &repo.former_names {
            let key = name_key(former);
            let why = match (repos.get(&key), claimed.get(&key)) {
                (Some(owner), _) | (_, Some(owner)) if owner == id => continue,
                (Some(_), _) => "another repository has this name",
                (None, Some(_)) => "it is also a former name of another repository in the file",
                (None, None) => {
                    claimed.insert(key, *id);
                    continue;
                }
            };
            job.report.skipped.push(format!("former name {former} of repository {}: {why}", repo.name));
        }
    }
    let rows: Vec<[&dyn Bind; 3]> = claimed.iter().map(|(key, id)| [&job.org as &dyn Bind, key, id]).collect();
    LEAVE.run(job.cx.tx, &rows)?;
    job.report.created(Kind::FormerName, claimed.len());
    Ok(())
}

static LEAVE: Bulk<3> = Bulk::new("INSERT INTO old_repo_names (org_id, name_key, repo_id) VALUES {rows}");
