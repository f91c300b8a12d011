//! The operator, who runs commands on the store itself. For the policy and for what is seen, they are an owner of the
//! organization that the path names, or the person that it names; on the site, a site administrator. Records name no
//! person.

use super::token::{Presenter, person};
use crate::db::{Tx, row, select};
use crate::error::Result;
use crate::operation::{Caller, Path, Person};
use crate::people::login::{self, Owner};

/// The operator as the caller of an operation.
pub fn present(tx: &mut Tx, path: &Path) -> Result<Presenter> {
    let named = path.get("org").or_else(|| path.get("owner"));
    let person = match named.map(|name| login::find(tx, name)).transpose()?.flatten() {
        Some(Owner::Org(id)) => tx.maybe::<Acting>(OWNER, &[&id])?,
        Some(Owner::User(id)) => tx.maybe::<Acting>(PERSON, &[&id])?,
        None => None,
    };
    let caller = Caller { person: person.map(|of| of.person), is_operator: true, ..Caller::default() };
    Ok(Presenter::new(caller, false))
}

row! {
    /// The person whose place the operator takes.
    struct Acting from "u" {
        person: Person = "u.id, u.login, u.site_admin" => person,
    }
}

/// An active owner, or a suspended one if there is no other.
const OWNER: &str = select!(Acting from
    "org_members m JOIN users u ON u.id = m.user_id
     WHERE m.org_id = $1 AND m.role = 'admin'
     ORDER BY u.suspended, u.id LIMIT 1");

const PERSON: &str = select!(Acting from "users u WHERE u.id = $1");
