//! Repositories as records (decision 30).

use std::collections::HashSet;

use super::super::desired::Repo;
use super::super::report::Kind;
use super::super::stored_settings::RepoSettings;
use super::Job;
use super::repo_names::{self, Repos};
use crate::db::{Bind, Bulk};
use crate::error::Result;
use crate::repos::name_key;

/// Creates repositories, with their former names.
pub(super) fn put(job: &mut Job<'_, '_>) -> Result<Repos> {
    let used = used(job);
    let mut new = Vec::new();
    for repo in &job.file.repos {
        let key = name_key(&repo.name);
        if repo.declared || used.contains(key.as_str()) {
            new.push((key, repo));
        } else {
            let why = "is not created, because the file only removes grants on it";
            job.report.skipped.push(format!("repository {} {why}", repo.name));
        }
    }
    let repos: Repos = create(job, &new)?.into_iter().collect();
    repo_names::put(job, &repos)?;
    Ok(repos)
}

/// The repositories on which a team or a person gets a level.
fn used(job: &Job<'_, '_>) -> HashSet<String> {
    let grants = job.file.teams.iter().flat_map(|team| &team.grants).filter(|grant| grant.level.is_some());
    grants.map(|grant| &grant.repo).chain(job.file.collaborators.iter().map(|c| &c.repo)).map(|n| name_key(n)).collect()
}

fn create(job: &mut Job<'_, '_>, new: &[(String, &Repo)]) -> Result<Vec<(String, i64)>> {
    let now = job.cx.now()?.0;
    let settings: Vec<RepoSettings> = new.iter().map(|(_, repo)| RepoSettings::of_new(repo)).collect();
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
