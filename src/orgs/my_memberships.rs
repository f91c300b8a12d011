//! The caller's own memberships of organizations, where an invited person sees, accepts and declines an invitation, and
//! a member leaves.
//!
//! Implements decisions 26, 28 and 49.

use schemars::JsonSchema;
use serde::Deserialize;

use super::memberships::{self, Membership, OrganizationMembership};
use super::org;
use super::record::OrganizationSimple;
use crate::db::{row, select};
use crate::error::{Error, Result};
use crate::journal;
use crate::members::invitations::invited_address::invitations_to;
use crate::members::invitations::{self, ending};
use crate::members::organization;
use crate::operation::{Cx, Done, List, Record, let_in};
use crate::people::login;
use crate::people::me::Me;
use crate::people::user::User;
use crate::policy::Granted;

/// The state of a membership.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Active memberships.
    Active,
    /// Invitations that are not yet accepted.
    Pending,
}

/// List the caller's organization memberships, by organization ID.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Memberships {
    /// Return only memberships in this state. Default: both states.
    pub state: Option<State>,
}

row! {
    /// A membership, with the fields for the short record of its organization.
    struct Found from "mine" {
        active: bool,
        role: String,
        org_id: i64 = "o.id",
        org_login: String = "o.login",
        org_description: Option<String> = "o.description",
    }
}

/// The active memberships of `$1`, and for each organization the oldest invitation that is open at `$2`; those in the
/// state `$3` (active or not), or in both.
macro_rules! mine {
    () => {
        concat!(
            "(SELECT TRUE AS active, m.role, m.org_id FROM org_members m WHERE m.user_id = $1
              UNION ALL
              SELECT FALSE AS active, i.role, i.org_id FROM invitations i
              WHERE i.id IN
                  (SELECT min(open.id) FROM
                      (SELECT x.id, x.org_id FROM invitations x
                       WHERE x.user_id = $1 AND x.failed_at IS NULL AND x.expires_at > $2
                       UNION ALL ",
            invitations_to!("$1", " AND x.expires_at > $2"),
            ") open
                   GROUP BY open.org_id)
                AND NOT EXISTS (SELECT 1 FROM org_members m WHERE m.org_id = i.org_id AND m.user_id = $1)) mine
             JOIN orgs o ON o.id = mine.org_id
             WHERE (CAST($3 AS BOOLEAN) IS NULL OR mine.active = $3) AND ",
            let_in!("mine.org_id", "$4")
        )
    };
}

/// Lists the memberships.
pub fn list(cx: &mut Cx, me: Granted<Me>, p: Memberships) -> Result<List<OrganizationMembership>> {
    let active = p.state.map(|state| state == State::Active);
    let (limit, offset) = cx.page.sql();
    let application = cx.caller.application();
    let total: i64 = cx.tx.one(COUNT, &[&me.id, &cx.now()?.0, &active, &application])?;
    let found: Vec<Found> = cx.tx.all(LIST, &[&me.id, &cx.now()?.0, &active, &application, &limit, &offset])?;
    let person = myself(&me);
    let record = |found: Found| {
        let role = if found.active { found.role } else { invitations::membership_role(&found.role).to_owned() };
        let organization = OrganizationSimple::new(cx.links, found.org_id, &found.org_login, found.org_description);
        OrganizationMembership::new(cx.links, organization, &person, (found.active, role))
    };
    let items = found.into_iter().map(record);
    List::of(items, total)
}

const COUNT: &str = concat!("SELECT count(*) FROM ", mine!());

const LIST: &str = select!(Found from mine!(), " ORDER BY o.id LIMIT $5 OFFSET $6");

/// Get the caller's membership of an organization.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {
    /// The login of the organization.
    pub org: String,
}

/// Gets the membership, active or pending.
pub fn get(cx: &mut Cx, me: Granted<Me>, p: Get) -> Result<Record<OrganizationMembership>> {
    let org = org_named(cx, &p.org)?;
    let membership = memberships::find(cx, org, me.id)?;
    cx.refuse_closed(org)?;
    Ok(memberships::show(cx, org, &myself(&me), membership)?.into())
}

/// The only state that a request can set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Accepted {
    /// Accept the invitation.
    Active,
}

/// Accept the caller's invitation to an organization. All team memberships in it become active at once.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Accept {
    /// The login of the organization.
    pub org: String,
    /// Must be `active`.
    pub state: Accepted,
}

/// Accepts the invitation; a member stays a member.
pub fn accept(cx: &mut Cx, _: Granted<Me>, p: Accept) -> Result<Record<OrganizationMembership>> {
    let Accepted::Active = p.state;
    let org = org_named(cx, &p.org)?;
    accept_as(cx, org)
}

/// Makes the caller a member of the organization that has invited them; 404 without an invitation.
pub(super) fn accept_as(cx: &mut Cx, org: i64) -> Result<Record<OrganizationMembership>> {
    let me = cx.me()?;
    let person = User { id: me.id, login: me.login.to_string(), site_admin: me.site_admin, suspended: false };
    memberships::find(cx, org, person.id)?;
    cx.refuse_closed(org)?;
    ending::accept(cx, org, &person)?;
    let role = org::role_of(cx.tx, org, person.id)?.ok_or(Error::NotFound)?;
    Ok(memberships::show(cx, org, &person, Membership::Active(role))?.into())
}

/// Leave an organization, or decline the invitation to it. Of several open invitations, the oldest is declined.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Remove {
    /// The login of the organization.
    pub org: String,
}

/// Ends the membership, or declines the invitation, which stays as a failed one. Of several invitations it is the oldest:
/// if they ended together, owners would learn that they are of one person.
pub fn remove(cx: &mut Cx, me: Granted<Me>, p: Remove) -> Result<Done> {
    let org = org_named(cx, &p.org)?;
    let membership = memberships::find(cx, org, me.id)?;
    cx.refuse_closed(org)?;
    // The membership or invitation may have been created after the locks were taken.
    journal::widen(cx.tx, [org])?;
    match membership {
        Membership::Active(_) => organization::remove(cx, org, &myself(&me))?,
        Membership::Pending(open) => ending::decline(cx, &open)?,
    }
    Ok(Done)
}

/// Decline the invitation to an organization.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Decline {
    /// The login of the organization.
    pub org: String,
}

/// Declines the invitation like [`remove`]. A member stays: what was accepted in the meantime is no invitation any more.
pub fn decline(cx: &mut Cx, me: Granted<Me>, p: Decline) -> Result<Done> {
    let org = org_named(cx, &p.org)?;
    let Membership::Pending(open) = memberships::find(cx, org, me.id)? else { return Err(Error::NotFound) };
    journal::widen(cx.tx, [org])?;
    ending::decline(cx, &open).map(|()| Done)
}

fn org_named(cx: &mut Cx, login: &str) -> Result<i64> {
    match login::find(cx.tx, login)? {
        Some(login::Owner::Org(id)) => Ok(id),
        _ => Err(Error::NotFound),
    }
}

/// The caller as a user. Their account is not suspended, because then they could not send requests.
fn myself(me: &Me) -> User {
    User { id: me.id, login: me.login.clone(), site_admin: me.site_admin, suspended: false }
}
