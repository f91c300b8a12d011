//! The numbers kept beside the rows that they count: `teams.members_count`, `teams.repos_count`,
//! `orgs.public_repos`, `orgs.private_repos` and `repos.forks_count` (decision 16). Whoever writes one row keeps them itself; this is for many rows at once.

use crate::db::Tx;
use crate::error::Result;

/// Counts again for a whole organization; how many rows had a wrong number.
pub fn recount(tx: &mut Tx, org: i64) -> Result<u64> {
    Ok(tx.run(TEAMS, &[&org])? + tx.run(ORG, &[&org])?)
}

/// Counts the forks of every repository again; how many had a wrong number.
pub fn recount_forks(tx: &mut Tx) -> Result<u64> {
    tx.run(FORKS, &[])
}

const FORKS: &str = "
    UPDATE repos SET forks_count = (SELECT count(*) FROM repos f WHERE f.fork_of = repos.id)
    WHERE forks_count <> (SELECT count(*) FROM repos f WHERE f.fork_of = repos.id)";

const TEAMS: &str = "
    UPDATE teams
    SET members_count = (SELECT count(*) FROM team_members m WHERE m.team_id = teams.id),
        repos_count = (SELECT count(*) FROM team_repos g WHERE g.team_id = teams.id)
    WHERE org_id = $1
      AND (members_count <> (SELECT count(*) FROM team_members m WHERE m.team_id = teams.id)
           OR repos_count <> (SELECT count(*) FROM team_repos g WHERE g.team_id = teams.id))";

const ORG: &str = "
    UPDATE orgs
    SET public_repos = (SELECT count(*) FROM repos r WHERE r.org_id = orgs.id AND r.private = FALSE),
        private_repos = (SELECT count(*) FROM repos r WHERE r.org_id = orgs.id AND r.private = TRUE)
    WHERE id = $1
      AND (public_repos <> (SELECT count(*) FROM repos r WHERE r.org_id = orgs.id AND r.private = FALSE)
           OR private_repos <> (SELECT count(*) FROM repos r WHERE r.org_id = orgs.id AND r.private = TRUE))";
