//! The membership of one person in a team: active, or pending while there is an open invitation to the organization
//! that includes the team.
//!
//! Implements "States and transitions" and decisions 15, 21, 24, 25 and 28.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::roles::{TeamRole, is_at_or_below, named, role_in, roles};
use super::team::Team;
use crate::error::{Error, Result};
use crate::journal::Change;
use crate::members::invitations;
use crate::members::seats;
use crate::operation::{Cx, Done, Record};
use crate::people::user::{self, User};
use crate::policy::{Granted, OWNER};

/// A person's membership of a team.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "team-membership")]
pub struct TeamMembership {
    /// `active`, or `pending` until the person accepts the invitation to the organization.
    pub state: &'static str,
    /// `member` or `maintainer`; owners of the organization are maintainers.
    pub role: String,
    /// URL of this record.
    pub url: String,
}

/// Get a person's membership of a team. Members of its child teams count as members too.
#[derive(Deserialize, JsonSchema)]
pub struct Get {
    /// Login of the person.
    pub username: String,
}

/// Returns the membership, active or pending; 404 if there is none.
pub fn get(cx: &mut Cx, team: Granted<Team>, p: Get) -> Result<Record<TeamMembership>> {
    let person = user::by_login(cx.tx, &p.username)?;
    if is_at_or_below(cx.tx, team.id, person.id)? {
        let (standing, stored) = roles(cx.tx, team.org_id, team.id, person.id)?;
        let owner = standing == Some("admin");
        return Ok(active(cx, &team, &person, stored.unwrap_or("member"), owner));
    }
    let pending = pending(cx, &team, &person)?.ok_or(Error::NotFound)?;
    Ok(record(cx, &team, &person, "pending", &pending.role))
}

/// Add a person to a team, or change their role in it. A person outside the organization is invited to it.
#[derive(Deserialize, JsonSchema)]
pub struct Put {
    /// Login of the person.
    pub username: String,
    /// Role of the person in the team. Default: `member`, which also turns a maintainer into a member.
    #[schemars(extend("default" = "member"))]
    pub role: Option<TeamRole>,
}

/// Gives the person the requested role, or invites them.
pub fn put(cx: &mut Cx, team: Granted<Team>, p: Put) -> Result<Record<TeamMembership>> {
    let (person, (standing, stored)) = match named(cx.tx, team.org_id, team.id, &p.username)? {
        Some(found) => found,
        None => (invitations::addressee(cx.tx, &p.username, "TeamMember")?, (None, None)),
    };
    let role = p.role.unwrap_or_default().word();
    if let Some(standing @ ("admin" | "member")) = standing {
        match stored {
            None => add(cx, &team, &person, role)?,
            Some(now) if now == role => {}
            Some(now) => seats::set_role(cx, team.org_id, &team.facts(), &person, (now, role))?,
        }
        return Ok(active(cx, &team, &person, role, standing == "admin"));
    }
    if team.allows(&OWNER) {
        invitations::refuse_suspended(cx.tx, &person, "TeamMember")?;
        invitations::invite(cx, team.org_id, &person, "direct_member", &[(team.id, role)])?;
    } else {
        change_pending(cx, &team, &person, role)?;
    }
    Ok(record(cx, &team, &person, "pending", role))
}

/// Adds a member of the organization to the team.
pub(super) fn add(cx: &mut Cx, team: &Team, person: &User, role: &str) -> Result<()> {
    invitations::refuse_suspended(cx.tx, person, "TeamMember")?;
    seats::add(cx, team.org_id, team.facts(), person, role)
}

/// A maintainer cannot invite people, but decides which role an invited person will have in the maintainer's team.
fn change_pending(cx: &mut Cx, team: &Team, person: &User, role: &str) -> Result<()> {
    let refused = || Error::field("TeamMember", "no_permission", "user");
    let pending = pending(cx, team, person)?.ok_or_else(refused)?;
    if pending.role == role {
        return Ok(());
    }
    invitations::set_team_role(cx, pending.invitation, team.id, role)?;
    let facts = |role: &str| seat(team, person, role);
    cx.record(team.org_id, Change::new("org.update_invitation", &facts(&pending.role), &facts(role)))
}

/// Remove a person from a team, or the team from their invitation. The account stays.
#[derive(Deserialize, JsonSchema)]
pub struct Remove {
    /// Login of the person.
    pub username: String,
}

/// Ends the membership. It is no error if the account has none, or has one in a child team only: clients remove people
/// from an organization and from its teams in parallel.
pub fn remove(cx: &mut Cx, team: Granted<Team>, p: Remove) -> Result<Done> {
    let person = user::by_login(cx.tx, &p.username)?;
    match pending(cx, &team, &person)? {
        Some(pending) => remove_from_invitation(cx, &team, &person, &pending)?,
        None => drop(end_direct(cx, &team, &person)?),
    }
    Ok(Done)
}

/// Ends a direct membership; false if there is none.
pub(super) fn end_direct(cx: &mut Cx, team: &Team, person: &User) -> Result<bool> {
    let direct = role_in(cx.tx, team.id, person.id)?.is_some();
    if direct {
        seats::remove(cx, team.org_id, &team.facts(), person)?;
    }
    Ok(direct)
}

fn remove_from_invitation(cx: &mut Cx, team: &Team, person: &User, pending: &Pending) -> Result<()> {
    invitations::remove_team(cx, pending.invitation, team.id)?;
    let before = seat(team, person, &pending.role);
    cx.record(team.org_id, Change::new("org.update_invitation", &before, &json!(null)))
}

/// A pending membership as the audit log shows it.
fn seat(team: &Team, person: &User, role: &str) -> Value {
    json!({ "team": team.id, "team_slug": team.slug, "user": person.login, "role": role })
}

/// A membership that is pending until an invitation is accepted.
struct Pending {
    invitation: i64,
    role: String,
}

/// The pending membership of a person who is invited. An invitation of their e-mail address does not tell whose the
/// e-mail address is (decision 29).
fn pending(cx: &mut Cx, team: &Team, person: &User) -> Result<Option<Pending>> {
    let Some(open) = invitations::open_to(cx, team.org_id, person.id)? else { return Ok(None) };
    let role = invitations::team_role(cx, open.id, team.id)?;
    Ok(role.map(|role| Pending { invitation: open.id, role }))
}

/// The role is computed when it is read: owners are maintainers, whatever role is stored.
fn active(cx: &Cx, team: &Team, person: &User, stored: &str, owner: bool) -> Record<TeamMembership> {
    record(cx, team, person, "active", if owner { "maintainer" } else { stored })
}

fn record(cx: &Cx, team: &Team, person: &User, state: &'static str, role: &str) -> Record<TeamMembership> {
    let url = cx.links.team(team.org_id, team.id, &format!("/memberships/{}", person.login));
    TeamMembership { state, role: role.to_owned(), url }.into()
}
