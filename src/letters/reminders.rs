//! Reminders of invitations that were not answered in the first half of their term. Each is recorded, and sent once.

use crate::clock::Time;
use crate::db::{Lock, Tx};
use crate::error::Result;
use crate::journal::{self, Author, Change, Event};

/// The number of reminders that are recorded in one transaction.
const STEP: i64 = 100;

/// True if a reminder of any invitation is due.
pub fn is_due(tx: &mut Tx, now: Time) -> Result<bool> {
    Ok(!tx.all::<(i64, i64)>(DUE, &[&now.0, &1_i64])?.is_empty())
}

/// Records a reminder for open invitations that are due for one. If more than a hundred are due, the rest wait for the
/// next call.
pub fn remind(tx: &mut Tx, author: &Author<'_>) -> Result<()> {
    let Time(now) = author.at;
    let due: Vec<(i64, i64)> = tx.all(DUE, &[&now, &STEP])?;
    let journals: Vec<Lock> = due.iter().map(|(org, _)| Lock::Journal(*org)).collect();
    journal::lock(tx, &journals)?;
    for (org, invitation) in due {
        // It may have been answered, or another node may have recorded its reminder, before the lock was taken.
        let Some((generation,)) = tx.run_all(REMIND, &[&invitation, &now])?.pop() else { continue };
        author.record(tx, org, Change::of(&Event::InvitationReminded { invitation, generation }))?;
    }
    Ok(())
}

/// Half of the time between the e-mail and the expiry has passed.
const DUE: &str = "
    SELECT org_id, id FROM invitations
    WHERE failed_at IS NULL AND reminded_at IS NULL AND mailed_at IS NOT NULL
      AND expires_at > $1 AND $1 - mailed_at >= expires_at - $1
    ORDER BY id LIMIT $2";

const REMIND: &str = "
    UPDATE invitations SET reminded_at = $2
    WHERE id = $1 AND failed_at IS NULL AND reminded_at IS NULL AND expires_at > $2
    RETURNING generation";
