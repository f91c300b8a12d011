//! People's own levels on repositories (decision 30).

use super::super::report::Kind;
use super::repo_names::Repos;
use super::{Job, account};
use crate::db::{Bind, Bulk};
use crate::error::Result;
use crate::repos::name_key;

/// Gives people the levels of the file.
pub(super) fn put(job: &mut Job<'_, '_>, repos: &Repos) -> Result<()> {
    let (by, at) = job.cx.granting()?;
    let mut new = Vec::new();
    for wanted in &job.file.collaborators {
        let account = account(&job.accounts, &wanted.login)?;
        let Some(repo) = repos.get(&name_key(&wanted.repo)) else { continue };
        if account.suspended {
            let (login, repo) = (&account.login, &wanted.repo);
            job.report.skipped.push(format!("{login} is suspended and cannot be added to repository {repo}"));
        } else {
            new.push((*repo, account.id, wanted.level.rank()));
        }
    }
    let rows: Vec<[&dyn Bind; 5]> =
        new.iter().map(|(repo, user, level)| [repo as &dyn Bind, user, level, &by, &at]).collect();
    ADD.run(job.cx.tx, &rows)?;
    job.report.created(Kind::Collaborator, new.len());
    Ok(())
}

static ADD: Bulk<5> =
    Bulk::new("INSERT INTO repo_collaborators (repo_id, user_id, level, granted_by, granted_at) VALUES {rows}");
