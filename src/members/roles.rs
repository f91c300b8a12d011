//! Roles in an organization, and the checks that it always has an active owner (decision 21) and that a session changes
//! owners only after a recent sign-in (decision 61).

use crate::db::Tx;
use crate::error::{Error, Result};
use crate::operation::Cx;

/// The roles in an organization.
pub const ROLES: [&str; 3] = ["admin", "member", "billing_manager"];

/// True if this role is a member's. A billing manager is in the organization but has no rights there.
#[must_use]
pub fn is_member(role: &str) -> bool {
    matches!(role, "admin" | "member")
}

/// The role of a person in an organization, if they are in it.
pub fn role_of(tx: &mut Tx, org: i64, user: i64) -> Result<Option<&'static str>> {
    tx.word(ROLE_OF, &[&org, &user], &ROLES)
}

const ROLE_OF: &str = "SELECT role FROM org_members WHERE org_id = $1 AND user_id = $2";

/// Refuses a session without a recent sign-in if one of these roles, before and after a change or in an invitation, is an
/// owner's. An invitation to return may make an owner. A person who accepts an invitation passes: an owner decided on it.
pub fn refuse_stale_session(cx: &Cx, roles: &[&str]) -> Result<()> {
    if roles.iter().any(|role| matches!(*role, "admin" | "reinstate")) { cx.refuse_stale_session() } else { Ok(()) }
}

/// Refuses to remove this person from the owners or from the organization if no other active owner would remain. People
/// who are not owners pass. A suspended owner is not active.
pub fn keep_an_owner(cx: &mut Cx, org: i64, user: i64) -> Result<()> {
    if role_of(cx.tx, org, user)? != Some("admin") || cx.tx.any(ANOTHER, &[&org, &user])? {
        return Ok(());
    }
    let text = "This is the last active owner of the organization. Make another member an owner first: \
                PUT /orgs/{org}/memberships/{username} with the role admin.";
    Err(Error::data("Organization", text))
}

const ANOTHER: &str = "
    SELECT m.user_id FROM org_members m JOIN users u ON u.id = m.user_id
    WHERE m.org_id = $1 AND m.role = 'admin' AND m.user_id <> $2 AND u.suspended = FALSE
    LIMIT 1";
