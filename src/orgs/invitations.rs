//! Invitations to an organization, with the teams that they bring: a pending membership of each.
//!
//! Keeps decisions 21 (nobody who is suspended), 25 (one open invitation, mail once a day), 26 (acceptance in one
//! transaction, expiry judged when read), 28 (a team is taken off) and 29 (roles). Teams build on this; where no
//! audit entry is mentioned, the function that calls writes it.

use serde_json::json;

use super::{join, team_membership};
use crate::access::abuse;
use crate::clock::Time;
use crate::db::{FromRow, Row, Tx};
use crate::error::{Error, FieldError, Result};
use crate::events::{self, Event};
use crate::operation::Cx;
use crate::people::login;
use crate::people::user::{self, User};

/// How long after a mail no other one is sent.
const MAIL_SECONDS: i64 = 24 * 3_600;

/// An invitation that can be accepted.
#[derive(Debug, Clone)]
pub struct Open {
    /// Identifier.
    pub id: i64,
    /// Organization.
    pub org_id: i64,
    /// The person, if they have an account.
    pub user_id: Option<i64>,
    /// `direct_member`, `admin`, `billing_manager`, `hiring_manager` or `reinstate`.
    pub role: String,
    /// When it was made.
    pub created_at: Time,
    /// When it ends.
    pub expires_at: Time,
    /// When the last mail was asked for.
    pub mailed_at: Option<Time>,
}

impl FromRow for Open {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            org_id: row.get(1)?,
            user_id: row.get(2)?,
            role: row.get(3)?,
            created_at: Time(row.get(4)?),
            expires_at: Time(row.get(5)?),
            mailed_at: row.get::<Option<i64>>(6)?.map(Time),
        })
    }
}

/// The role that an invitation of this role gives, as the record of a membership shows it; what `reinstate` gives
/// is known when it is accepted.
#[must_use]
pub fn membership_role(role: &str) -> &'static str {
    match role {
        "admin" => "admin",
        // Neither has any standing in teams.
        "billing_manager" | "hiring_manager" => "billing_manager",
        _ => "member",
    }
}

/// The open invitation of a person; one that has expired is none.
pub fn open_of(cx: &mut Cx, org: i64, user: i64) -> Result<Option<Open>> {
    cx.tx.maybe(OPEN_OF, &[&org, &user, &cx.now.0])
}

const OPEN_OF: &str = "
    SELECT id, org_id, user_id, role, created_at, expires_at, mailed_at
    FROM invitations
    WHERE org_id = $1 AND user_id = $2 AND failed_at IS NULL AND expires_at > $3";

/// The role that an invitation brings in a team, if it brings the team.
pub fn team_role(cx: &mut Cx, invitation: i64, team: i64) -> Result<Option<String>> {
    Ok(cx.tx.maybe::<(String,)>(TEAM_ROLE, &[&invitation, &team])?.map(|(role,)| role))
}

const TEAM_ROLE: &str = "SELECT role FROM invitation_teams WHERE invitation_id = $1 AND team_id = $2";

/// The person with this login who is to be added: 404 for nobody, 422 for an organization.
pub fn addressee(tx: &mut Tx, login: &str, resource: &'static str) -> Result<User> {
    let person = user::by_login(tx, login);
    if matches!(person, Err(Error::NotFound))
        && let Some(login::Owner::Org(_)) = login::find(tx, login)?
    {
        let error = FieldError { resource, code: "org", field: "user", message: None };
        let message = "Cannot add an organization as a member.".into();
        return Err(Error::Unprocessable { message, errors: vec![error] });
    }
    person
}

/// Refuses to add somebody whose account is suspended.
pub fn refuse_suspended(person: &User, resource: &'static str) -> Result<()> {
    if !person.suspended {
        return Ok(());
    }
    Err(Error::data(resource, "This account is suspended. A site administrator must unsuspend it first."))
}

