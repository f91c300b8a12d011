//! The consequences of deleting a team.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{TeamLink, sizes};
use crate::db::{row, select};
use crate::error::Result;
use crate::operation::{Cx, Record};
use crate::policy::Granted;
use crate::teams::team::Team;

/// The most child teams that are named.
const NAMED: i64 = 10;

/// The things that go with a team.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct TeamDeletion {
    /// Some of the teams below it, by name.
    pub teams: Vec<TeamLink>,
    /// Number of all teams below it.
    pub below: i64,
    /// Number of posts on its board.
    pub posts: i64,
    /// Number of posts on the boards of the teams below it.
    pub posts_below: i64,
    /// Number of levels on repositories that the teams were given.
    pub repos: i64,
    /// Number of levels on projects that the teams were given.
    pub projects: i64,
    /// Number of open invitations that lead to the teams.
    pub invitations: i64,
    /// Number of people, direct and through child teams.
    pub people: u64,
}

row! {
    struct Counts {
        below: i64,
        posts: i64,
        posts_below: i64,
        repos: i64,
        projects: i64,
        invitations: i64,
    }
}

/// Show what goes with a team.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Look {}

/// Counts what the deletion of a team deletes.
pub fn look(cx: &mut Cx, team: Granted<Team>, _: Look) -> Result<Record<TeamDeletion>> {
    let teams = cx.tx.all(BELOW, &[&team.id, &NAMED])?;
    let counts: Counts = cx.tx.one(COUNTS, &[&team.id, &cx.now()?.0])?;
    let (people, _) = sizes(cx, team.org_id, &[team.id])?.remove(0);
    let Counts { below, posts, posts_below, repos, projects, invitations } = counts;
    Ok(TeamDeletion { teams, below, posts, posts_below, repos, projects, invitations, people }.into())
}

const BELOW: &str = select!(TeamLink from
    "team_tree x CROSS JOIN teams t WHERE x.ancestor_id = $1 AND x.depth > 0 AND t.id = x.descendant_id
     ORDER BY t.name_key, t.id LIMIT $2");

const COUNTS: &str = "
    SELECT count(*) - 1,
           CAST(coalesce(sum(CASE WHEN x.depth = 0 THEN b.public_posts + b.private_posts ELSE 0 END), 0) AS BIGINT),
           CAST(coalesce(sum(CASE WHEN x.depth > 0 THEN b.public_posts + b.private_posts ELSE 0 END), 0) AS BIGINT),
           (SELECT count(DISTINCT g.repo_id) FROM team_tree r CROSS JOIN team_repos g
            WHERE r.ancestor_id = $1 AND g.team_id = r.descendant_id),
           (SELECT count(DISTINCT g.project_id) FROM team_tree r CROSS JOIN team_projects g
            WHERE r.ancestor_id = $1 AND g.team_id = r.descendant_id),
           (SELECT count(DISTINCT b.invitation_id)
            FROM team_tree r CROSS JOIN invitation_teams b CROSS JOIN invitations i
            WHERE r.ancestor_id = $1 AND b.team_id = r.descendant_id AND i.id = b.invitation_id
              AND i.failed_at IS NULL AND i.expires_at > $2)
    FROM team_tree x LEFT JOIN boards b ON b.team_id = x.descendant_id
    WHERE x.ancestor_id = $1";
