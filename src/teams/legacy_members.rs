//! The older operations on members, which know no roles and no invitations (decision 6).

use schemars::JsonSchema;
use serde::Deserialize;

use super::leaving::Leaving;
use super::membership;
use super::roles::{is_at_or_below, roles};
use super::team::Team;
use crate::error::{Error, Result};
use crate::members::invitations;
use crate::operation::{Cx, Done};
use crate::people::user;
use crate::policy::Granted;

/// Check whether a person is a member of a team or one of its child teams. Kept for older clients.
#[derive(Deserialize, JsonSchema)]
pub struct Get {
    /// Login of the person.
    pub username: String,
}

/// Returns 204 or 404.
pub fn get(cx: &mut Cx, team: Granted<Team>, p: Get) -> Result<Done> {
    let person = user::by_login(cx.tx, &p.username)?;
    if is_at_or_below(cx.tx, team.id, person.id)? { Ok(Done) } else { Err(Error::NotFound) }
}

/// Add a member of the organization to a team. Kept for older clients. It sends no invitation and changes no role.
#[derive(Deserialize, JsonSchema)]
pub struct Put {
    /// Login of the person.
    pub username: String,
}

/// Makes the person a member of the team if they are not one yet.
pub fn put(cx: &mut Cx, team: Granted<Team>, p: Put) -> Result<Done> {
    let person = invitations::addressee(cx.tx, &p.username, "TeamMember")?;
    let (standing, stored) = roles(cx.tx, team.org_id, team.id, person.id)?;
    if !matches!(standing, Some("admin" | "member")) {
        return Err(Error::field("TeamMember", "unaffiliated", "user"));
    }
    if stored.is_none() {
        membership::add(cx, &team, &person, ("member", None))?;
    }
    Ok(Done)
}

/// Remove a person from a team. Kept for older clients. It does not find pending memberships.
#[derive(Deserialize, JsonSchema)]
pub struct Remove {
    /// Login of the person.
    pub username: String,
}

/// Ends a direct membership; 404 for a person who is in neither the team nor a team below it.
pub fn remove(cx: &mut Cx, team: Granted<Leaving>, p: Remove) -> Result<Done> {
    let person = user::by_login(cx.tx, &p.username)?;
    let ended = membership::end_direct(cx, &team, &person)?;
    if ended || is_at_or_below(cx.tx, team.id, person.id)? { Ok(Done) } else { Err(Error::NotFound) }
}
