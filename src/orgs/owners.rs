//! Owners: an organization is never left without an active one (decision 21).

use crate::error::{Error, Result};
use crate::operation::Cx;
use crate::orgs::org;

/// Refuses to take this person from the owners, or from the organization, if no other active owner would be left;
/// whoever is no owner passes. A suspended owner is not active.
pub fn keep_one(cx: &mut Cx, org: i64, user: i64) -> Result<()> {
    if org::role_of(cx.tx, org, user)? != Some("admin") || cx.tx.any(ANOTHER, &[&org, &user])? {
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
