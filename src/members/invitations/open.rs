//! Invitations to an organization and the teams that they include: a pending membership of each.
//!
//! Implements decisions 21 (no suspended users), 25 (one open invitation, one e-mail a day), 26 (readers check the
//! expiry), 27 (an invitation to an e-mail address is for the account that has verified it), 28 (removing a team) and
//! 29 (roles). Teams build on this. Where a function does not mention an audit entry, its caller writes it.

use serde_json::{Value, json};

use super::fail_expired;
use super::invitation::Invitation;
use super::invited_address::invitations_to;
use crate::clock::Time;
use crate::db::{Bind, Tx, row, select};
use crate::error::{Error, FieldError, Result};
use crate::journal::{Change, Event};
use crate::members::{groups, roles, synced};
use crate::operation::Cx;
use crate::people::user::{self, User};
use crate::people::{email, login};

/// The resource that refusals name.
const RESOURCE: &str = "OrganizationInvitation";

/// The time after an e-mail in which no other one is sent.
const MAIL_SECONDS: i64 = 24 * 3_600;

row! {
    /// An invitation that can be accepted.
    #[derive(Debug, Clone)]
    pub struct Open from "i" {
        /// ID.
        pub id: i64,
        /// Organization.
        pub org_id: i64,
        /// Login of the person; none if an e-mail address is invited.
        pub login: Option<String> = "(SELECT u.login FROM users u WHERE u.id = i.user_id)",
        /// True if an e-mail address is invited, whichever account it belongs to.
        pub to_address: bool = "i.email_key IS NOT NULL",
        /// `direct_member`, `admin`, `billing_manager`, `hiring_manager` or `reinstate`.
        pub role: String,
        /// The time at which the last e-mail was requested.
        pub mailed_at: Option<Time>,
    }
}

impl Open {
    /// The value for the audit log, which does not contain the e-mail address (decision 47).
    #[must_use]
    pub fn facts(&self) -> Value {
        json!({ "invitation": self.id, "user": self.login, "role": self.role })
    }
}

/// The person or e-mail address to invite.
#[derive(Debug, Clone)]
pub enum Invitee<'a> {
    /// A person, and the e-mail address to send to if it is not their primary one.
    Person(&'a User, Option<&'a str>),
    /// An e-mail address. The invitation is for the account that has it when it is accepted; until then, no one learns
    /// whose it is.
    Address(&'a str),
}

impl Invitee<'_> {
    /// The account, if one is invited.
    fn account(&self) -> Option<&User> {
        match self {
            Self::Person(person, _) => Some(person),
            Self::Address(_) => None,
        }
    }
}

/// The role that an invitation with this role gives, as the record of a membership shows it. What `reinstate` gives is
/// known only when it is accepted.
#[must_use]
pub fn membership_role(role: &str) -> &'static str {
    match role {
        "admin" => "admin",
        // Neither role has any rights in teams.
        "billing_manager" | "hiring_manager" => "billing_manager",
        _ => "member",
    }
}

/// The open invitation of a person, or the oldest if several of their e-mail addresses were invited. An expired
/// invitation does not count. Only the person may learn of it; others see what [`open_to`] finds.
pub fn open_of(cx: &mut Cx, org: i64, user: i64) -> Result<Option<Open>> {
    Ok(all_open_of(cx, org, user)?.into_iter().next())
}

/// The open invitation to an account, which everyone who reads invitations may see.
pub fn open_to(cx: &mut Cx, org: i64, user: i64) -> Result<Option<Open>> {
    cx.tx.maybe(OPEN_TO, &[&org, &user, &cx.now()?.0])
}

const OPEN_TO: &str = select!(Open from
    "invitations i WHERE i.org_id = $1 AND i.user_id = $2 AND i.failed_at IS NULL AND i.expires_at > $3");

/// Every open invitation of a person: to their account, and to their e-mail addresses.
pub fn all_open_of(cx: &mut Cx, org: i64, user: i64) -> Result<Vec<Open>> {
    cx.tx.all(OPEN_OF, &[&org, &user, &cx.now()?.0])
}

const OPEN_OF: &str = select!(Open from
    "invitations i WHERE i.id IN (
         SELECT x.id FROM invitations x WHERE x.org_id = $1 AND x.user_id = $2 AND x.failed_at IS NULL
         UNION ALL SELECT addressed.id FROM (", invitations_to!("$2", " AND x.org_id = $1"), ") addressed)
     AND i.expires_at > $3 ORDER BY i.id");

