//! Former names of repositories, which redirect to them (decisions 33 and 50).

use std::collections::HashMap;

use super::super::report::Kind;
use super::Job;
use crate::error::Result;
use crate::repos::name_key;

/// The organization's repositories by the form in which names are compared.
pub(super) type Repos = HashMap<String, i64>;

/// Stores the former names of the file's repositories. A name that is in use, and a former name that was claimed first,
/// take precedence.
pub(super) fn put(job: &mut Job<'_, '_>, repos: &Repos) -> Result<()> {
    job.cx.tx.run(RETIRE, &[&job.org])?;
    let old: Vec<(String, i64)> = job.cx.tx.all(OLD, &[&job.org])?;
    let old: HashMap<String, i64> = old.into_iter().collect();
    let mut claimed: HashMap<String, &str> = HashMap::new();
    let file = job.file;
    for repo in &file.repos {
        let Some(id) = repos.get(&name_key(&repo.name)) else { continue };
        for former in &repo.former_names {
            let key = name_key(former);
            let other = match (repos.get(&key), claimed.get(&key)) {
                (Some(living), _) if living == id => continue,
                (Some(_), _) => Some("another repository has this name"),
                (None, Some(_)) => Some("it is also a former name of another repository in the file"),
                (None, None) => None,
            };
            if let Some(why) = other {
                job.report.skipped.push(format!("former name {former} of repository {}: {why}", repo.name));
                continue;
            }
            match old.get(&key) {
                Some(owner) if owner == id => {}
                Some(_) => {
                    leave(job, &key, *id)?;
                    job.report
                        .changed
                        .push(format!("the former name {former} now redirects to repository {}", repo.name));
                }
                None => {
                    leave(job, &key, *id)?;
                    job.report.created(Kind::FormerName, 1);
                }
            }
            claimed.insert(key, &repo.name);
        }
    }
    Ok(())
}

/// A name that is in use no longer redirects.
const RETIRE: &str = "
    DELETE FROM old_repo_names
    WHERE org_id = $1 AND name_key IN (SELECT r.name_key FROM repos r WHERE r.org_id = $1)";

const OLD: &str = "SELECT name_key, repo_id FROM old_repo_names WHERE org_id = $1 ORDER BY name_key";

/// Makes a name redirect to a repository.
pub(super) fn leave(job: &mut Job<'_, '_>, key: &str, repo: i64) -> Result<()> {
    job.cx.tx.run(LEAVE, &[&job.org, &key, &repo])?;
    Ok(())
}

const LEAVE: &str = "
    INSERT INTO old_repo_names (org_id, name_key, repo_id) VALUES ($1, $2, $3)
    ON CONFLICT (org_id, name_key) DO UPDATE SET repo_id = excluded.repo_id";
