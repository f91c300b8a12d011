//! The permissions of teams on repositories (decisions 30 and 50).

use super::super::report::Kind;
use super::Job;
use super::repo_names::Repos;
use crate::db::{Bind, Bulk};
use crate::error::Result;
use crate::repos::level::Level;
use crate::repos::name_key;

/// Grants repositories to teams.
pub(super) fn put(job: &mut Job<'_, '_>, repos: &Repos, teams: &[i64]) -> Result<()> {
    let (by, since) = job.cx.granting()?;
    let mut new = Vec::new();
    for (team, id) in job.file.teams.iter().zip(teams) {
        for grant in &team.grants {
            if let (Some(repo), Some(level)) = (repos.get(&name_key(&grant.repo)), grant.level.map(Level::rank)) {
                new.push((*id, *repo, level));
            }
        }
    }
    let rows: Vec<[&dyn Bind; 5]> =
        new.iter().map(|(team, repo, level)| [team as &dyn Bind, repo, level, &by, &since]).collect();
    ADD.run(job.cx.tx, &rows)?;
    job.report.created(Kind::Grant, new.len());
    Ok(())
}

static ADD: Bulk<5> =
    Bulk::new("INSERT INTO team_repos (team_id, repo_id, level, granted_by, granted_at) VALUES {rows}");
