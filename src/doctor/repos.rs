//! Repositories: their current and former names, their numbers of forks, and their collaborators (decisions 30 and 33).

use super::{MEND, RESTORE, Step};
use crate::db::Tx;
use crate::error::Result;
use crate::repos::name_key;

/// Repositories are found by their names and have the right numbers of forks.
pub(super) fn repos(tx: &mut Tx<'_>, step: &mut Step) -> Result<()> {
    for (id, (name, key, says, has)) in step.rows::<(String, String, i64, i64)>(tx, REPOS)? {
        if key != name_key(&name) {
            step.found(format!("repository {id} has the name {name}, but is found by {key}"), RESTORE);
        }
        if says != has {
            step.found(format!("repository {id} has a count of {says} forks, but has {has}"), MEND);
        }
    }
    let way = "remove it: DELETE /repos/{owner}/{repo}/collaborators/{username}";
    step.each(tx, ODD_COLLABORATORS, way, |(id, login): (i64, String)| {
        format!("{login} has a level on repository {id} that cannot be granted there")
    })
}

/// Owners are not collaborators on their own repositories, and only organizations grant `triage` and `maintain`.
const ODD_COLLABORATORS: &str = "
    SELECT r.id, u.login
    FROM repos r
    JOIN repo_collaborators c ON c.repo_id = r.id
    JOIN users u ON u.id = c.user_id
    WHERE r.id > $1 AND r.id <= $2 AND r.user_id IS NOT NULL AND (c.user_id = r.user_id OR c.level IN (2, 4))
    ORDER BY r.id, c.user_id";

const REPOS: &str = "
    SELECT r.id, r.name, r.name_key, r.forks_count, (SELECT count(*) FROM repos f WHERE f.fork_of = r.id)
    FROM repos r WHERE r.id > $1 ORDER BY r.id LIMIT $2";

/// A former name has the same owner as the repository that it redirects to, and is not in use.
pub(super) fn former_names(tx: &mut Tx<'_>, step: &mut Step) -> Result<()> {
    step.ids(tx, FORMERLY_NAMED)?;
    step.each(tx, FOREIGN, RESTORE, |(id, key): (i64, String)| {
        format!("repository {id} has the former name {key}, but under another owner")
    })?;
    step.each(tx, TAKEN, RESTORE, |(id, key): (i64, String)| {
        format!("the former name {key} redirects to repository {id}, but another repository uses it")
    })
}

const FORMERLY_NAMED: &str = "
    SELECT DISTINCT n.repo_id FROM old_repo_names n WHERE n.repo_id > $1 ORDER BY n.repo_id LIMIT $2";

const FOREIGN: &str = "
    SELECT r.id, n.name_key FROM old_repo_names n JOIN repos r ON r.id = n.repo_id
    WHERE n.repo_id > $1 AND n.repo_id <= $2
      AND (n.org_id IS DISTINCT FROM r.org_id OR n.user_id IS DISTINCT FROM r.user_id)
    ORDER BY r.id, n.name_key";

const TAKEN: &str = "
    SELECT n.repo_id, n.name_key FROM old_repo_names n
    WHERE n.repo_id > $1 AND n.repo_id <= $2
      AND (EXISTS (SELECT 1 FROM repos r WHERE r.org_id = n.org_id AND r.name_key = n.name_key)
           OR EXISTS (SELECT 1 FROM repos r WHERE r.user_id = n.user_id AND r.name_key = n.name_key))
    ORDER BY n.repo_id, n.name_key";