/// The open invitation of this invitee.
pub fn open_for(cx: &mut Cx, org: i64, invitee: &Invitee) -> Result<Option<Open>> {
    match invitee {
        Invitee::Address(address) => cx.tx.maybe(OPEN_AT, &[&org, &email::key(address), &cx.now()?.0]),
        Invitee::Person(person, _) => open_to(cx, org, person.id),
    }
}

const OPEN_AT: &str = select!(Open from
    "invitations i WHERE i.org_id = $1 AND i.email_key = $2 AND i.failed_at IS NULL AND i.expires_at > $3");

/// The open invitation with this identifier to an organization.
pub fn open(cx: &mut Cx, org: i64, id: i64) -> Result<Option<Open>> {
    cx.tx.maybe(OPEN, &[&org, &id, &cx.now()?.0])
}

const OPEN: &str =
    select!(Open from "invitations i WHERE i.org_id = $1 AND i.id = $2 AND i.failed_at IS NULL AND i.expires_at > $3");

/// The role that an invitation gives in a team, and the end of the membership, if the invitation includes the team.
pub fn seat(cx: &mut Cx, invitation: i64, team: i64) -> Result<Option<(String, Option<Time>)>> {
    let found: Option<(String, Option<i64>)> = cx.tx.maybe(SEAT, &[&invitation, &team])?;
    Ok(found.map(|(role, end)| (role, end.map(Time))))
}

const SEAT: &str = "SELECT role, expires_at FROM invitation_teams WHERE invitation_id = $1 AND team_id = $2";

/// The person with this login, who is to be added: 404 if there is none, 422 for an organization.
pub fn addressee(tx: &mut Tx, login: &str, resource: &'static str) -> Result<User> {
    let person = user::by_login(tx, login);
    if matches!(person, Err(Error::NotFound))
        && let Some(login::Owner::Org(_)) = login::find(tx, login)?
    {
        let error = FieldError { resource, code: "org", field: "user", parameter: "", message: None, value: None };
        let message = "Cannot add an organization as a member.".into();
        return Err(Error::Unprocessable { message, errors: vec![error] });
    }
    person
}

/// Refuses to add a person whose account is suspended.
pub fn refuse_suspended(tx: &mut Tx, person: &User, resource: &'static str) -> Result<()> {
    match suspension(tx, person)? {
        Some(text) => Err(Error::data(resource, text)),
        None => Ok(()),
    }
}

/// The reason why a person cannot be added, if their account is suspended, and what ends that. The text does not name
/// the organization whose provider it was, because its members may be concealed.
pub fn suspension(tx: &mut Tx, person: &User) -> Result<Option<&'static str>> {
    Ok(match person.suspended {
        false => None,
        true if groups::deactivated_by(tx, person.id)?.is_some() => {
            Some("The identity provider that manages this account has deactivated it. Activate it there first.")
        }
        true => Some(
            "This account is suspended. A site administrator must unsuspend it first: \
             DELETE /users/{username}/suspended.",
        ),
    })
}

