//! How invitations end: accepted, declined, withdrawn, or too late.
//!
//! Keeps decisions 26 (acceptance in one transaction; expiry), 27 (whose an invitation is), 28 and 29 (`reinstate`).

use std::collections::BTreeMap;

use serde_json::json;

use super::invitation::EXPIRED;
use super::invitations::{Open, all_open_of, membership_role, open_of};
use super::invited_address::invitations_to;
use super::{join, org as orgs, synced, team_membership};
use crate::db::Tx;
use crate::error::Result;
use crate::events;
use crate::operation::Cx;
use crate::people::user::User;

/// Makes an invited person a member of the organization and of every team that their open invitations still bring, the
/// oldest of which says the role; nothing for somebody who is not invited, and a member needs none any more. Ties them to
/// what a provider says of them first, if it was offered: its addresses are theirs then (decision 49). Writes its audit
/// entries.
pub fn accept(cx: &mut Cx, org: i64, person: &User) -> Result<()> {
    let member = orgs::role_of(cx.tx, org, person.id)?.is_some_and(orgs::is_member);
    if !member && open_of(cx, org, person.id)?.is_none() {
        return Ok(());
    }
    synced::tie(cx, org, person)?;
    if member {
        return close(cx, org, person.id);
    }
    let open = all_open_of(cx, org, person.id)?;
    open.first().map_or(Ok(()), |first| join_by(cx, org, person, (first, &open)))
}

fn join_by(cx: &mut Cx, org: i64, person: &User, (first, open): (&Open, &[Open])) -> Result<()> {
    let mut teams: BTreeMap<i64, String> = BTreeMap::new();
    for invitation in open {
        let brought: Vec<(i64, String)> = cx.tx.all(TEAMS, &[&invitation.id])?;
        for (team, role) in brought {
            teams.entry(team).or_insert(role);
        }
    }
    let role = match first.role.as_str() {
        "reinstate" => former_role(cx.tx, org, person.id)?,
        role => membership_role(role).to_owned(),
    };
    join::join(cx, org, person, &role)?;
    if role != "billing_manager" {
        for (team, role) in teams {
            let team = team_membership::facts(cx.tx, team)?;
            team_membership::activate(cx, org, team, person, &role)?;
        }
    }
    Ok(())
}

const TEAMS: &str = "SELECT team_id, role FROM invitation_teams WHERE invitation_id = $1 ORDER BY team_id";

/// The role that somebody had before they left.
fn former_role(tx: &mut Tx, org: i64, user: i64) -> Result<String> {
    let role: Option<(String,)> = tx.maybe(FORMER_ROLE, &[&org, &user])?;
    Ok(role.map_or_else(|| "member".to_owned(), |(role,)| role))
}

const FORMER_ROLE: &str = "SELECT role FROM former_members WHERE org_id = $1 AND user_id = $2";

/// Withdraws every open invitation of a person, and with it the pending memberships. Writes its audit entries.
pub fn cancel_all_of(cx: &mut Cx, org: i64, user: i64) -> Result<()> {
    all_open_of(cx, org, user)?.iter().try_for_each(|open| cancel(cx, open))
}

/// Withdraws the open invitation of an account that is deleted; one to an address stays for who has it next. Writes its
/// audit entry.
pub fn cancel_of_account(cx: &mut Cx, org: i64, user: i64) -> Result<()> {
    let to_account: Vec<Open> = all_open_of(cx, org, user)?.into_iter().filter(|open| !open.to_address).collect();
    to_account.iter().try_for_each(|open| cancel(cx, open))
}

/// Withdraws an invitation, and with it the pending memberships. Writes its audit entry.
pub fn cancel(cx: &mut Cx, open: &Open) -> Result<()> {
    cx.tx.run("DELETE FROM invitations WHERE id = $1", &[&open.id])?;
    let before = json!({ "user": open.invitee, "role": open.role });
    events::record(cx, open.org_id, "org.cancel_invitation", &before, &json!(null))
}

/// Ends every open invitation of a person who does not want it; it stays as a failed one, without its teams. Writes
/// its audit entries.
pub fn decline(cx: &mut Cx, org: i64, user: i64) -> Result<()> {
    for open in all_open_of(cx, org, user)? {
        cx.tx.run("DELETE FROM invitation_teams WHERE invitation_id = $1", &[&open.id])?;
        cx.tx.run(DECLINE, &[&open.id, &cx.now.0])?;
        let before = json!({ "user": open.invitee, "role": open.role });
        events::record(cx, org, "org.decline_invitation", &before, &json!(null))?;
    }
    Ok(())
}

const DECLINE: &str = "
    UPDATE invitations SET failed_at = $2, failed_reason = 'Invitation declined. The person did not want it.'
    WHERE id = $1";

/// Ends the open invitations of somebody who joins or leaves; they have done their work and leave no trace.
pub fn close(cx: &mut Cx, org: i64, user: i64) -> Result<()> {
    fail_expired(cx, org)?;
    cx.tx.run(CLOSE, &[&org, &user])?;
    Ok(())
}

const CLOSE: &str = concat!(
    "DELETE FROM invitations WHERE id IN (
        SELECT x.id FROM invitations x WHERE x.org_id = $1 AND x.user_id = $2 AND x.failed_at IS NULL
        UNION ALL SELECT addressed.id FROM (",
    invitations_to!("$2", " AND x.org_id = $1"),
    ") addressed)"
);

/// Moves invitations that have expired to the failed ones, where they stay as records without their teams. Nobody waits
/// for it: readers judge by the clock.
pub fn fail_expired(cx: &mut Cx, org: i64) -> Result<()> {
    let overdue: Vec<(i64,)> = cx.tx.all(OVERDUE, &[&org, &cx.now.0])?;
    for (id,) in overdue {
        cx.tx.run("DELETE FROM invitation_teams WHERE invitation_id = $1", &[&id])?;
        cx.tx.run(FAIL, &[&id, &EXPIRED])?;
    }
    Ok(())
}

const OVERDUE: &str = "SELECT id FROM invitations WHERE org_id = $1 AND failed_at IS NULL AND expires_at <= $2";

const FAIL: &str = "UPDATE invitations SET failed_at = expires_at, failed_reason = $2 WHERE id = $1";
