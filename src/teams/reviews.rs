//! How a request for a review to a team is delegated to its members (decision 60). Clients set it and read it back;
//! nothing here acts on it.

use serde_json::json;

use super::team::Team;
use crate::clock::Time;
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::journal::Change;
use crate::operation::Cx;
use crate::policy::Granted;
use crate::rows::ReviewDelegation;

/// The most members that a request is delegated to.
pub const MOST_MEMBERS: i64 = 10;

/// Changes the delegation of a team; if it is the same, nothing happens.
pub fn update(cx: &mut Cx, team: &Granted<Team>, wanted: ReviewDelegation) -> Result<()> {
    if !(1..=MOST_MEMBERS).contains(&wanted.member_count) {
        let text = format!("The number of team members to assign must be from 1 to {MOST_MEMBERS}.");
        return Err(Error::data("Team", text));
    }
    if wanted == team.reviews {
        return Ok(());
    }
    put(cx.tx, team.id, &wanted, cx.now()?)?;
    let facts = |delegation: &ReviewDelegation| json!({ "team": team.id, "review_request_delegation": delegation });
    let change = Change::new("team.update_review_assignment", &facts(&team.reviews), &facts(&wanted));
    cx.record(team.org_id, change.folded(&team.change()))
}

/// Stores the delegation of a team.
pub fn put(tx: &mut Tx, team: i64, wanted: &ReviewDelegation, now: Time) -> Result<()> {
    let ReviewDelegation { enabled, algorithm, member_count, notify_team } = wanted;
    tx.run(PUT, &[&team, enabled, algorithm, member_count, notify_team, &now.0]).map(drop)
}

const PUT: &str = "
    UPDATE teams
    SET review_enabled = $2, review_algorithm = $3, review_members = $4, review_notify = $5,
        updated_at = CASE WHEN updated_at > $6 THEN updated_at ELSE $6 END
    WHERE id = $1";