/// Invites a person who is no member of the organization, or adds to their open invitation, which keeps its own
/// role there; teams that it brings already get the role given here. Writes its audit entry; mail and event only
/// for a new invitation, and when the last mail is a day old.
pub fn invite(cx: &mut Cx, org: i64, person: &User, role: &str, teams: &[(i64, &'static str)]) -> Result<Open> {
    refuse_suspended(person, "OrganizationInvitation")?;
    fail_expired(cx, org, person.id)?;
    match open_of(cx, org, person.id)? {
        Some(open) => add_to(cx, open, person, teams),
        None => create(cx, org, person, role, teams),
    }
}

fn create(cx: &mut Cx, org: i64, person: &User, role: &str, teams: &[(i64, &'static str)]) -> Result<Open> {
    abuse::count(cx)?;
    let expires_at = cx.now.plus_seconds(cx.site.invitation_seconds);
    let me = cx.caller.person.as_ref().map(|person| person.id);
    let open: Open = cx.tx.one(CREATE, &[&org, &person.id, &role, &me, &cx.now.0, &expires_at.0])?;
    for (team, role) in teams {
        put_team(cx, open.id, *team, role)?;
    }
    tell(cx, &open, person)?;
    let after = json!({ "user": person.login, "role": role, "teams": teams });
    events::record(cx, org, "org.invite_member", &json!(null), &after)?;
    Ok(open)
}

const CREATE: &str = "
    INSERT INTO invitations (org_id, user_id, role, inviter_id, created_at, expires_at, mailed_at)
    VALUES ($1, $2, $3, $4, $5, $6, $5)
    RETURNING id, org_id, user_id, role, created_at, expires_at, mailed_at";

fn add_to(cx: &mut Cx, mut open: Open, person: &User, teams: &[(i64, &'static str)]) -> Result<Open> {
    if !teams.is_empty() && membership_role(&open.role) == "billing_manager" {
        let text = "This person is invited as a billing manager, who cannot be on teams. \
                    Invite them as a member first: PUT /orgs/{org}/memberships/{username}.";
        return Err(Error::data("TeamMember", text));
    }
    for (team, role) in teams {
        let before = team_role(cx, open.id, *team)?;
        if before.as_deref() == Some(role) {
            continue;
        }
        put_team(cx, open.id, *team, role)?;
        let before = before.map_or(json!(null), |role| json!({ "team": team, "user": person.login, "role": role }));
        let after = json!({ "team": team, "user": person.login, "role": role });
        events::record(cx, open.org_id, "org.update_invitation", &before, &after)?;
    }
    if open.mailed_at.is_none_or(|at| at.plus_seconds(MAIL_SECONDS) <= cx.now) {
        cx.tx.run("UPDATE invitations SET mailed_at = $2 WHERE id = $1", &[&open.id, &cx.now.0])?;
        open.mailed_at = Some(cx.now);
        tell(cx, &open, person)?;
    }
    Ok(open)
}

fn tell(cx: &mut Cx, open: &Open, person: &User) -> Result<()> {
    let invited = Event::PersonInvited { invitation: open.id, person: Some(person.facts()), mail: true };
    events::emit(cx, open.org_id, &invited)
}

/// Changes the role in the organization that an open invitation gives. Writes its audit entry.
pub fn set_role(cx: &mut Cx, open: &mut Open, person: &User, role: &str) -> Result<()> {
    if open.role == role {
        return Ok(());
    }
    cx.tx.run("UPDATE invitations SET role = $2 WHERE id = $1", &[&open.id, &role])?;
    let before = json!({ "user": person.login, "role": open.role });
    role.clone_into(&mut open.role);
    let after = json!({ "user": person.login, "role": role });
    events::record(cx, open.org_id, "org.update_invitation", &before, &after)
}

fn put_team(cx: &mut Cx, invitation: i64, team: i64, role: &str) -> Result<()> {
    cx.tx.run(PUT_TEAM, &[&invitation, &team, &role])?;
    Ok(())
}

const PUT_TEAM: &str = "
    INSERT INTO invitation_teams (invitation_id, team_id, role) VALUES ($1, $2, $3)
    ON CONFLICT (invitation_id, team_id) DO UPDATE SET role = excluded.role";

/// Changes the role that an invitation brings in a team; nothing if it does not bring the team.
pub fn set_team_role(cx: &mut Cx, invitation: i64, team: i64, role: &str) -> Result<()> {
    cx.tx.run(SET_TEAM_ROLE, &[&invitation, &team, &role])?;
    Ok(())
}

const SET_TEAM_ROLE: &str = "UPDATE invitation_teams SET role = $3 WHERE invitation_id = $1 AND team_id = $2";

/// Takes a team off an invitation, which stays; whether it brought the team (decision 28).
pub fn take_off(cx: &mut Cx, invitation: i64, team: i64) -> Result<bool> {
    Ok(cx.tx.run(TAKE_OFF, &[&invitation, &team])? > 0)
}

const TAKE_OFF: &str = "DELETE FROM invitation_teams WHERE invitation_id = $1 AND team_id = $2";

/// Makes the invited person a member of the organization and of every team that the invitation still brings.
/// Writes its audit entries.
pub fn accept(cx: &mut Cx, open: Open, org: i64, person: &User) -> Result<()> {
    let Open { id, role, .. } = open;
    let teams: Vec<(i64, String)> = cx.tx.all(TEAMS, &[&id])?;
    let role = match role.as_str() {
        "reinstate" => former_role(cx.tx, org, person.id)?,
        _ => membership_role(&role).to_owned(),
    };
    join::join(cx, org, person, &role)?;
    if role != "billing_manager" {
        for (team, role) in teams {
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

/// Withdraws an invitation, and with it the pending memberships. Writes its audit entry.
pub fn cancel(cx: &mut Cx, invitation: i64) -> Result<()> {
    let (org, role, login): (i64, String, Option<String>) = cx.tx.one(WHOSE, &[&invitation])?;
    cx.tx.run("DELETE FROM invitations WHERE id = $1", &[&invitation])?;
    let before = json!({ "user": login, "role": role });
    events::record(cx, org, "org.cancel_invitation", &before, &json!(null))
}

const WHOSE: &str = "
    SELECT i.org_id, i.role, u.login FROM invitations i LEFT JOIN users u ON u.id = i.user_id WHERE i.id = $1";

/// Ends the open invitation of somebody who joins or leaves; it has done its work and leaves no trace.
pub fn close(cx: &mut Cx, org: i64, user: i64) -> Result<()> {
    fail_expired(cx, org, user)?;
    cx.tx.run("DELETE FROM invitations WHERE org_id = $1 AND user_id = $2 AND failed_at IS NULL", &[&org, &user])?;
    Ok(())
}

/// Moves an invitation that has expired to the failed ones, where it stays as a record without its teams.
fn fail_expired(cx: &mut Cx, org: i64, user: i64) -> Result<()> {
    let expired: Option<(i64,)> = cx.tx.maybe(FAIL_EXPIRED, &[&org, &user, &cx.now.0])?;
    if let Some((id,)) = expired {
        cx.tx.run("DELETE FROM invitation_teams WHERE invitation_id = $1", &[&id])?;
    }
    Ok(())
}

const FAIL_EXPIRED: &str = "
    UPDATE invitations
    SET failed_at = expires_at, failed_reason = 'Invitation expired. It was not accepted in time.'
    WHERE org_id = $1 AND user_id = $2 AND failed_at IS NULL AND expires_at <= $3
    RETURNING id";
