//! The repositories of a team: what it is granted, what the teams above it are granted, and all of the organization if
//! one of them has the role `security_manager`.
//!
//! Implements behavior rules 1 to 3 and decisions 15 (the default level), 30 (the higher of the team's own level and
//! the inherited one, and what can be granted), 31 (who is authorized, and removing a missing grant) and 33 (only what
//! the caller reads).

use schemars::JsonSchema;
use serde::Deserialize;

use super::security_managers;
use super::team::Team;
use crate::db::{ByIds, Lock, Tx, by_ids_after, row};
use crate::error::{Error, Result};
use crate::journal::{Change, Event};
use crate::operation::{Caller, Cx, Done, Either, List, Path, Record, Subject};
use crate::people::login::{self, Owner};
use crate::policy::{Fact, Granted, Standing};
use crate::repos::access;
use crate::repos::granting;
use crate::repos::level::Level;
use crate::repos::list::RepoPlace;
use crate::repos::record::MinimalRepository;
use crate::repos::repo::{Named, Repo, tables, trusted};

/// A team and a repository that a path names below it.
#[derive(Debug)]
pub struct TeamRepo {
    team: Team,
    repo: Repo,
}

impl TeamRepo {
    /// A repo next to a team.
    #[must_use]
    pub fn of(team: Team, repo: Repo) -> Self {
        Self { team, repo }
    }
}

impl Subject for TeamRepo {
    const FORMS: &'static [&'static str] = &[
        "/orgs/{org}/teams/{team_slug}/repos/{owner}/{repo}",
        "/organizations/{org_id}/team/{team_id}/repos/{owner}/{repo}",
        "/organizations/{org_id}/teams/{team_slug}/repos/{owner}/{repo}",
        "/teams/{team_id}/repos/{owner}/{repo}",
    ];
    const LEGACY_FORMS: usize = 1;

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        let (team, standing) = Team::find(cx, path)?;
        match Repo::named(cx, path)? {
            Named::Now(repo) => {
                let standing = standing
                    .with(Fact::ReadsRepo, repo.level() >= Some(Level::Pull))
                    .with(Fact::AdminsRepo, repo.level() >= Some(Level::Admin));
                Ok((Self { team, repo }, standing))
            }
            Named::Formerly(repo) => {
                let to = Self { team, repo }.canonical();
                let segments = if path.get("org").or(path.get("org_id")).is_some() { 7 } else { 5 };
                Err(Error::Moved { to, segments })
            }
        }
    }

    /// The team's organization and the repository's owner: a fork can belong to an outsider.
    fn locks(tx: &mut Tx, caller: &Caller, path: &Path) -> Result<Vec<Lock>> {
        let mut locks = Team::locks(tx, caller, path)?;
        locks.extend(login::find(tx, path.get("owner").unwrap_or_default())?.into_iter().flat_map(Owner::locks));
        Ok(locks)
    }

    fn organizations(&self) -> Vec<i64> {
        self.repo.org().into_iter().chain([self.team.org_id]).collect()
    }

    fn canonical(&self) -> String {
        format!("{}/repos/{}", self.team.canonical(), self.repo.full_name())
    }
}

/// List the repositories of a team that the caller can read, by ID, including those inherited from its parent teams.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfTheTeam {}

/// Lists the repositories of a team.
pub fn list(cx: &mut Cx, team: Granted<Team>, _: OfTheTeam) -> Result<List<MinimalRepository>> {
    let (total, page) = (count(cx, team.id)?, page(cx, team.id)?);
    let record = |(repo, level): &(Repo, i64)| MinimalRepository::new(cx.links, repo, Level::of_rank(*level));
    List::of(page.iter().map(record), total)
}

/// The number of repositories of a team that the caller can read.
pub(super) fn count(cx: &mut Cx, team: i64) -> Result<i64> {
    cx.tx.one(COUNT, &[&cx.my_id(), &team, &trusted(cx), &cx.caller.application()])
}