/// Invites a person who is not a member of the organization. If there is an open invitation to them, adds to it: the
/// invitation keeps its role in the organization, and teams that it already includes get the role given here. Writes
/// its audit entry. Sends an e-mail and an event only for a new invitation, or if the last e-mail is a day old.
pub fn invite(cx: &mut Cx, org: i64, person: &User, role: &str, teams: &[(i64, &'static str)]) -> Result<Open> {
    refuse_suspended(cx.tx, person, RESOURCE).map_err(|error| error.at("invitee_id"))?;
    fail_expired(cx, org)?;
    let Some(mut open) = open_to(cx, org, person.id)? else {
        return create(cx, org, &Invitee::Person(person, None), role, teams);
    };
    refuse_teams_of_billing(&open.role, !teams.is_empty())?;
    put_teams(cx, &open, teams)?;
    let now = cx.now()?;
    if open.mailed_at.is_none_or(|at| at.plus_seconds(MAIL_SECONDS) <= now) {
        cx.count_creation()?;
        mail_again(cx, &mut open, Some(person))?;
    }
    Ok(open)
}

/// Invites a person who is not a member, or sends their open invitation again: with this role, more teams, a new expiry
/// and an e-mail. Writes its audit entry.
pub fn send(cx: &mut Cx, org: i64, invitee: &Invitee, role: &str, teams: &[(i64, &'static str)]) -> Result<Open> {
    let refused = invitee.account().map_or(Ok(()), |account| refuse_suspended(cx.tx, account, RESOURCE));
    refused.map_err(|error| error.at("invitee_id"))?;
    fail_expired(cx, org)?;
    let Some(mut open) = open_for(cx, org, invitee)? else {
        return create(cx, org, invitee, role, teams);
    };
    let brings = !teams.is_empty()
        || cx.tx.any("SELECT team_id FROM invitation_teams WHERE invitation_id = $1 LIMIT 1", &[&open.id])?;
    refuse_teams_of_billing(role, brings)?;
    roles::refuse_stale_session(cx, &[role])?;
    put_teams(cx, &open, teams)?;
    cx.count_creation()?;
    set_role(cx, &mut open, role)?;
    let expires_at = cx.now()?.plus_seconds(cx.site.invitation_seconds);
    let elsewhere = match invitee {
        Invitee::Person(_, address) => *address,
        Invitee::Address(_) => None,
    };
    cx.tx.run(SEND_AGAIN, &[&open.id, &expires_at.0, &elsewhere])?;
    mail_again(cx, &mut open, invitee.account())?;
    let after = json!({ "invitation": open.id, "user": open.login, "expires_at": expires_at });
    cx.record(org, Change::new("org.resend_invitation", &json!(null), &after))?;
    Ok(open)
}

const SEND_AGAIN: &str = "UPDATE invitations SET expires_at = $2, email = coalesce($3, email) WHERE id = $1";

/// Sends the e-mail about an open invitation again. The links in earlier e-mails become invalid (decision 69).
fn mail_again(cx: &mut Cx, open: &mut Open, account: Option<&User>) -> Result<()> {
    if !cx.mails {
        return Ok(());
    }
    let now = cx.now()?;
    let generation = cx.tx.run_one(MAIL_AGAIN, &[&open.id, &now.0])?;
    open.mailed_at = Some(now);
    record_invited(cx, open, account, generation)
}

const MAIL_AGAIN: &str = "
    UPDATE invitations SET mailed_at = $2, reminded_at = NULL, generation = generation + 1 WHERE id = $1
    RETURNING generation";

fn create(cx: &mut Cx, org: i64, invitee: &Invitee, role: &str, teams: &[(i64, &'static str)]) -> Result<Open> {
    teams.iter().try_for_each(|(team, _)| synced::refuse_manual_change(cx.tx, *team))?;
    roles::refuse_stale_session(cx, &[role])?;
    cx.count_creation()?;
    let (user, address, key) = match invitee {
        Invitee::Person(person, address) => (Some(person.id), *address, None),
        Invitee::Address(address) => (None, Some(*address), Some(email::key(address))),
    };
    cx.tx.run(FORGET_FAILED, &[&org, &user, &key])?;
    let expires_at = cx.now()?.plus_seconds(cx.site.invitation_seconds);
    let me = cx.caller.actor().map(|person| person.id).or(cx.inviter);
    let now = cx.now()?;
    let mailed_at = cx.mails.then_some(now);
    let mailed = mailed_at.map(|at| at.0);
    let row: &[&dyn Bind] = &[&org, &user, &address, &key, &role, &me, &now.0, &expires_at.0, &mailed];
    let id: i64 = cx.tx.run_one(CREATE, row)?;
    for (team, role) in teams {
        put_team(cx, id, *team, role)?;
    }
    let account = invitee.account();
    let login = account.map(|person| person.login.clone());
    let open = Open { id, org_id: org, login, to_address: key.is_some(), role: role.to_owned(), mailed_at };
    record_invited(cx, &open, account, FIRST)?;
    let mut after = open.facts();
    after["teams"] = json!(teams);
    cx.record(org, Change::new("org.invite_member", &json!(null), &after))?;
    Ok(open)
}

/// The generation of the links of a new invitation.
const FIRST: i64 = 1;

/// Deletes a failed invitation of the same person or e-mail address, because the new invitation replaces it.
const FORGET_FAILED: &str = "
    DELETE FROM invitations WHERE id IN (
        SELECT id FROM invitations WHERE user_id = $2 AND org_id = $1 AND failed_at IS NOT NULL
        UNION ALL
        SELECT id FROM invitations WHERE email_key = $3 AND org_id = $1 AND failed_at IS NOT NULL)";

const CREATE: &str = "
    INSERT INTO invitations (org_id, user_id, email, email_key, role, inviter_id, created_at, expires_at, mailed_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    RETURNING id";

fn refuse_teams_of_billing(role: &str, teams: bool) -> Result<()> {
    if !teams || membership_role(role) != "billing_manager" {
        return Ok(());
    }
    let text = "This person is invited as a billing manager, who cannot be on teams. \
                Invite them as a member first: PUT /orgs/{org}/memberships/{username}.";
    Err(Error::data("TeamMember", text))
}

/// Adds teams to an open invitation, or changes the roles there. Writes its audit entries.
pub fn put_teams(cx: &mut Cx, open: &Open, teams: &[(i64, &'static str)]) -> Result<()> {
    for (team, role) in teams {
        let before = seat(cx, open.id, *team)?.map(|(role, _)| role);
        if before.as_deref() == Some(role) {
            continue;
        }
        synced::refuse_manual_change(cx.tx, *team)?;
        put_team(cx, open.id, *team, role)?;
        let facts = |role: &str| json!({ "invitation": open.id, "team": team, "user": open.login, "role": role });
        let before = before.map_or(json!(null), |role| facts(&role));
        cx.record(open.org_id, Change::new("org.update_invitation", &before, &facts(role)))?;
    }
    Ok(())
}

fn record_invited(cx: &mut Cx, open: &Open, person: Option<&User>, generation: i64) -> Result<()> {
    let invitation = Invitation::by_id(cx.tx, open.id)?.facts();
    let person = person.map(User::facts);
    let invited = Event::PersonInvited { invitation, person, mail: cx.mails, generation };
    cx.record(open.org_id, Change::of(&invited))
}

/// Changes the role in the organization that an open invitation gives. Writes its audit entry.
pub fn set_role(cx: &mut Cx, open: &mut Open, role: &str) -> Result<()> {
    if open.role == role {
        return Ok(());
    }
    roles::refuse_stale_session(cx, &[&open.role, role])?;
    cx.tx.run("UPDATE invitations SET role = $2 WHERE id = $1", &[&open.id, &role])?;
    let before = open.facts();
    role.clone_into(&mut open.role);
    cx.record(open.org_id, Change::new("org.update_invitation", &before, &open.facts()))
}

fn put_team(cx: &mut Cx, invitation: i64, team: i64, role: &str) -> Result<()> {
    cx.tx.run(PUT_TEAM, &[&invitation, &team, &role])?;
    Ok(())
}

const PUT_TEAM: &str = "
    INSERT INTO invitation_teams (invitation_id, team_id, role) VALUES ($1, $2, $3)
    ON CONFLICT (invitation_id, team_id) DO UPDATE SET role = excluded.role";

/// Changes the role that an invitation gives in a team, and the end of the membership; does nothing if it does not
/// include the team.
pub fn set_seat(cx: &mut Cx, invitation: i64, team: i64, (role, end): (&str, Option<Time>)) -> Result<()> {
    cx.tx.run(SET_SEAT, &[&invitation, &team, &role, &end.map(|end| end.0)])?;
    Ok(())
}

const SET_SEAT: &str = "
    UPDATE invitation_teams SET role = $3, expires_at = $4 WHERE invitation_id = $1 AND team_id = $2";

/// The same for an invitation to an e-mail address. Writes its audit entry.
pub fn remove_seat(cx: &mut Cx, open: &Open, team: i64) -> Result<()> {
    let Some((role, _)) = seat(cx, open.id, team)? else { return Ok(()) };
    remove_team(cx, open.id, team)?;
    let before = json!({ "invitation": open.id, "team": team, "user": open.login, "role": role });
    cx.record(open.org_id, Change::new("org.update_invitation", &before, &Value::Null))
}

/// Removes a team from an invitation, which stays. Returns whether the invitation included the team (decision 28).
pub fn remove_team(cx: &mut Cx, invitation: i64, team: i64) -> Result<bool> {
    Ok(cx.tx.run(TAKE_OFF, &[&invitation, &team])? > 0)
}

const TAKE_OFF: &str = "DELETE FROM invitation_teams WHERE invitation_id = $1 AND team_id = $2";
