//! The numbers of repositories that an organization keeps, one row at a time; a person's are counted when asked.

use crate::db::Tx;
use crate::error::Result;
use crate::people::login::Owner;

/// One repository more.
pub(super) fn add(tx: &mut Tx, owner: Owner, private: bool) -> Result<()> {
    change(tx, owner, private, 1)
}

/// One repository less.
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
