//! Granting a repository to a team and taking it away: row, count, memory, event and audit entry change together
//! (decisions 16, 45 and 47). Also which repositories a new team may be granted at once (decision 13), and which levels
//! there are.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::level::Level;
use super::naming;
use super::repo::Repo;
use crate::db::select;
use crate::error::{Error, Result};
use crate::journal::{self, Change, Event, RepoFacts, TeamFacts};
use crate::operation::Cx;
use crate::orgs::org::Org;
use crate::people::login::Owner;
use crate::rows::{Fold, TeamRow};

/// The repositories with these names, all of which the caller must see and administer; otherwise 422 (decision 13).
pub fn administered(cx: &mut Cx, org: &Org, names: &[String]) -> Result<Vec<Repo>> {
    let mut found: Vec<Repo> = Vec::new();
    // Each is looked up once, however often it is named.
    let mut seen = HashSet::new();
    for name in names.iter().filter(|name| seen.insert(naming::name_key(name))) {
        let (of, repository) = name.split_once('/').unwrap_or((&org.login, name));
        let refused = || Error::data("Team", format!("Invalid repository was specified: {name:.140}"));
        if !of.eq_ignore_ascii_case(&org.login) {
            return Err(refused());
        }
        let repo = Repo::shown_by_name(cx, Owner::Org(org.id), repository)?;
        let repo = repo.filter(|repo| repo.level() >= Some(Level::Admin)).ok_or_else(refused)?;
        if found.iter().all(|known| known.id != repo.id) {
            found.push(repo);
        }
    }
    Ok(found)
}

/// Refuses a level that exists only on repositories of organizations for one that a person owns (decision 30).
pub fn refuse_on_personal(repo: &Repo, level: Level, resource: &'static str) -> Result<()> {
    if repo.org().is_some() || !matches!(level, Level::Maintain | Level::Triage) {
        return Ok(());
    }
    let only = "maintain and triage are available only in repositories of an organization. Use pull, push or admin.";
    Err(Error::explained(resource, "invalid", "permission", only))
}

/// Grants a repository to a team that does not have it yet.
pub fn grant(cx: &mut Cx, org: i64, team: &TeamFacts, repository: RepoFacts, level: Level) -> Result<()> {
    let (by, at) = cx.granting()?;
    cx.tx.run(GRANT, &[&team.id, &repository.id, &level.rank(), &by, &at])?;
    cx.tx.run(COUNT, &[&team.id, &1_i64])?;
    let after = granted(team, &repository, level.rank());
    cx.record(
        org,
        Change::new("team.add_repository", &json!(null), &after)
            .with_event(&Event::RepositoryAdded { team: team.clone(), repository, level: level.rank() })
            .folded(&Fold::Grants { team: team.id }),
    )
}

/// A grant as the audit log shows it, with the names at that time.
#[must_use]
pub fn granted(team: &TeamFacts, repository: &RepoFacts, level: i64) -> Value {
    json!({
        "team": team.id,
        "team_slug": team.slug,
        "repository": repository.id,
        "full_name": repository.full_name,
        "level": level,
    })
}

const GRANT: &str = "
    INSERT INTO team_repos (team_id, repo_id, level, granted_by, granted_at) VALUES ($1, $2, $3, $4, $5)";

const COUNT: &str = "UPDATE team_counts SET repos = repos + $2 WHERE team_id = $1";

/// Takes a repository from a team that has it at this level.
pub fn take(cx: &mut Cx, org: i64, team: &TeamFacts, repository: RepoFacts, level: i64) -> Result<()> {
    cx.tx.run(TAKE, &[&team.id, &repository.id])?;
    cx.tx.run(COUNT, &[&team.id, &-1_i64])?;
    let before = granted(team, &repository, level);
    cx.record(
        org,
        Change::new("team.remove_repository", &before, &json!(null))
            .with_event(&Event::RepositoryRemoved { team: team.clone(), repository })
            .folded(&Fold::Grants { team: team.id }),
    )
}

const TAKE: &str = "DELETE FROM team_repos WHERE team_id = $1 AND repo_id = $2";

/// Takes a repository, which is about to be deleted, from all teams that have it. More teams may have it than when the
/// locks were taken.
pub fn take_from_all(cx: &mut Cx, repository: &RepoFacts) -> Result<()> {
    let holders: Vec<(TeamRow, i64)> = cx.tx.all(HOLDERS, &[&repository.id])?;
    journal::widen(cx.tx, holders.iter().map(|(team, _)| team.org_id))?;
    let take = |(team, level): (TeamRow, i64)| take(cx, team.org_id, &team.facts(), repository.clone(), level);
    holders.into_iter().try_for_each(take)
}

const HOLDERS: &str = select!(TeamRow, "g.level" from
    "team_repos g CROSS JOIN teams t WHERE g.repo_id = $1 AND t.id = g.team_id ORDER BY t.id");
