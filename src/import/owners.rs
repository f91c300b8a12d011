//! The owners of an organization that exists (decision 50). A file changes them only if the operator says so, because a
//! mistyped login would give the organization away, and two exchanged lists would lock its owners out.

use std::collections::HashSet;

use super::cursor::nearest_login;
use super::desired::{Org, Role};
use super::fault::{Faults, shown};
use super::logins::Known;
use crate::clock::Time;
use crate::db::Tx;
use crate::error::Result;
use crate::members::invitations::invited_address;
use crate::people::{email, login};

/// The role of an owner, and of an invitation of one.
const OWNER: &str = "admin";

/// The role of an invitation that gives a former member the role that they had.
const REINSTATE: &str = "reinstate";

/// Refuses everyone whom the file makes or invites as an owner, and every owner whom it makes a member.
pub(super) fn refuse(tx: &mut Tx, org: &Org, id: i64, known: &Known, now: Time, faults: &Faults) -> Result<()> {
    let owners = users(tx, OWNERS, id)?;
    let members: Vec<String> = tx.all::<(String,)>(MEMBERS, &[&id])?.into_iter().map(|(login,)| login).collect();
    let user = |login: &str| known.accounts.get(&login::key(login)).map(|account| account.id);
    let refused = |who: &str, line, key: &str, why: String| {
        let message = format!("{} {why}. Correct the file, or run the import with --owners", shown(who));
        faults.add(org.fault(line, key, message));
    };
    for person in &org.people {
        let user = user(&person.login);
        let why = match (person.role, user.is_some_and(|user| owners.contains(&user))) {
            (Role::Admin, false) if user.is_none() => {
                let near = nearest_login(&person.login, members.iter().map(String::as_str));
                let hint = near.map(|near| format!(" (did you mean {}?)", shown(near))).unwrap_or_default();
                format!("has no account and would become an owner of the organization{hint}")
            }
            (Role::Admin, false) => "would become an owner of the organization".to_owned(),
            (Role::Member, true) => "would no longer be an owner of the organization".to_owned(),
            _ => continue,
        };
        refused(&person.login, person.line, &org.key, why);
    }
    let mut invited = org.invitations.iter().filter(|one| [OWNER, REINSTATE].contains(&one.role)).peekable();
    if invited.peek().is_none() {
        return Ok(());
    }
    let former = users(tx, FORMER_OWNERS, id)?;
    let open: Vec<(Option<i64>, Option<String>, String)> = tx.all(INVITED, &[&id, &now.0])?;
    for invitation in invited {
        let user = invitation.login.as_deref().and_then(user);
        let address = invitation.email.as_deref().filter(|_| invitation.login.is_none()).map(email::key);
        // An e-mail address may be that of a former owner.
        let was_owner = user.map_or(address.is_some() && !former.is_empty(), |user| former.contains(&user));
        if invitation.role == REINSTATE && !was_owner {
            continue;
        }
        let is_stored = |(known, key, role): &(Option<i64>, Option<String>, String)| {
            let is_same = user.is_some() && user == *known || address.is_some() && address == *key;
            is_same && (role == OWNER || role == invitation.role)
        };
        if !user.is_some_and(|user| owners.contains(&user)) && !open.iter().any(is_stored) {
            let who = invitation.login.as_ref().or(invitation.email.as_ref()).map_or("", String::as_str);
            let why = "would be invited as an owner of the organization".to_owned();
            refused(who, invitation.line, &invitation.key, why);
        }
    }
    Ok(())
}

fn users(tx: &mut Tx, statement: &'static str, org: i64) -> Result<HashSet<i64>> {
    Ok(tx.all::<(i64,)>(statement, &[&org])?.into_iter().map(|(user,)| user).collect())
}

const OWNERS: &str = "SELECT user_id FROM org_members WHERE org_id = $1 AND role = 'admin'";

const MEMBERS: &str = "
    SELECT u.login FROM org_members m JOIN users u ON u.id = m.user_id WHERE m.org_id = $1 ORDER BY m.user_id";

const FORMER_OWNERS: &str = "SELECT user_id FROM former_members WHERE org_id = $1 AND role = 'admin'";

/// The people and e-mail addresses that are invited as owners, or to be what they were.
const INVITED: &str = concat!(
    "SELECT coalesce(i.user_id, ",
    invited_address::account!("i.org_id", "i.email_key"),
    "), i.email_key, i.role
     FROM invitations i
     WHERE i.org_id = $1 AND i.role IN ('admin', 'reinstate') AND i.failed_at IS NULL AND i.expires_at > $2"
);
