//! Repositories as records, and people's own levels on them (decision 30).

use std::collections::{HashMap, HashSet};

use super::super::desired::{Level, Repo};
use super::super::report::Kind;
use super::{Job, account};
use crate::db::{Bind, Bulk, FromRow, Row};
use crate::error::Result;
use crate::orgs::repos::name_key;

/// The organization's repositories by the form in which names are compared.
pub(super) type Repos = HashMap<String, i64>;

struct Stored {
    id: i64,
    name: String,
    description: Option<String>,
    private: bool,
    archived: bool,
    default_branch: String,
}

impl FromRow for Stored {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            name: row.get(1)?,
            description: row.get(2)?,
            private: row.get(3)?,
            archived: row.get(4)?,
            default_branch: row.get(5)?,
        })
    }
}

/// Creates and updates repositories and collaborators.
pub(super) fn put(job: &mut Job<'_, '_>) -> Result<Repos> {
    let stored: Vec<Stored> = job.cx.tx.all(STORED, &[&job.org])?;
    let mut repos: Repos = stored.iter().map(|repo| (name_key(&repo.name), repo.id)).collect();
    let known: HashMap<String, Stored> = stored.into_iter().map(|repo| (name_key(&repo.name), repo)).collect();

    let used = used(job);
    let file = job.file;
    let mut new = Vec::new();
    for repo in &file.repos {
        let key = name_key(&repo.name);
        match known.get(&key) {
            Some(stored) => update(job, stored, repo)?,
            None if repo.declared || used.contains(key.as_str()) => new.push((key, repo)),
            None => {
                let why = "is not created, because it is only named for taking grants away";
                job.report.skipped.push(format!("repository {} {why}", repo.name));
            }
        }
    }
    repos.extend(create(job, &new)?);
    let listed: HashSet<String> = file.repos.iter().map(|repo| name_key(&repo.name)).collect();
    let beyond = known.iter().filter(|(key, _)| !listed.contains(*key)).map(|(_, stored)| &stored.name);
    let mut beyond: Vec<String> = beyond.map(|name| format!("repository {name}")).collect();
    beyond.sort_unstable();
    job.report.beyond.extend(beyond);
    collaborators(job, &repos)?;
    Ok(repos)
}

const STORED: &str = "
    SELECT id, name, description, private, archived, default_branch FROM repos WHERE org_id = $1 ORDER BY id";

/// The repositories on which somebody gets a level.
fn used(job: &Job<'_, '_>) -> HashSet<String> {
    let grants = job.file.teams.iter().flat_map(|team| &team.grants).filter(|grant| grant.level.is_some());
    grants.map(|grant| &grant.repo).chain(job.file.collaborators.iter().map(|c| &c.repo)).map(|n| name_key(n)).collect()
}

fn create(job: &mut Job<'_, '_>, new: &[(String, &Repo)]) -> Result<Vec<(String, i64)>> {
    let now = job.cx.now.0;
    let settings: Vec<(bool, bool, &str)> = new.iter().map(|(_, repo)| settings(repo)).collect();
    let rows: Vec<[&dyn Bind; 9]> = new
        .iter()
        .zip(&settings)
        .map(|((key, repo), (private, archived, branch))| {
            let row: [&dyn Bind; 9] =
                [&job.org, &repo.name, key, &repo.description, private, archived, branch, &now, &now];
            row
        })
        .collect();
    job.report.created(Kind::Repository, new.len());
    let created = CREATE.all(job.cx.tx, &rows)?;
    job.cx.tx.run(END_FORMER_NAMES, &[&job.org])?;
    Ok(created)
}

/// A name that a repository has leads to no other any more.
const END_FORMER_NAMES: &str = "
    DELETE FROM old_repo_names
    WHERE org_id = $1 AND name_key IN (SELECT r.name_key FROM repos r WHERE r.org_id = $1)";

static CREATE: Bulk<9> = Bulk::new(
    "INSERT INTO repos (org_id, name, name_key, description, private, archived, default_branch, created_at, updated_at)
     VALUES {rows} RETURNING name_key, id",
);

fn settings(repo: &Repo) -> (bool, bool, &str) {
    let branch = repo.default_branch.as_deref().unwrap_or("main");
    (repo.private.unwrap_or(false), repo.archived.unwrap_or(false), branch)
}

fn update(job: &mut Job<'_, '_>, stored: &Stored, repo: &Repo) -> Result<()> {
    let description = repo.description.as_ref().or(stored.description.as_ref());
    let private = repo.private.unwrap_or(stored.private);
    let archived = repo.archived.unwrap_or(stored.archived);
    let branch = repo.default_branch.as_ref().unwrap_or(&stored.default_branch);
    let same = description == stored.description.as_ref() && branch == &stored.default_branch;
    if same && private == stored.private && archived == stored.archived {
        return Ok(());
    }
    job.cx.tx.run(UPDATE, &[&stored.id, &description, &private, &archived, branch, &job.cx.now.0])?;
    job.report.changed.push(format!("settings of repository {}", stored.name));
    Ok(())
}

const UPDATE: &str = "
    UPDATE repos SET description = $2, private = $3, archived = $4, default_branch = $5, updated_at = $6 WHERE id = $1";

fn collaborators(job: &mut Job<'_, '_>, repos: &Repos) -> Result<()> {
    let stored: Vec<(i64, i64, i64, String, String)> = job.cx.tx.all(COLLABORATORS, &[&job.org])?;
    let known: HashMap<(i64, i64), i64> =
        stored.iter().map(|(repo, user, level, ..)| ((*repo, *user), *level)).collect();
    let mut listed = HashSet::new();
    for wanted in &job.file.collaborators {
        let account = account(&job.accounts, &wanted.login)?;
        let Some(repo) = repos.get(&name_key(&wanted.repo)) else { continue };
        let (login, level) = (&account.login, rank(wanted.level));
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
        job.cx.tx.run(COLLABORATE, &[repo, &account.id, &level])?;
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
    INSERT INTO repo_collaborators (repo_id, user_id, level) VALUES ($1, $2, $3)
    ON CONFLICT (repo_id, user_id) DO UPDATE SET level = excluded.level";

/// A level's rank, as it is stored.
pub(super) fn rank(level: Level) -> i64 {
    match level {
        Level::Read => 1,
        Level::Triage => 2,
        Level::Write => 3,
        Level::Maintain => 4,
        Level::Admin => 5,
    }
}

/// A stored level in REST words.
pub(super) fn level_name(rank: i64) -> &'static str {
    match rank {
        1 => "pull",
        2 => "triage",
        3 => "push",
        4 => "maintain",
        _ => "admin",
    }
}
