//! The teams to which a repository or a project was given, for its page. Teams that inherit it from them are not among
//! them, and neither are those that the caller does not see (decision 17).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::clock::Time;
use crate::db::row;
use crate::error::Result;
use crate::operation::{Cx, List};
use crate::policy::Granted;
use crate::projects::level::word;
use crate::projects::project::Project;
use crate::repos::level::Level;
use crate::repos::repo::Repo;
use crate::teams::visible::is_seen;

/// A grant to a team.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Grant {
    /// Login of the team's organization.
    pub org: String,
    /// Slug of the team.
    pub slug: String,
    /// Name of the team.
    pub name: String,
    /// True if only its people and owners see the team.
    pub secret: bool,
    /// The level.
    pub level: &'static str,
    /// Login of the person who gave it, if that is known and they have an account.
    pub granted_by: Option<String>,
    /// The time at which it was given, if that is known.
    pub granted_at: Option<Time>,
}

row! {
    /// The same as it is found.
    struct Found from "g" {
        level: i64,
        granted_at: Option<Time>,
        granted_by: Option<String> = "gu.login",
        org: String = "o.login",
        slug: String = "t.slug",
        name: String = "t.name",
        privacy: String = "t.privacy",
    }
}

/// The grants `g` of the subject `$2` to teams that the caller `$1` sees.
macro_rules! given {
    ($columns:expr, $grants:literal, $of:literal, $end:expr) => {
        const_str::concat!(
            "SELECT ",
            $columns,
            " FROM ",
            $grants,
            " g CROSS JOIN teams t CROSS JOIN orgs o LEFT JOIN users gu ON gu.id = g.granted_by
             WHERE g.",
            $of,
            " = $2 AND t.id = g.team_id AND o.id = t.org_id AND ",
            is_seen!(),
            $end
        )
    };
}

/// Sorts and cuts a page.
macro_rules! page {
    () => {
        " ORDER BY g.level DESC, t.name_key, t.id LIMIT $3 OFFSET $4"
    };
}

/// List the teams to which a repository or a project was given, the strongest first.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Given {}

/// Lists the teams to which a repository was given.
pub fn of_repo(cx: &mut Cx, repo: Granted<Repo>, _: Given) -> Result<List<Grant>> {
    let statements =
        [given!("count(*)", "team_repos", "repo_id", ""), given!(Found::COLUMNS, "team_repos", "repo_id", page!())];
    list(cx, statements, repo.id, |rank| Level::of_rank(rank).map_or("none", Level::word))
}

/// Lists the teams to which a project was given.
pub fn of_project(cx: &mut Cx, project: Granted<Project>, _: Given) -> Result<List<Grant>> {
    let statements = [
        given!("count(*)", "team_projects", "project_id", ""),
        given!(Found::COLUMNS, "team_projects", "project_id", page!()),
    ];
    list(cx, statements, project.id, word)
}

fn list(
    cx: &mut Cx,
    [count, page]: [&'static str; 2],
    subject: i64,
    word: fn(i64) -> &'static str,
) -> Result<List<Grant>> {
    let me = cx.my_id();
    let total: i64 = cx.tx.one(count, &[&me, &subject])?;
    let (limit, offset) = cx.page.sql();
    let found: Vec<Found> = cx.tx.all(page, &[&me, &subject, &limit, &offset])?;
    let grant = |of: Found| {
        let Found { level, granted_at, granted_by, org, slug, name, privacy } = of;
        Grant { org, slug, name, secret: privacy == "secret", level: word(level), granted_by, granted_at }
    };
    List::of(found.into_iter().map(grant), total)
}
