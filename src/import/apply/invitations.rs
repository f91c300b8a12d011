//! Invitations, and their pending memberships (decisions 25, 26, 29 and 50). E-mails are sent only if the operator asks
//! for that.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::super::desired::Role;
use super::super::fault::shown;
use super::super::logins::Account;
use super::super::report::Kind;
use super::outsiders::{Outsider, Outsiders};
use super::roles::People;
use super::{Job, account};
use crate::db::{Bind, row, select};
use crate::error::Result;
use crate::journal::{Change, Event, PersonFacts};
use crate::members::invitations::invitation::Invitation;
use crate::members::invitations::{self, close, fail_expired, invited_address};
use crate::members::seats;

row! {
    struct Open from "i" {
        id: i64,
        user: Option<i64> = const_str::concat!("coalesce(i.user_id, ", invited_address::account!("i.org_id", "i.email_key"), ")"),
        expires_at: i64,
        role: String,
        who: String = "coalesce(u.login, i.email, '')",
        email_key: Option<String>,
    }
}

fn open(job: &mut Job<'_, '_>) -> Result<Vec<Open>> {
    job.cx.tx.all(OPEN, &[&job.org])
}

const OPEN: &str = select!(Open from
    "invitations i
     LEFT JOIN users u ON u.id = i.user_id
     WHERE i.org_id = $1 AND i.failed_at IS NULL ORDER BY i.id");

/// Ends the invitations of people who are members now; they join the teams of those that are still valid.
pub(super) fn settle(job: &mut Job<'_, '_>, joined: &[i64]) -> Result<()> {
    if joined.is_empty() {
        return Ok(());
    }
    let joined: HashSet<i64> = joined.iter().copied().collect();
    for invitation in open(job)? {
        let Some(user) = invitation.user.filter(|user| joined.contains(user)) else { continue };
        let now = job.cx.now()?;
        if invitation.expires_at > now.0 {
            seats::import_invited(job.cx.tx, invitation.id, user, now)?;
        }
        close(&mut job.cx, job.org, user)?;
        job.report.changed.push(format!("the invitation of {} became a membership", invitation.who));
    }
    Ok(())
}

/// Invites people and e-mail addresses, or adds teams to their existing invitations.
pub(super) fn put(job: &mut Job<'_, '_>, people: &People, teams: &[i64], outsiders: Outsiders) -> Result<()> {
    let mut open: BTreeMap<i64, Open> = open(job)?.into_iter().map(|open| (open.id, open)).collect();
    let (mut by_user, mut by_key) = (HashMap::new(), HashMap::new());
    for known in open.values().rev() {
        by_user.insert(known.user, known.id);
        by_key.insert(known.email_key.clone(), known.id);
    }
    let inviter = inviter(job, people)?;
    for outsider in outsiders.all {
        let by_key = outsider.email_key().and_then(|key| by_key.get(&Some(key)));
        let id = by_key.or_else(|| outsider.user().and_then(|user| by_user.get(&Some(user))));
        let known = id.and_then(|id| open.remove(id));
        let known = still_open(job, known)?;
        if let Some(refusal) = refusal(people, &outsider, known.as_ref()) {
            job.report.skipped.push(format!("{} {refusal}", outsider.who()));
            continue;
        }
        match known {
            Some(known) => add(job, teams, &outsider, &known)?,
            None => invite(job, inviter, teams, &outsider)?,
        }
    }
    let mut beyond: Vec<String> =
        open.into_values().map(|open| format!("invitation of {}", shown(&open.who))).collect();
    beyond.sort_unstable();
    job.report.beyond.extend(beyond);
    Ok(())
}

/// Adds to an open invitation what else the file says.
fn add(job: &mut Job<'_, '_>, teams: &[i64], outsider: &Outsider, known: &Open) -> Result<()> {
    let who = outsider.who();
    if let Some(role) = outsider.role.filter(|role| *role != known.role) {
        job.cx.tx.run("UPDATE invitations SET role = $2 WHERE id = $1", &[&known.id, &role])?;
        job.report.changed.push(format!("the invitation of {who} is now for {role}"));
    }
    for (index, role) in &outsider.teams {
        if job.cx.tx.run(ADD_TEAM, &[&known.id, &teams[*index], role])? > 0 {
            let team = shown(&job.file.teams[*index].name);
            job.report.changed.push(format!("the invitation of {who} now includes team {team} as {role}"));
        }
    }
    Ok(())
}

const ADD_TEAM: &str = "
    INSERT INTO invitation_teams (invitation_id, team_id, role) VALUES ($1, $2, $3)
    ON CONFLICT (invitation_id, team_id) DO UPDATE SET role = excluded.role
    WHERE invitation_teams.role <> excluded.role";

/// An expired invitation is not open: it is marked as failed (decision 26).
fn still_open(job: &mut Job<'_, '_>, known: Option<Open>) -> Result<Option<Open>> {
    let Some(known) = known else { return Ok(None) };
    if known.expires_at > job.cx.now()?.0 {
        return Ok(Some(known));
    }
    fail_expired(&mut job.cx, job.org)?;
    job.report.changed.push(format!("the invitation of {} has expired", known.who));
    Ok(None)
}

fn refusal(people: &People, outsider: &Outsider, known: Option<&Open>) -> Option<&'static str> {
    let role = outsider.role.or(known.map(|known| known.role.as_str()));
    let bills = role.is_some_and(|role| invitations::membership_role(role) == "billing_manager");
    // A billing manager is invited to another role only if an invitation in the file says so.
    let unasked = role.is_none() && outsider.user().is_some_and(|user| people.is_billing(user));
    if unasked || bills && !outsider.teams.is_empty() {
        return Some("is a billing manager, and cannot be on a team unless listed as a member");
    }
    let suspended = outsider.account.as_ref().is_some_and(|account| account.suspended);
    suspended.then_some("is suspended and cannot be invited")
}

