//! The stored counts of rows: `team_counts`, `orgs.public_repos`, `orgs.private_repos` and `repos.forks_count`
//! (decision 16). Code that writes a single row updates its counts itself; this file recounts many rows at once.

use crate::db::Tx;
use crate::error::Result;
use crate::members::counts;

/// Recounts a whole organization and returns how many rows had a wrong count.
pub fn recount(tx: &mut Tx, org: i64) -> Result<u64> {
    counts::settle(tx)?;
    Ok(tx.run(NEW_TEAMS, &[&org])? + tx.run(TEAMS, &[&org])? + tx.run(ORG, &[&org])?)
}

/// Recounts the forks of every repository and returns how many had a wrong count.
pub fn recount_forks(tx: &mut Tx) -> Result<u64> {
    tx.run(FORKS, &[])
}

const FORKS: &str = "
    UPDATE repos SET forks_count = (SELECT count(*) FROM repos f WHERE f.fork_of = repos.id)
    WHERE forks_count <> (SELECT count(*) FROM repos f WHERE f.fork_of = repos.id)";

const NEW_TEAMS: &str = "
    INSERT INTO team_counts (team_id)
    SELECT t.id FROM teams t LEFT JOIN team_counts c ON c.team_id = t.id WHERE t.org_id = $1 AND c.team_id IS NULL";

const TEAMS: &str = "
    UPDATE team_counts
    SET members = (SELECT count(*) FROM team_members m WHERE m.team_id = team_counts.team_id),
        repos = (SELECT count(*) FROM team_repos g WHERE g.team_id = team_counts.team_id)
    WHERE team_id IN (SELECT id FROM teams WHERE org_id = $1)
      AND (members <> (SELECT count(*) FROM team_members m WHERE m.team_id = team_counts.team_id)
           OR repos <> (SELECT count(*) FROM team_repos g WHERE g.team_id = team_counts.team_id))";

const ORG: &str = "
    UPDATE orgs
    SET public_repos = (SELECT count(*) FROM repos r WHERE r.org_id = orgs.id AND r.private = FALSE),
        private_repos = (SELECT count(*) FROM repos r WHERE r.org_id = orgs.id AND r.private = TRUE)
    WHERE id = $1
      AND (public_repos <> (SELECT count(*) FROM repos r WHERE r.org_id = orgs.id AND r.private = FALSE)
           OR private_repos <> (SELECT count(*) FROM repos r WHERE r.org_id = orgs.id AND r.private = TRUE))";
