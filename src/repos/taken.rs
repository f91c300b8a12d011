//! Names of repositories that another one has, without telling a caller who does not see it (decisions 9 and 33).

use super::naming::name_key;
use super::repo::Repo;
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::limits::guesses;
use crate::operation::Cx;
use crate::people::login::Owner;

/// Returns 422 if another repository of this owner has the name. A caller who has hit too many repositories that they do not
/// see is refused every name for a minute, even a free one (decision 9).
pub fn refuse(cx: &mut Cx, owner: Owner, name: &str) -> Result<()> {
    let refused = || Error::explained("Repository", "custom", "name", "name already exists on this account");
    let is_taken = is_taken(cx.tx, owner, name)?;
    if is_taken && Repo::shown_by_name(cx, owner, name)?.is_some() {
        return Err(refused());
    }
    guesses::refuse_guessing(&cx.site.guesses, cx.my_id(), cx.now()?)?;
    if is_taken { Err(Error::Disclosing(Box::new(refused()))) } else { Ok(()) }
}

fn is_taken(tx: &mut Tx, owner: Owner, name: &str) -> Result<bool> {
    let key = name_key(name);
    match owner {
        Owner::Org(id) => tx.any("SELECT id FROM repos WHERE org_id = $1 AND name_key = $2", &[&id, &key]),
        Owner::User(id) => tx.any("SELECT id FROM repos WHERE user_id = $1 AND name_key = $2", &[&id, &key]),
    }
}
