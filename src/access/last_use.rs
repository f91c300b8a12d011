//! Storing when tokens and sessions were last used (decisions 41 and 61).

use crate::clock::Time;
use crate::db::Tx;
use crate::error::Result;

/// Stores with this statement when they were last used, in the order of their IDs: two nodes that store the same ones must
/// not deadlock. Nothing else shares the transaction, and what a caller may do does not depend on it.
pub(super) fn store(tx: &mut Tx, statement: &'static str, used: &[(i64, Time)]) -> Result<()> {
    tx.is_bookkeeping();
    let mut used = used.to_vec();
    used.sort_unstable_by_key(|(id, _)| *id);
    used.iter().try_for_each(|(id, at)| tx.run(statement, &[id, &at.0]).map(drop))
}