/// The role that an invitation offers if the file names no other.
const USUAL: &str = "direct_member";

/// The first owner in the file, or else the first owner of the organization.
pub(super) fn inviter(job: &Job<'_, '_>, people: &People) -> Result<Option<i64>> {
    let first = job.file.people.iter().find(|person| person.role == Role::Admin);
    match first {
        Some(owner) => Ok(Some(account(&job.accounts, &owner.login)?.id)),
        None => Ok(people.first_owner()),
    }
}

fn invite(job: &mut Job<'_, '_>, inviter: Option<i64>, teams: &[i64], outsider: &Outsider) -> Result<()> {
    let now = job.cx.now()?;
    let expires = now.plus_seconds(job.cx.site.invitation_seconds);
    let account = outsider.account.as_ref();
    let (user, key, role) = (account.map(|account| account.id), outsider.email_key(), outsider.role.unwrap_or(USUAL));
    let mailed_at = job.mail.then_some(now.0);
    let row: &[&dyn Bind] = &[&job.org, &user, &outsider.email, &key, &role, &inviter, &now.0, &expires.0, &mailed_at];
    let (id,): (i64,) = job.cx.tx.run_one(INVITE, row)?;
    job.report.created(Kind::Invitation, 1);
    job.report.invited.push(invited(job, outsider));
    for (index, role) in &outsider.teams {
        job.cx.tx.run(ADD_TEAM, &[&id, &teams[*index], role])?;
    }
    announce(job, id, account)
}

/// The first load of an organization announces none (decision 50).
fn announce(job: &mut Job<'_, '_>, id: i64, account: Option<&Account>) -> Result<()> {
    let (mail, generation) = (job.mail, 1);
    let event = if job.is_new && mail {
        Event::InvitationMailed { invitation: id, generation }
    } else if job.is_new {
        return Ok(());
    } else {
        let person = account.map(|a| PersonFacts { id: a.id, login: a.login.clone(), site_admin: a.site_admin });
        Event::PersonInvited { invitation: Invitation::by_id(job.cx.tx, id)?.facts(), person, mail, generation }
    };
    job.cx.record(job.org, Change::of(&event))
}

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
