//! The counts of repositories that are stored with an organization, changed one row at a time. A person's repositories
//! are counted when the counts are read.

use crate::db::Tx;
use crate::error::Result;
use crate::people::login::Owner;

/// Counts one more repository.
pub(super) fn add(tx: &mut Tx, owner: Owner, private: bool) -> Result<()> {
    change(tx, owner, private, 1)
}

/// Counts one repository less.
pub(super) fn remove(tx: &mut Tx, owner: Owner, private: bool) -> Result<()> {
    change(tx, owner, private, -1)
}

fn change(tx: &mut Tx, owner: Owner, private: bool, by: i64) -> Result<()> {
    let Owner::Org(org) = owner else { return Ok(()) };
    tx.run(if private { PRIVATE } else { PUBLIC }, &[&org, &by])?;
    Ok(())
}

const PUBLIC: &str = "UPDATE orgs SET public_repos = public_repos + $2 WHERE id = $1";
const PRIVATE: &str = "UPDATE orgs SET private_repos = private_repos + $2 WHERE id = $1";
