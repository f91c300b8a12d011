//! The teams of a repository: those that were granted it or read all repositories of its organization as security
//! managers, and the teams below them, which inherit that.
//!
//! Implements decisions 17 (only teams that the caller sees, also in the count), 30 (the higher of the team's own level
//! and the inherited one), 38 (by id) and 55 (`permission` is the level).

use std::collections::{BTreeSet, HashMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::lookup::BY_IDS;
use super::record::{TeamShort, TeamSimple};
use super::visible::is_seen;
use crate::db::{by_ids, row};
use crate::error::Result;
use crate::operation::{Cx, List};
use crate::policy::Granted;
use crate::repos::level::{Level, Permissions};
use crate::repos::repo::Repo;
use crate::rows::TeamRow;

/// A team in the list of a repository's teams. Its `permission` is its level on the repository.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "repository-team")]
pub struct RepositoryTeam {
    /// The team.
    #[serde(flatten)]
    pub team: TeamShort,
    /// The actions that the team's permission on the repository allows.
    pub permissions: Permissions,
    /// Name of the team's role: `read`, `triage`, `write`, `maintain` or `admin`.
    pub role_name: &'static str,
}

row! {
    /// A team with its level, and the login of its organization.
    struct Holder from "t" {
        team: TeamRow = TeamRow::COLUMNS,
        org_login: String = "o.login",
        level: i64 = "holding.level",
    }
}

impl Holder {
    fn record(self, cx: &Cx, parents: &HashMap<i64, TeamRow>) -> RepositoryTeam {
        let Self { team, org_login, level } = self;
        let level = Level::of_rank(level);
        let parent = team.parent_id.and_then(|id| parents.get(&id)).cloned();
        let mut team = TeamSimple::new(cx.links, &org_login, team);
        team.permission = level.map_or("none", Level::word);
        let parent = parent.map(|parent| TeamSimple::new(cx.links, &org_login, parent));
        RepositoryTeam {
            team: TeamShort { team, parent },
            permissions: Permissions::of(level),
            role_name: level.map_or("none", Level::role_name),
        }
    }
}

/// List the teams with access to a repository that the caller can see, by ID. Each shows its permission on it. Teams
/// that inherit access from a parent are included.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfRepo {}

/// Lists the teams that have a repository.
pub fn list(cx: &mut Cx, repo: Granted<Repo>, _: OfRepo) -> Result<List<RepositoryTeam>> {
    let me = cx.my_id();
    let total: i64 = cx.tx.one(COUNT, &[&me, &repo.id])?;
    let (limit, offset) = cx.page.sql();
    let teams: Vec<Holder> = cx.tx.all(PAGE, &[&me, &repo.id, &limit, &offset])?;
    let above: BTreeSet<i64> = teams.iter().filter_map(|holder| holder.team.parent_id).collect();
    let above: Vec<i64> = above.into_iter().collect();
    let parents: Vec<TeamRow> = by_ids(cx.tx, &BY_IDS, &above)?;
    let parents = parents.into_iter().map(|team| (team.id, team)).collect();
    let items = teams.into_iter().map(|holder| holder.record(cx, &parents));
    List::of(items, total)
}

/// A caller who sees the child also sees its parent, because neither is secret.
macro_rules! holders {
    ($columns:expr) => {
        const_str::concat!(
            "WITH holding AS (
                 SELECT has.team_id, max(has.level) AS level FROM (
                     SELECT ab.descendant_id AS team_id, g.level FROM team_repos g CROSS JOIN team_tree ab
                     WHERE g.repo_id = $2 AND ab.ancestor_id = g.team_id
                     UNION ALL SELECT rt.team_id, 1 FROM repos ar CROSS JOIN reading_teams rt
                     WHERE ar.id = $2 AND rt.org_id = ar.org_id
                 ) has GROUP BY has.team_id)
             SELECT ",
            $columns,
            " FROM holding CROSS JOIN teams t CROSS JOIN orgs o
             WHERE t.id = holding.team_id AND o.id = t.org_id AND ",
            is_seen!()
        )
    };
}

const COUNT: &str = holders!("count(*)");

const PAGE: &str = const_str::concat!(holders!(Holder::COLUMNS), " ORDER BY t.id LIMIT $3 OFFSET $4");
