//! The end of requests to join teams (decision 65). `teams::join_requests` makes and decides them.

use crate::db::Tx;
use crate::error::Result;

/// Ends the open requests to join a team that became secret or follows groups of a provider now.
pub fn end_open(tx: &mut Tx, team: i64) -> Result<()> {
    tx.run("DELETE FROM join_requests WHERE team_id = $1 AND state = 'open'", &[&team]).map(drop)
}

/// Deletes the request of a person who leaves the team. While they are in it, a request that was open is not shown, so
/// that adding a member needs no statement for it.
pub(super) fn forget(tx: &mut Tx, team: i64, user: i64) -> Result<()> {
    tx.run("DELETE FROM join_requests WHERE team_id = $1 AND user_id = $2", &[&team, &user]).map(drop)
}

/// Deletes all requests of a person who leaves the organization.
pub(super) fn forget_all_of(tx: &mut Tx, org: i64, user: i64) -> Result<()> {
    tx.run(FORGET_ALL, &[&user, &org]).map(drop)
}

const FORGET_ALL: &str = "
    DELETE FROM join_requests WHERE id IN
        (SELECT j.id FROM join_requests j CROSS JOIN teams t WHERE j.user_id = $1 AND t.id = j.team_id AND t.org_id = $2)";
