//! People who are in a team of the file but not in the organization: they are invited, and their memberships are
//! pending (decisions 25, 26 and 50). No mail is sent.

use std::collections::{HashMap, HashSet};

use super::super::desired::Role;
use super::super::fault::shown;
use super::super::logins::Account;
use super::super::report::Kind;
use super::people::People;
use super::{Job, account};
use crate::db::{FromRow, Row};
use crate::error::Result;
use crate::events::{self, Event, PersonFacts};
use crate::orgs::invitation::Invitation;
use crate::orgs::{invitation_end, invitations};

/// Somebody to invite, with the index of each team in the file and the role there.
pub(super) struct Outsider {
    pub(super) account: Account,
    pub(super) teams: Vec<(usize, &'static str)>,
}

struct Open {
    id: i64,
    user: Option<i64>,
    expires_at: i64,
    role: String,
    who: String,
}

impl FromRow for Open {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        let who = row.get::<Option<String>>(4)?.unwrap_or_default();
        Ok(Self { id: row.get(0)?, user: row.get(1)?, expires_at: row.get(2)?, role: row.get(3)?, who })
    }
}

fn open(job: &mut Job<'_, '_>) -> Result<Vec<Open>> {
    job.cx.tx.all(OPEN, &[&job.org])
}

const OPEN: &str = "
    SELECT i.id, coalesce(i.user_id, e.user_id), i.expires_at, i.role, coalesce(u.login, i.email)
    FROM invitations i
    LEFT JOIN emails e ON e.email_key = i.email_key AND e.verified = TRUE
    LEFT JOIN users u ON u.id = i.user_id
    WHERE i.org_id = $1 AND i.failed_at IS NULL ORDER BY i.id";

/// Ends the invitations of people who are members now; the teams of those still valid become theirs.
pub(super) fn settle(job: &mut Job<'_, '_>, joined: &[i64]) -> Result<()> {
    if joined.is_empty() {
        return Ok(());
    }
    let joined: HashSet<i64> = joined.iter().copied().collect();
    for invitation in open(job)? {
        let Some(user) = invitation.user.filter(|user| joined.contains(user)) else { continue };
        if invitation.expires_at > job.cx.now.0 {
            job.cx.tx.run(ACTIVATE, &[&invitation.id, &user])?;
        }
        invitation_end::close(&mut job.cx, job.org, user)?;
        job.report.changed.push(format!("the invitation of {} became a membership", invitation.who));
    }
    Ok(())
}

const ACTIVATE: &str = "
    INSERT INTO team_members (team_id, user_id, role)
    SELECT team_id, CAST($2 AS BIGINT), role FROM invitation_teams WHERE invitation_id = $1
    ON CONFLICT (team_id, user_id) DO NOTHING";

/// Invites people, or adds teams to the invitations that they have.
pub(super) fn put(job: &mut Job<'_, '_>, people: &People, teams: &[i64], outsiders: Vec<Outsider>) -> Result<()> {
    let (known, to_nobody): (Vec<Open>, Vec<Open>) = open(job)?.into_iter().partition(|open| open.user.is_some());
    let mut open: HashMap<Option<i64>, Open> = known.into_iter().rev().map(|i| (i.user, i)).collect();
    let inviter = inviter(job, people)?;
    for outsider in outsiders {
        let account = &outsider.account;
        let known = still_open(job, open.remove(&Some(account.id)))?;
        if let Some(refusal) = refusal(people, account, known.as_ref()) {
            job.report.skipped.push(format!("{} {refusal}", account.login));
            continue;
        }
        let invitation = match &known {
            Some(known) => known.id,
            None => invite(job, inviter, account)?,
        };
        for (index, role) in &outsider.teams {
            let added = job.cx.tx.run(ADD_TEAM, &[&invitation, &teams[*index], role])? > 0;
            if added && known.is_some() {
                let team = shown(&job.file.teams[*index].name);
                job.report.changed.push(format!("the invitation of {} brings team {team} as {role}", account.login));
            }
        }
        if known.is_none() {
            tell(job, invitation, account)?;
        }
    }
    let mut beyond: Vec<String> =
        open.into_values().chain(to_nobody).map(|open| format!("invitation of {}", shown(&open.who))).collect();
    beyond.sort_unstable();
    job.report.beyond.extend(beyond);
    Ok(())
}

const ADD_TEAM: &str = "
    INSERT INTO invitation_teams (invitation_id, team_id, role) VALUES ($1, $2, $3)
    ON CONFLICT (invitation_id, team_id) DO UPDATE SET role = excluded.role
    WHERE invitation_teams.role <> excluded.role";

/// One that has expired is none: it is moved to the failed ones (decision 26).
fn still_open(job: &mut Job<'_, '_>, known: Option<Open>) -> Result<Option<Open>> {
    let Some(known) = known else { return Ok(None) };
    if known.expires_at > job.cx.now.0 {
        return Ok(Some(known));
    }
    invitation_end::fail_expired(&mut job.cx, job.org)?;
    job.report.changed.push(format!("the invitation of {} has expired", known.who));
    Ok(None)
}

fn refusal(people: &People, account: &Account, known: Option<&Open>) -> Option<&'static str> {
    let bills = known.is_some_and(|known| invitations::membership_role(&known.role) == "billing_manager");
    if people.is_billing(account.id) || bills {
        return Some("has only to do with bills; name them among the members to put them into teams");
    }
    account.suspended.then_some("is suspended and cannot be invited")
}

/// The first owner in the file, else the first of the organization.
fn inviter(job: &Job<'_, '_>, people: &People) -> Result<Option<i64>> {
    let first = job.file.people.iter().find(|person| person.role == Role::Admin);
    match first {
        Some(owner) => Ok(Some(account(&job.accounts, &owner.login)?.id)),
        None => Ok(people.first_owner()),
    }
}

fn invite(job: &mut Job<'_, '_>, inviter: Option<i64>, account: &Account) -> Result<i64> {
    let now = job.cx.now;
    let expires = now.plus_seconds(job.cx.site.invitation_seconds);
    let (id,): (i64,) = job.cx.tx.one(INVITE, &[&job.org, &account.id, &inviter, &now.0, &expires.0])?;
    job.report.created(Kind::Invitation, 1);
    let why = "is in a team of the file but not in the organization, and is invited; no mail is sent";
    job.report.skipped.push(format!("{} {why}", account.login));
    Ok(id)
}

const INVITE: &str = "
    INSERT INTO invitations (org_id, user_id, role, inviter_id, created_at, expires_at)
    VALUES ($1, $2, 'direct_member', $3, $4, $5) RETURNING id";

fn tell(job: &mut Job<'_, '_>, invitation: i64, account: &Account) -> Result<()> {
    let person = PersonFacts { id: account.id, login: account.login.clone(), site_admin: account.site_admin };
    let invitation = Invitation::by_id(job.cx.tx, invitation)?.facts();
    events::emit(&mut job.cx, job.org, &Event::PersonInvited { invitation, person: Some(person), mail: false })
}