/// The repositories of a page, each with the level of the team.
pub(super) fn page(cx: &mut Cx, team: i64) -> Result<Vec<(Repo, i64)>> {
    let (limit, offset) = cx.page.sql();
    cx.tx.all(PAGE, &[&cx.my_id(), &team, &trusted(cx), &cx.caller.application(), &limit, &offset])
}

/// The same for this repository alone.
pub(super) fn one(cx: &mut Cx, team: i64, repo: i64) -> Result<Vec<(Repo, i64)>> {
    cx.tx.all(ONE, &[&cx.my_id(), &team, &trusted(cx), &cx.caller.application(), &repo])
}

macro_rules! granted {
    ($teams:literal) => {
        concat!(
            "WITH granted AS (
                 SELECT has.team_id, has.repo_id, max(has.level) AS level FROM (
                     SELECT up.descendant_id AS team_id, g.repo_id, g.level FROM team_tree up CROSS JOIN team_repos g
                     WHERE up.descendant_id IN (",
            $teams,
            ") AND g.team_id = up.ancestor_id
                     UNION ALL SELECT rt.team_id, ar.id, 1 FROM reading_teams rt CROSS JOIN repos ar
                     WHERE rt.team_id IN (",
            $teams,
            ") AND ar.org_id = rt.org_id
                 ) has GROUP BY has.team_id, has.repo_id)"
        )
    };
}

const COUNT: &str = concat!(
    granted!("$2"),
    " SELECT count(*) FROM granted CROSS JOIN repos r WHERE r.id = granted.repo_id AND ",
    access::readable!("$3", "$4")
);

macro_rules! found {
    ($end:literal) => {
        const_str::concat!(
            granted!("$2"),
            " SELECT ",
            Repo::COLUMNS,
            ", granted.level FROM granted CROSS JOIN ",
            tables!(),
            " WHERE r.id = granted.repo_id AND ",
            access::readable!("$3", "$4"),
            $end
        )
    };
}

const PAGE: &str = found!(" ORDER BY r.id LIMIT $5 OFFSET $6");

const ONE: &str = found!(" AND r.id = $5");

row! {
    /// A repository's place in lists, with a team that has it and the level that the team is granted.
    pub struct Granting from "granted" {
        /// The repository.
        pub place: RepoPlace = RepoPlace::COLUMNS,
        /// The level, as a rank.
        pub level: i64,
        /// The team.
        pub team: i64 = "granted.team_id",
    }
}

/// The repositories of these teams that the caller can read, in no order: the same as the list of each.
pub fn every(cx: &mut Cx, teams: &[i64]) -> Result<Vec<Granting>> {
    by_ids_after(cx.tx, &EVERY, &[&cx.my_id(), &trusted(cx), &cx.caller.application()], teams)
}

static EVERY: ByIds = ByIds::after(
    3,
    const_str::concat!(
        granted!("{ids}"),
        " SELECT ",
        Granting::COLUMNS,
        " FROM granted CROSS JOIN repos r WHERE r.id = granted.repo_id AND ",
        access::readable!("$2", "$3")
    ),
);

/// Check a team's permissions on a repository, including those inherited from parent teams. With `Accept:
/// application/vnd.github.v3.repository+json`, the response is the repository with the team's permissions on it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Check {
    /// True if the response is the repository.
    #[serde(default)]
    #[schemars(extend("x-from-accept" = true))]
    record: bool,
}

/// Shows that the team has the repository; 404 if it is granted neither to the team nor to a team above it.
pub fn check(cx: &mut Cx, at: Granted<TeamRepo>, p: Check) -> Result<Either<Done, Record<MinimalRepository>>> {
    let level: Option<i64> = cx.tx.one(LEVEL, &[&at.team.id, &at.repo.id])?;
    let level = Level::of_rank(level.ok_or(Error::NotFound)?);
    if !p.record {
        return Ok(Either::One(Done));
    }
    Ok(Either::Other(MinimalRepository::new(cx.links, &at.repo, level).into()))
}

