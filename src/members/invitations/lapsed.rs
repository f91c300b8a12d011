//! Invitations that end because the person joins or leaves, or because they have expired.
//!
//! Implements decisions 26 (expiry) and 28.

use super::invited_address::invitations_to;
use crate::error::Result;
use crate::operation::Cx;

/// The reason of a failure when an invitation was not accepted in time.
pub const EXPIRED: &str = "Invitation expired. It was not accepted in time.";

/// Deletes the open invitations of a person who joins or leaves. They are no longer needed and leave no trace.
pub fn close(cx: &mut Cx, org: i64, user: i64) -> Result<()> {
    fail_expired(cx, org)?;
    cx.tx.run(CLOSE, &[&org, &user])?;
    Ok(())
}

const CLOSE: &str = concat!(
    "DELETE FROM invitations WHERE id IN (
        SELECT x.id FROM invitations x WHERE x.org_id = $1 AND x.user_id = $2 AND x.failed_at IS NULL
        UNION ALL SELECT addressed.id FROM (",
    invitations_to!("$2", " AND x.org_id = $1"),
    ") addressed)"
);

/// Marks expired invitations as failed. They stay as records without their teams. Nothing depends on when this runs,
/// because readers check the expiry themselves.
pub fn fail_expired(cx: &mut Cx, org: i64) -> Result<()> {
    let overdue: Vec<i64> = cx.tx.all(OVERDUE, &[&org, &cx.now()?.0])?;
    for id in overdue {
        cx.tx.run("DELETE FROM invitation_teams WHERE invitation_id = $1", &[&id])?;
        cx.tx.run(FAIL, &[&id, &EXPIRED])?;
    }
    Ok(())
}

const OVERDUE: &str = "SELECT id FROM invitations WHERE org_id = $1 AND failed_at IS NULL AND expires_at <= $2";

const FAIL: &str = "UPDATE invitations SET failed_at = expires_at, failed_reason = $2 WHERE id = $1";
