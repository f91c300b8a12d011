//! What it takes that somebody is a direct member of a team, has another role there, or is one no longer.
//!
//! The only place that writes single memberships: row, count, derived state, event and audit go together (decisions
//! 16, 24, 26, 28, 45 and 47). Who may, and whether it is so already, is the callers' question.

use serde_json::json;

use super::changes;
use crate::derived::Change;
use crate::error::Result;
use crate::events::{self, Event, TeamFacts};
use crate::operation::Cx;
use crate::people::user::User;

/// Makes an active member of the organization, who is not in the team yet, a direct member of the team.
pub fn activate(cx: &mut Cx, org: i64, team: i64, person: &User, role: &str) -> Result<()> {
    cx.tx.run(INSERT, &[&team, &person.id, &role])?;
    cx.tx.run(COUNT, &[&team, &1_i64])?;
    let change = Change::Member { team, user: person.id, maintainer: role == "maintainer" };
    changes::log(cx.tx, org, &[change])?;
    events::emit(cx, org, &Event::MemberAdded { team, member: person.facts() })?;
    let after = json!({ "team": team, "user": person.login, "role": role });
    events::record(cx, org, "team.add_member", &json!(null), &after)
}

const INSERT: &str = "INSERT INTO team_members (team_id, user_id, role) VALUES ($1, $2, $3)";

const COUNT: &str = "UPDATE teams SET members_count = members_count + $2 WHERE id = $1";

/// Gives a direct member of the team another stored role, of which nobody but the audit hears.
pub fn set_role(cx: &mut Cx, org: i64, team: i64, person: &User, (from, to): (&str, &str)) -> Result<()> {
    cx.tx.run(SET_ROLE, &[&team, &person.id, &to])?;
    let change = Change::Member { team, user: person.id, maintainer: to == "maintainer" };
    changes::log(cx.tx, org, &[change])?;
    let facts = |role: &str| json!({ "team": team, "user": person.login, "role": role });
    events::record(cx, org, "team.update_member", &facts(from), &facts(to))
}

const SET_ROLE: &str = "UPDATE team_members SET role = $3 WHERE team_id = $1 AND user_id = $2";

/// Ends the direct membership of somebody who is in the team.
pub fn end(cx: &mut Cx, org: i64, team: &TeamFacts, person: &User) -> Result<()> {
    let (role,): (String,) = cx.tx.one(DELETE, &[&team.id, &person.id])?;
    cx.tx.run(COUNT, &[&team.id, &-1_i64])?;
    changes::log(cx.tx, org, &[Change::MemberGone { team: team.id, user: person.id }])?;
    events::emit(cx, org, &Event::MemberRemoved { team: team.clone(), member: person.facts() })?;
    let before = json!({ "team": team.id, "user": person.login, "role": role });
    events::record(cx, org, "team.remove_member", &before, &json!(null))
}

const DELETE: &str = "DELETE FROM team_members WHERE team_id = $1 AND user_id = $2 RETURNING role";