const LEVEL: &str = "
    SELECT max(has.level) FROM (
        SELECT g.level FROM team_tree up CROSS JOIN team_repos g
        WHERE up.descendant_id = $1 AND g.team_id = up.ancestor_id AND g.repo_id = $2
        UNION ALL SELECT 1 FROM repos ar CROSS JOIN reading_teams rt
        WHERE ar.id = $2 AND rt.org_id = ar.org_id AND rt.team_id = $1
    ) has";

/// Add a repository to a team, or change the team's permission on it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Put {
    /// Permission of the team. Default: the team's own `permission`.
    #[schemars(extend("enum" = ["pull", "push", "admin", "maintain", "triage"], "x-function-validates" = true))]
    pub permission: Option<String>,
}

/// Grants the repository at this level, replacing any other level of the team.
pub fn put(cx: &mut Cx, at: Granted<TeamRepo>, p: Put) -> Result<Done> {
    let team = &at.team;
    let name = p.permission.as_deref().unwrap_or(team.permission);
    let level = Level::of(name).ok_or_else(|| Error::sentence("Validation Failed"))?;
    let own = own(cx, &at)?;
    if own.is_none() {
        refuse_foreign(cx, &at)?;
    }
    granting::refuse_on_personal(&at.repo, level, "TeamRepository")?;
    match own {
        None => granting::grant(cx, team.org_id, &team.facts(), at.repo.facts(), level)?,
        Some(before) if before == level.rank() => {}
        Some(before) => change(cx, &at, before, level)?,
    }
    Ok(Done)
}

/// Only a repository of the team's organization, or a direct fork of one, can be granted (error 1). A grant outlives
/// the repository from which the fork was made, so an existing grant is not checked again (decision 58).
fn refuse_foreign(cx: &mut Cx, at: &TeamRepo) -> Result<()> {
    let org = at.team.org_id;
    let known = match at.repo.fork_of {
        _ if at.repo.org() == Some(org) => true,
        Some(parent) => cx.tx.any(BELONGS, &[&parent, &org])?,
        None => false,
    };
    if known { Ok(()) } else { Err(Error::field("TeamMember", "not_owned", "repository")) }
}

const BELONGS: &str = "SELECT 1 FROM repos WHERE id = $1 AND org_id = $2";

fn change(cx: &mut Cx, at: &TeamRepo, before: i64, level: Level) -> Result<()> {
    let team = &at.team;
    let (by, since) = cx.granting()?;
    cx.tx.run(CHANGE, &[&team.id, &at.repo.id, &level.rank(), &by, &since])?;
    let (of, repository) = (team.facts(), at.repo.facts());
    let [was, is] = [before, level.rank()].map(|level| granting::granted(&of, &repository, level));
    let event = Event::RepositoryLevelChanged { team: of, repository, before, level: level.rank() };
    let action = "team.update_repository_permission";
    cx.record(team.org_id, Change::new(action, &was, &is).with_event(&event))
}

const CHANGE: &str = "
    UPDATE team_repos SET level = $3, granted_by = $4, granted_at = $5
    WHERE team_id = $1 AND repo_id = $2";

/// Remove a repository from a team. The repository itself and access inherited from parent teams stay.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Remove {}

/// Deletes the team's own grant; nothing happens if there is none. A team with the role `security_manager` has every
/// repository of its organization.
pub fn remove(cx: &mut Cx, at: Granted<TeamRepo>, _: Remove) -> Result<Done> {
    if at.repo.org() == Some(at.team.org_id) && security_managers::is_one(cx.tx, at.team.id)? {
        return Err(Error::Forbidden("You cannot remove repositories from a security manager team.".into()));
    }
    if let Some(level) = own(cx, &at)? {
        granting::take(cx, at.team.org_id, &at.team.facts(), at.repo.facts(), level)?;
    }
    Ok(Done)
}

/// The level of the team's own grant.
fn own(cx: &mut Cx, at: &TeamRepo) -> Result<Option<i64>> {
    cx.tx.maybe(OWN, &[&at.team.id, &at.repo.id])
}

const OWN: &str = "SELECT level FROM team_repos WHERE team_id = $1 AND repo_id = $2";
