//! Memberships of an organization, active and pending, for its members and owners.
//!
//! Implements decisions 7 (no other key than the role), 21 (suspended people, the last active owner), 25 and 26 (an
//! outsider is invited) and 28 (a person who leaves the organization leaves its teams).

use schemars::JsonSchema;
use serde::Deserialize;

use super::org::{self, Org};
use super::record::{self, OrganizationSimple};
use crate::error::{Error, Result};
use crate::links::Links;
use crate::members::invitations::{self, Open, ending};
use crate::members::organization;
use crate::operation::{Cx, Done, Record};
use crate::people::user::{self, SimpleUser, User};
use crate::policy::{Granted, OWNER, THE_USER};
use crate::record::record;
use crate::words::words;

/// The resource that refusals name.
const RESOURCE: &str = "OrganizationMembership";

record! {
    /// A membership of an organization.
    #[schemars(rename = "organization-membership")]
    pub struct OrganizationMembership {
        /// URL of the record.
        pub url: String = [&organization.url, "/memberships/", &person.login].concat(),
        /// `active`, or `pending` until the invitation is accepted.
        pub state: &'static str = if active { "active" } else { "pending" },
        /// `admin` (owner), `member` or `billing_manager`.
        pub role: String = role,
        /// URL of the organization.
        pub organization_url: String = organization.url.clone(),
        /// The person.
        pub user: SimpleUser = SimpleUser::new(links, person),
        /// The organization.
        pub organization: OrganizationSimple = organization,
    }

    /// The record of a person's membership.
    pub fn new(links: &Links, organization: OrganizationSimple, person: &User, standing: (bool, String)) {
        let (active, role) = standing;
    }
}

/// The membership of a person in an organization.
pub(super) enum Membership {
    /// A member or a billing manager, with this role.
    Active(&'static str),
    /// An invited person.
    Pending(Open),
}

/// The membership of a person in an organization; 404 if there is none. Only the person learns that an e-mail address of
/// theirs is invited (decision 29).
pub(super) fn find(cx: &mut Cx, org: i64, user: i64) -> Result<Membership> {
    if let Some(role) = org::role_of(cx.tx, org, user)? {
        return Ok(Membership::Active(role));
    }
    let is_own = cx.my_id() == user;
    let open = if is_own { invitations::open_of(cx, org, user)? } else { invitations::open_to(cx, org, user)? };
    open.map(Membership::Pending).ok_or(Error::NotFound)
}

/// The record of a membership.
pub(super) fn show(cx: &mut Cx, org: i64, person: &User, membership: Membership) -> Result<OrganizationMembership> {
    let profile = record::profile(cx.tx, org)?;
    let organization = OrganizationSimple::new(cx.links, profile.id, &profile.login, profile.description);
    let standing = match membership {
        Membership::Active(role) => (true, role.to_owned()),
        Membership::Pending(open) => (false, invitations::membership_role(&open.role).to_owned()),
    };
    Ok(OrganizationMembership::new(cx.links, organization, person, standing))
}

/// Get a person's membership of an organization. Only owners and the invited person see a pending membership.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {
    /// The login of the person.
    pub username: String,
}

/// Gets a person's membership of an organization.
pub fn get(cx: &mut Cx, org: Granted<Org>, p: Get) -> Result<Record<OrganizationMembership>> {
    let person = user::by_login(cx.tx, &p.username)?;
    let membership = find(cx, org.id, person.id)?;
    if matches!(membership, Membership::Pending(_)) && !org.allows(&(OWNER | THE_USER)) {
        return Err(Error::NotFound);
    }
    Ok(show(cx, org.id, &person, membership)?.into())
}

words! {
    /// The role of a member.
    #[derive(Default)]
    pub enum Role {
        /// Organization owner.
        Admin = "admin",
        /// Organization member.
        #[default]
        Member = "member",
    }
}

impl Role {
    /// The role as an invitation stores it.
    fn of_invitation(self) -> &'static str {
        if self == Self::Member { "direct_member" } else { self.word() }
    }
}

/// Set a person's role in an organization. A person who is not a member is invited, and pending until they accept.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Put {
    /// The login of the person.
    pub username: String,
    /// The role. Default: `member`, which also turns an owner into a member.
    #[schemars(extend("default" = "member"))]
    pub role: Option<Role>,
}

/// Changes a member's role, invites a person, or changes the role of an invitation.
pub fn put(cx: &mut Cx, org: Granted<Org>, p: Put) -> Result<Record<OrganizationMembership>> {
    let person = invitations::addressee(cx.tx, &p.username, RESOURCE)?;
    let role = p.role.unwrap_or_default();
    let membership = match org::role_of(cx.tx, org.id, person.id)? {
        Some(now) if org::is_member(now) => {
            if now != role.word() {
                organization::set_role(cx, org.id, &person, (now, role.word()))?;
            }
            Membership::Active(role.word())
        }
        _ => {
            let mut open = invitations::invite(cx, org.id, &person, role.of_invitation(), &[])?;
            invitations::set_role(cx, &mut open, role.of_invitation())?;
            Membership::Pending(open)
        }
    };
    Ok(show(cx, org.id, &person, membership)?.into())
}

/// Remove a person from an organization and all its teams, or cancel their invitation.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Remove {
    /// The login of the person.
    pub username: String,
}

/// Removes a person from an organization and from all its teams, or withdraws their invitation.
pub fn remove(cx: &mut Cx, org: Granted<Org>, p: Remove) -> Result<Done> {
    let person = user::by_login(cx.tx, &p.username)?;
    match find(cx, org.id, person.id)? {
        Membership::Active(_) => organization::remove(cx, org.id, &person)?,
        Membership::Pending(open) => ending::cancel(cx, &open)?,
    }
    Ok(Done)
}
