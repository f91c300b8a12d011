//! Repositories as records, and people's own levels on them (decision 30).

use std::collections::{HashMap, HashSet};

use super::super::desired::Repo;
use super::super::matching;
use super::super::report::Kind;
use super::super::stored_settings::RepoSettings;
use super::Job;
use super::repo_names::{self, Repos};
use crate::db::{Bind, Bulk, row, select};
use crate::error::Result;
use crate::repos::level::Level;
use crate::repos::name_key;

row! {
    struct RepoRow from "r" {
        id: i64,
        name: String,
        settings: RepoSettings = RepoSettings::COLUMNS,
    }
}

/// Creates and updates repositories, with their former names.
pub(super) fn put(job: &mut Job<'_, '_>) -> Result<Repos> {
    let stored: Vec<RepoRow> = job.cx.tx.all(STORED, &[&job.org])?;
    let mut known: HashMap<String, RepoRow> = stored.into_iter().map(|repo| (name_key(&repo.name), repo)).collect();
    let pairs = matching::pair_repos(&job.file.repos, &known.keys().cloned().collect());

    let used = used(job);
    let (file, mut repos, mut new) = (job.file, Repos::new(), Vec::new());
    for (repo, pair) in file.repos.iter().zip(pairs) {
        let key = name_key(&repo.name);
        match pair.and_then(|pair| known.remove(&pair)) {
            Some(stored) => {
                repos.insert(key, stored.id);
                update(job, &stored, repo)?;
            }
            None if repo.declared || used.contains(key.as_str()) => new.push((key, repo)),
            None => {
                let why = "is not created, because the file only removes grants on it";
                job.report.skipped.push(format!("repository {} {why}", repo.name));
            }
        }
    }
    repos.extend(create(job, &new)?);
    let mut beyond: Vec<String> = known.values().map(|repo| format!("repository {}", repo.name)).collect();
    beyond.sort_unstable();
    job.report.beyond.extend(beyond);
    repos.extend(known.into_iter().map(|(key, repo)| (key, repo.id)));
    repo_names::put(job, &repos)?;
    Ok(repos)
}

const STORED: &str = select!(RepoRow from "repos r WHERE r.org_id = $1 ORDER BY r.id");

/// The repositories on which a team or a person gets a level.
fn used(job: &Job<'_, '_>) -> HashSet<String> {
    let grants = job.file.teams.iter().flat_map(|team| &team.grants).filter(|grant| grant.level.is_some());
    grants.map(|grant| &grant.repo).chain(job.file.collaborators.iter().map(|c| &c.repo)).map(|n| name_key(n)).collect()
}

fn create(job: &mut Job<'_, '_>, new: &[(String, &Repo)]) -> Result<Vec<(String, i64)>> {
    let now = job.cx.now()?.0;
    let settings: Vec<RepoSettings> = new.iter().map(|(_, repo)| RepoSettings::usual().with(repo)).collect();
    let others: Vec<Option<String>> = settings.iter().map(|settings| settings.others.stored()).collect();
    let rows: Vec<[&dyn Bind; 16]> = new
        .iter()
        .zip(settings.iter().zip(&others))
        .map(|((key, repo), (settings, others))| {
            let row: [&dyn Bind; 16] = [
                &job.org,
                &repo.name,
                key,
                &settings.description,
                &settings.homepage,
                &settings.private,
                &settings.archived,
                &settings.default_branch,
                &settings.has_issues,
                &settings.has_projects,
                &settings.has_wiki,
                &settings.is_template,
                &settings.vulnerability_alerts,
                others,
                &now,
                &now,
            ];
            row
        })
        .collect();
    job.report.created(Kind::Repository, new.len());
    CREATE.all(job.cx.tx, &rows)
}

static CREATE: Bulk<16> = Bulk::new(
    "INSERT INTO repos (org_id, name, name_key, description, homepage, private, archived, default_branch, has_issues,
                        has_projects, has_wiki, is_template, vulnerability_alerts, settings, created_at, updated_at)
     VALUES {rows} RETURNING name_key, id",
);

/// A different spelling of the same name is not stored.
fn update(job: &mut Job<'_, '_>, stored: &RepoRow, repo: &Repo) -> Result<()> {
    let (was, is) = (name_key(&stored.name), name_key(&repo.name));
    if was != is {
        job.cx.tx.run(RENAME, &[&stored.id, &repo.name, &is, &job.cx.now()?.0])?;
        repo_names::leave(job, &was, stored.id)?;
        job.report.changed.push(format!("repository {}: renamed from {}", repo.name, stored.name));
    }
    let settings = stored.settings.with(repo);
    if settings == stored.settings {
        return Ok(());
    }
    job.cx.tx.run(
        UPDATE,
        &[
            &stored.id,
            &settings.description,
            &settings.homepage,
            &settings.private,
            &settings.archived,
            &settings.default_branch,
            &settings.has_issues,
            &settings.has_projects,
            &settings.has_wiki,
            &settings.is_template,
            &settings.others.stored(),
            &job.cx.now()?.0,
            &settings.vulnerability_alerts,
        ],
    )?;
    job.report.changed.push(format!("settings of repository {}", repo.name));
    Ok(())
}

const RENAME: &str = "
    UPDATE repos
    SET name = $2, name_key = $3, updated_at = CASE WHEN updated_at > $4 THEN updated_at ELSE $4 END
    WHERE id = $1";

const UPDATE: &str = "
    UPDATE repos
    SET description = $2, homepage = $3, private = $4, archived = $5, default_branch = $6, has_issues = $7,
        has_projects = $8, has_wiki = $9, is_template = $10, settings = $11, vulnerability_alerts = $13,
        updated_at = CASE WHEN updated_at > $12 THEN updated_at ELSE $12 END
    WHERE id = $1";

/// The name of a stored level.
pub(super) fn level_name(rank: i64) -> &'static str {
    Level::of_rank(rank).map_or("none", Level::word)
}
