//! The membership of one person in a team: active, or pending while there is an open invitation to the organization
//! that includes the team.
//!
//! Implements "States and transitions" and decisions 15, 21, 24, 25, 28 and 64.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::leaving::Leaving;
use super::roles::{TeamRole, is_at_or_below, named, role_in, roles};
use super::team::Team;
use crate::clock::Time;
use crate::error::{Error, Result};
use crate::journal::Change;
use crate::members::end_time::EndTime;
use crate::members::seats::{self, Held};
use crate::members::{ends, invitations};
use crate::operation::{Cx, Done, Patch, Record};
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
    /// The time at which the membership ends, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<EndTime>,
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
        return Ok(active(cx, &team, &person, stored.unwrap_or(("member", None)), owner));
    }
    let pending = pending(cx, &team, &person)?.ok_or(Error::NotFound)?;
    Ok(record(cx, &team, &person, "pending", (&pending.role, pending.end)))
}

/// Add a person to a team, or change their role in it. A person outside the organization is invited to it.
#[derive(Deserialize, JsonSchema)]
pub struct Put {
    /// Login of the person.
    pub username: String,
    /// Role of the person in the team. Default: `member`, which also turns a maintainer into a member.
    #[schemars(extend("default" = "member"))]
    pub role: Option<TeamRole>,
    /// Time at which the membership ends, at most ten years ahead. Null makes it unlimited. If this is not sent, a new
    /// membership is unlimited and an existing one keeps its end. The membership of an owner of the organization does not
    /// end while they are an owner.
    #[serde(default)]
    #[schemars(extend("format" = "date-time"))]
    pub expires_at: Patch<String>,
}

/// Gives the person the requested role, or invites them.
pub fn put(cx: &mut Cx, team: Granted<Team>, p: Put) -> Result<Record<TeamMembership>> {
    let (person, (standing, stored)) = match named(cx.tx, team.org_id, team.id, &p.username)? {
        Some(found) => found,
        None => (invitations::addressee(cx.tx, &p.username, "TeamMember")?, (None, None)),
    };
    let role = p.role.unwrap_or_default().word();
    let end = ends::wanted(cx, p.expires_at)?;
    if let Some(standing @ ("admin" | "member")) = standing {
        let wanted = (role, end.or(stored.and_then(|(_, end)| end)));
        match stored {
            None => add(cx, &team, &person, wanted)?,
            Some(now) if now == wanted => {}
            Some(now) => seats::update(cx, team.org_id, &team.facts(), &person, (now, wanted))?,
        }
        return Ok(active(cx, &team, &person, wanted, standing == "admin"));
    }
    if team.allows(&OWNER) {
        invitations::refuse_suspended(cx.tx, &person, "TeamMember")?;
        invitations::invite(cx, team.org_id, &person, "direct_member", &[(team.id, role)])?;
    }
    let end = change_pending(cx, &team, &person, (role, end))?;
    Ok(record(cx, &team, &person, "pending", (role, end)))
}

/// Adds a member of the organization to the team.
pub(super) fn add(cx: &mut Cx, team: &Team, person: &User, held: Held) -> Result<()> {
    invitations::refuse_suspended(cx.tx, person, "TeamMember")?;
    seats::add(cx, team.org_id, team.facts(), person, held)
}

/// Changes the role that an invited person will have in the team, and the end of their membership, which is returned. A
/// maintainer cannot invite people, but decides this for the maintainer's team.
fn change_pending(cx: &mut Cx, team: &Team, person: &User, (role, end): (&str, Patch<Time>)) -> Result<Option<Time>> {
    let refused = || Error::field("TeamMember", "no_permission", "user");
    let pending = pending(cx, team, person)?.ok_or_else(refused)?;
    let end = end.or(pending.end);
    if (pending.role.as_str(), pending.end) == (role, end) {
        return Ok(end);
    }
    invitations::set_seat(cx, pending.invitation, team.id, (role, end))?;
    let (before, after) = (seat(team, person, (&pending.role, pending.end)), seat(team, person, (role, end)));
    cx.record(team.org_id, Change::new("org.update_invitation", &before, &after))?;
    Ok(end)
}

/// Remove a person from a team, or the team from their invitation. The account stays.
#[derive(Deserialize, JsonSchema)]
pub struct Remove {
    /// Login of the person.
    pub username: String,
}

/// Ends the membership. It is no error if the account has none, or has one in a child team only: clients remove people
/// from an organization and from its teams in parallel.
pub fn remove(cx: &mut Cx, team: Granted<Leaving>, p: Remove) -> Result<Done> {
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
    let before = seat(team, person, (&pending.role, pending.end));
    cx.record(team.org_id, Change::new("org.update_invitation", &before, &json!(null)))
}

/// A pending membership as the audit log shows it.
fn seat(team: &Team, person: &User, (role, end): Held) -> Value {
    let mut seat = json!({ "team": team.id, "team_slug": team.slug, "user": person.login, "role": role });
    if let Some(end) = end {
        seat["expires_at"] = json!(EndTime(end));
    }
    seat
}

/// A membership that is pending until an invitation is accepted.
struct Pending {
    invitation: i64,
    role: String,
    end: Option<Time>,
}

/// The pending membership of a person who is invited. An invitation of their e-mail address does not tell whose the
/// e-mail address is (decision 29).
fn pending(cx: &mut Cx, team: &Team, person: &User) -> Result<Option<Pending>> {
    let Some(open) = invitations::open_to(cx, team.org_id, person.id)? else { return Ok(None) };
    let seat = invitations::seat(cx, open.id, team.id)?;
    Ok(seat.map(|(role, end)| Pending { invitation: open.id, role, end }))
}

/// The role is computed when it is read: owners are maintainers, whatever role is stored.
fn active(cx: &Cx, team: &Team, person: &User, (stored, end): Held, owner: bool) -> Record<TeamMembership> {
    record(cx, team, person, "active", (if owner { "maintainer" } else { stored }, end))
}

fn record(cx: &Cx, team: &Team, person: &User, state: &'static str, (role, end): Held) -> Record<TeamMembership> {
    let url = cx.links.team(team.org_id, team.id, &format!("/memberships/{}", person.login));
    TeamMembership { state, role: role.to_owned(), url, expires_at: end.map(EndTime) }.into()
}
