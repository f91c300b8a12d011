//! People's own levels on repositories (decision 30).

use std::collections::{HashMap, HashSet};

use super::super::report::Kind;
use super::repo_names::Repos;
use super::repos::level_name;
use super::{Job, account};
use crate::error::Result;
use crate::repos::name_key;

/// Gives people the levels of the file. No one loses a level.
pub(super) fn put(job: &mut Job<'_, '_>, repos: &Repos) -> Result<()> {
    let stored: Vec<(i64, i64, i64, String, String)> = job.cx.tx.all(COLLABORATORS, &[&job.org])?;
    let known: HashMap<(i64, i64), i64> =
        stored.iter().map(|(repo, user, level, ..)| ((*repo, *user), *level)).collect();
    let mut listed = HashSet::new();
    let (by, at) = job.cx.granting()?;
    for wanted in &job.file.collaborators {
        let account = account(&job.accounts, &wanted.login)?;
        let Some(repo) = repos.get(&name_key(&wanted.repo)) else { continue };
        let (login, level) = (&account.login, wanted.level.rank());
        listed.insert((*repo, account.id));
        match known.get(&(*repo, account.id)) {
            Some(was) if *was == level => continue,
            Some(_) => {
                let line = format!("{login} now has {} on repository {}", level_name(level), wanted.repo);
                job.report.changed.push(line);
            }
            None if account.suspended => {
                let repo = &wanted.repo;
                job.report.skipped.push(format!("{login} is suspended and cannot be added to repository {repo}"));
                continue;
            }
            None => job.report.created(Kind::Collaborator, 1),
        }
        job.cx.tx.run(COLLABORATE, &[repo, &account.id, &level, &by, &at])?;
    }
    let beyond = stored.into_iter().filter(|(repo, user, ..)| !listed.contains(&(*repo, *user)));
    job.report.beyond.extend(
        beyond.map(|(_, _, level, login, repo)| format!("{login} on repository {repo} with {}", level_name(level))),
    );
    Ok(())
}

const COLLABORATORS: &str = "
    SELECT c.repo_id, c.user_id, c.level, u.login, r.name
    FROM repos r
    JOIN repo_collaborators c ON c.repo_id = r.id
    JOIN users u ON u.id = c.user_id
    WHERE r.org_id = $1 ORDER BY c.repo_id, c.user_id";

const COLLABORATE: &str = "
    INSERT INTO repo_collaborators (repo_id, user_id, level, granted_by, granted_at) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (repo_id, user_id) DO UPDATE
    SET level = excluded.level, granted_by = excluded.granted_by, granted_at = excluded.granted_at";
