//! Ends invitations: people accept, decline or withdraw them.
//!
//! Implements decisions 26 (acceptance in one transaction), 27 (which account an invitation is for), 28, 29
//! (`reinstate`) and 64 (memberships that end).

use std::collections::BTreeMap;

use serde_json::json;

use super::invitation::Invitation;
use super::{Open, all_open_of, membership_role, open_of};
use crate::clock::Time;
use crate::db::Tx;
use crate::error::Result;
use crate::journal::{self, Change, Event};
use crate::members::roles;
use crate::members::{groups, invitations, organization, seats};
use crate::operation::Cx;
use crate::people::user::User;

/// Makes an invited person a member of the organization and of every team that their open invitations still include;
/// the oldest invitation determines the role. Does nothing for a person who is not invited. A member keeps their role,
/// and their open invitations are deleted. First links an offered record of the provider to the person, who then has
/// its e-mail addresses (decision 49). Writes its audit entries.
pub fn accept(cx: &mut Cx, org: i64, person: &User) -> Result<()> {
    let member = roles::role_of(cx.tx, org, person.id)?.is_some_and(roles::is_member);
    if !member && open_of(cx, org, person.id)?.is_none() {
        return Ok(());
    }
    // The invitation may have been created after the locks were taken.
    journal::widen(cx.tx, [org])?;
    groups::tie(cx, org, person)?;
    if member {
        return invitations::close(cx, org, person.id);
    }
    let open = all_open_of(cx, org, person.id)?;
    open.first().map_or(Ok(()), |first| join_by(cx, org, person, (first, &open)))
}

fn join_by(cx: &mut Cx, org: i64, person: &User, (first, open): (&Open, &[Open])) -> Result<()> {
    let inviter = Invitation::by_id(cx.tx, first.id)?.facts().inviter.map(|inviter| inviter.id);
    let mut teams: BTreeMap<i64, (String, Option<Time>)> = BTreeMap::new();
    for invitation in open {
        let brought: Vec<(i64, String, Option<i64>)> = cx.tx.all(TEAMS, &[&invitation.id, &cx.now()?.0])?;
        for (team, role, end) in brought {
            teams.entry(team).or_insert((role, end.map(Time)));
        }
    }
    let role = match first.role.as_str() {
        "reinstate" => former_role(cx.tx, org, person.id)?,
        role => membership_role(role).to_owned(),
    };
    organization::add(cx, org, person, &role)?;
    let mut joined = Vec::new();
    if role != "billing_manager" {
        for (team, (role, end)) in teams {
            let team = seats::facts(cx.tx, team)?;
            joined.push(team.name.clone());
            seats::add(cx, org, team, person, (&role, end))?;
        }
    }
    let person = person.facts();
    let accepted = Event::InvitationAccepted { invitation: first.id, inviter, person, teams: joined };
    cx.record(org, Change::of(&accepted))
}

/// Those whose memberships have not ended before they begin.
const TEAMS: &str = "
    SELECT team_id, role, expires_at FROM invitation_teams
    WHERE invitation_id = $1 AND (expires_at IS NULL OR expires_at > $2) ORDER BY team_id";

/// The role that a person had before they left.
fn former_role(tx: &mut Tx, org: i64, user: i64) -> Result<String> {
    Ok(tx.maybe(FORMER_ROLE, &[&org, &user])?.unwrap_or_else(|| "member".to_owned()))
}

const FORMER_ROLE: &str = "SELECT role FROM former_members WHERE org_id = $1 AND user_id = $2";

/// Withdraws the open invitation of an account that is deleted. An invitation to an e-mail address stays, for the next
/// account that has the address. Writes its audit entry.
pub fn cancel_of_account(cx: &mut Cx, org: i64, user: i64) -> Result<()> {
    let to_account: Vec<Open> = all_open_of(cx, org, user)?.into_iter().filter(|open| !open.to_address).collect();
    to_account.iter().try_for_each(|open| cancel(cx, open))
}

/// Withdraws an invitation and its pending memberships. Writes its audit entry.
pub fn cancel(cx: &mut Cx, open: &Open) -> Result<()> {
    cx.tx.run("DELETE FROM invitations WHERE id = $1", &[&open.id])?;
    cx.record(open.org_id, Change::new("org.cancel_invitation", &open.facts(), &json!(null)))
}

/// Ends the invitation of a person who declines; it stays as a failed one, without its teams. Writes its audit entry,
/// which does not say who declined an invitation to an e-mail address (decision 29).
pub fn decline(cx: &mut Cx, open: &Open) -> Result<()> {
    cx.tx.run("DELETE FROM invitation_teams WHERE invitation_id = $1", &[&open.id])?;
    cx.tx.run(DECLINE, &[&open.id, &cx.now()?.0])?;
    let declined = Change::new("org.decline_invitation", &open.facts(), &json!(null));
    let author = cx.author()?;
    let author = if open.to_address { author.unnamed() } else { author };
    author.record(cx.tx, open.org_id, declined)
}

const DECLINE: &str = "
    UPDATE invitations
    SET failed_at = CASE WHEN created_at > $2 THEN created_at ELSE $2 END,
        failed_reason = 'Invitation declined. The person did not want it.'
    WHERE id = $1";
