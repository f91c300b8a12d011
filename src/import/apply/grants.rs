//! The permissions of teams on repositories (decisions 30 and 50).

use std::collections::HashMap;

use super::super::fault::shown;
use super::super::report::Kind;
use super::Job;
use super::repo_names::Repos;
use super::repos::level_name;
use crate::db::{Bind, Bulk};
use crate::error::Result;
use crate::repos::level::Level;
use crate::repos::name_key;

/// Grants repositories and sets levels; only the level `none` removes a grant.
pub(super) fn put(job: &mut Job<'_, '_>, repos: &Repos, teams: &[i64]) -> Result<()> {
    let stored: Vec<(i64, i64, i64, String)> = job.cx.tx.all(STORED, &[&job.org])?;
    let mut left: HashMap<(i64, i64), (i64, String)> =
        stored.into_iter().map(|(team, repo, level, name)| ((team, repo), (level, name))).collect();
    let mut new = Vec::new();
    let (by, since) = job.cx.granting()?;
    for (team, id) in job.file.teams.iter().zip(teams) {
        for grant in &team.grants {
            let Some(repo) = repos.get(&name_key(&grant.repo)) else { continue };
            let (was, level) = (left.remove(&(*id, *repo)).map(|(level, _)| level), grant.level.map(Level::rank));
            let changed = |what: String| format!("team {} {what} repository {}", shown(&team.name), grant.repo);
            match (was, level) {
                (Some(was), Some(level)) if was != level => {
                    job.cx.tx.run(CHANGE, &[id, repo, &level, &by, &since])?;
                    job.report.changed.push(changed(format!("now has {} on", level_name(level))));
                }
                (Some(_), None) => {
                    job.cx.tx.run(REMOVE, &[id, repo])?;
                    job.report.changed.push(changed("no longer has access to".to_owned()));
                }
                (None, Some(level)) => new.push((*id, *repo, level)),
                _ => {}
            }
        }
    }
    let rows: Vec<[&dyn Bind; 5]> =
        new.iter().map(|(team, repo, level)| [team as &dyn Bind, repo, level, &by, &since]).collect();
    ADD.run(job.cx.tx, &rows)?;
    job.report.created(Kind::Grant, new.len());
    beyond(job, teams, left);
    Ok(())
}

const STORED: &str = "
    SELECT g.team_id, g.repo_id, g.level, r.name
    FROM teams t
    JOIN team_repos g ON g.team_id = t.id
    JOIN repos r ON r.id = g.repo_id
    WHERE t.org_id = $1 ORDER BY g.team_id, g.repo_id";

const CHANGE: &str = "
    UPDATE team_repos SET level = $3, granted_by = $4, granted_at = $5
    WHERE team_id = $1 AND repo_id = $2";

const REMOVE: &str = "DELETE FROM team_repos WHERE team_id = $1 AND repo_id = $2";

static ADD: Bulk<5> =
    Bulk::new("INSERT INTO team_repos (team_id, repo_id, level, granted_by, granted_at) VALUES {rows}");

fn beyond(job: &mut Job<'_, '_>, teams: &[i64], left: HashMap<(i64, i64), (i64, String)>) {
    let index: HashMap<i64, usize> = teams.iter().enumerate().map(|(index, team)| (*team, index)).collect();
    let mut found: Vec<(usize, String, i64)> = left
        .into_iter()
        .filter_map(|((team, _), (level, name))| index.get(&team).map(|index| (*index, name, level)))
        .collect();
    found.sort_unstable();
    for (index, name, level) in found {
        let team = shown(&job.file.teams[index].name);
        job.report.beyond.push(format!("repository {name} of team {team} with {}", level_name(level)));
    }
}
