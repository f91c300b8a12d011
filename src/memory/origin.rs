//! Tells if a server still has the entry that a state was made from. After a failover, it may lack entries or have
//! others with the same numbers (docs/decisions/0028).

use super::At;
use crate::db::Tx;
use crate::error::Result;

/// True if the journal has this entry with this hash. A state without a hash was made from no entry.
pub(super) fn has_entry(tx: &mut Tx, at: At, expected: &[u8]) -> Result<bool> {
    Ok(!expected.is_empty() && hash(tx, at)? == expected)
}

/// The hash of an entry over everything before it, or empty if there is no such entry.
pub(super) fn hash(tx: &mut Tx, (org, entry): At) -> Result<Vec<u8>> {
    let found = tx.maybe("SELECT hash FROM journal WHERE org_id = $1 AND entry = $2", &[&org, &entry])?;
    Ok(found.unwrap_or_default())
}
