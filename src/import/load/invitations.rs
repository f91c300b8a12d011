//! Invitations, and their pending memberships (decisions 25, 26, 29 and 50). E-mails are sent only if the operator asks
//! for that.

use super::super::desired::Role;
use super::super::fault::shown;
use super::super::report::Kind;
use super::outsiders::{Outsider, Outsiders};
use super::roles::People;
use super::{Job, account};
use crate::db::Bind;
use crate::error::Result;
use crate::journal::{Change, Event};
use crate::members::invitations;

/// Invites people and e-mail addresses.
pub(super) fn put(job: &mut Job<'_, '_>, people: &People, teams: &[i64], outsiders: Outsiders) -> Result<()> {
    let inviter = inviter(job)?;
    for outsider in outsiders.all {
        if let Some(refusal) = refusal(people, &outsider) {
            job.report.skipped.push(format!("{} {refusal}", outsider.who()));
        } else {
            invite(job, inviter, teams, &outsider)?;
        }
    }
    Ok(())
}

fn refusal(people: &People, outsider: &Outsider) -> Option<&'static str> {
    let bills = outsider.role.is_some_and(|role| invitations::membership_role(role) == "billing_manager");
    // A billing manager is invited to another role only if an invitation in the file says so.
    let unasked = outsider.role.is_none() && outsider.user().is_some_and(|user| people.is_billing(user));
    if unasked || bills && !outsider.teams.is_empty() {
        return Some("is a billing manager, and cannot be on a team unless listed as a member");
    }
    let suspended = outsider.account.as_ref().is_some_and(|account| account.suspended);
    suspended.then_some("is suspended and cannot be invited")
}

/// The role that an invitation offers if the file names no other.
const USUAL: &str = "direct_member";

/// The first owner in the file.
pub(super) fn inviter(job: &Job<'_, '_>) -> Result<Option<i64>> {
    let first = job.file.people.iter().find(|person| person.role == Role::Admin);
    first.map(|owner| Ok(account(&job.accounts, &owner.login)?.id)).transpose()
}

fn invite(job: &mut Job<'_, '_>, inviter: Option<i64>, teams: &[i64], outsider: &Outsider) -> Result<()> {
    let now = job.cx.now()?;
    let expires = now.plus_seconds(job.cx.site.invitation_seconds);
    let user = outsider.account.as_ref().map(|account| account.id);
    let (key, role) = (outsider.email_key(), outsider.role.unwrap_or(USUAL));
    let mailed_at = job.mail.then_some(now.0);
    let row: &[&dyn Bind] = &[&job.org, &user, &outsider.email, &key, &role, &inviter, &now.0, &expires.0, &mailed_at];
    let (id,): (i64,) = job.cx.tx.run_one(INVITE, row)?;
    job.report.created(Kind::Invitation, 1);
    job.report.invited.push(invited(job, outsider));
    for (index, role) in &outsider.teams {
        job.cx.tx.run(ADD_TEAM, &[&id, &teams[*index], role])?;
    }
    if !job.mail {
        return Ok(());
    }
    job.cx.record(job.org, Change::of(&Event::InvitationMailed { invitation: id, generation: 1 }))
}

const ADD_TEAM: &str = "INSERT INTO invitation_teams (invitation_id, team_id, role) VALUES ($1, $2, $3)";

/// An invitation as the report shows it: the person, the role and the teams.
fn invited(job: &Job<'_, '_>, outsider: &Outsider) -> String {
    let teams: Vec<String> = outsider.teams.iter().map(|(index, _)| shown(&job.file.teams[*index].name)).collect();
    let mut line = format!("{} as {}", outsider.who(), outsider.role.unwrap_or(USUAL));
    match teams.len() {
        0 => {}
        1 => line.push_str(", to team "),
        _ => line.push_str(", to teams "),
    }
    line.push_str(&teams.join(", "));
    line
}

const INVITE: &str = "
    INSERT INTO invitations (org_id, user_id, email, email_key, role, inviter_id, created_at, expires_at, mailed_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id";
