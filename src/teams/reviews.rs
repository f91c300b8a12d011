//! The delegation of review requests from a team to its members (decision 60). Clients set it and read it back; nothing
//! here acts on it.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::record::{self, TeamWritten};
use super::team::Team;
use crate::clock::Time;
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::journal::Change;
use crate::operation::{Cx, Record};
use crate::policy::Granted;
use crate::rows::{Algorithm, ReviewDelegation};

/// The largest number of members that a request is delegated to.
pub const MOST_MEMBERS: i64 = 10;

/// Set how review requests for a team are delegated to its members, for clients that manage it. Nothing here requests
/// reviews. Omitted fields get their defaults. GraphQL shows what is set.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Update {
    /// True if requests are delegated.
    #[schemars(required)]
    pub enabled: Option<bool>,
    /// The algorithm that chooses the members.
    #[schemars(extend("default" = "round_robin"))]
    pub algorithm: Option<Algorithm>,
    /// The number of members who are chosen.
    #[schemars(range(min = 1, max = MOST_MEMBERS), extend("default" = 1))]
    pub team_member_count: Option<i64>,
    /// True if the whole team is notified too.
    #[schemars(extend("default" = true))]
    pub notify_team: Option<bool>,
}

/// Changes the delegation of a team; if it is the same, nothing happens.
pub fn update(cx: &mut Cx, team: Granted<Team>, p: Update) -> Result<Record<TeamWritten>> {
    let usual = ReviewDelegation::default();
    let member_count = p.team_member_count.unwrap_or(usual.member_count);
    if !(1..=MOST_MEMBERS).contains(&member_count) {
        return Err(Error::data("Team", format!("team_member_count must be from 1 to {MOST_MEMBERS}.")));
    }
    let wanted = ReviewDelegation {
        enabled: p.enabled.unwrap_or(usual.enabled),
        algorithm: p.algorithm.unwrap_or_default().word(),
        member_count,
        notify_team: p.notify_team.unwrap_or(usual.notify_team),
    };
    if wanted != team.reviews {
        let now = cx.now()?;
        put(cx.tx, team.id, &wanted, now)?;
        let facts = |delegation: &ReviewDelegation| json!({ "team": team.id, "review_request_delegation": delegation });
        let change = Change::new("team.update_review_assignment", &facts(&team.reviews), &facts(&wanted));
        cx.record(team.org_id, change.folded(&team.change()))?;
    }
    Ok(record::written(cx, team.id)?.into())
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
