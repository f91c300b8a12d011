//! Logins that a team of the file names and its organization does not (decision 50). Most of them are typos, so they
//! are refused unless the operator wants to invite these people.

use std::collections::HashSet;

use super::desired::{Membership, Org, Team};
use super::fault::shown;
use super::logins::Known;
use crate::clock::Time;
use crate::db::Tx;
use crate::error::Result;
use crate::members::invitations::invited_address;
use crate::people::login;

/// How an import treats them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unlisted {
    /// It refuses the file.
    Refuse,
    /// It creates accounts for those who have none, and invites them.
    Invite,
}

/// Refuses the first of them who is neither in the organization of the store nor invited to it.
pub(super) fn refuse(tx: &mut Tx, org: &Org, known: &Known, now: Time) -> Result<()> {
    let people = org.people.iter().map(|person| login::key(&person.login));
    let invited = org.invitations.iter().filter_map(|invitation| invitation.login.as_deref().map(login::key));
    let listed: HashSet<String> = people.chain(invited).collect();
    let named = org.teams.iter().flat_map(|team| team.members.iter().map(move |member| (team, member)));
    let mut unlisted: Vec<(&Team, &Membership)> =
        named.filter(|(_, member)| !listed.contains(&login::key(&member.login))).collect();
    if unlisted.is_empty() {
        return Ok(());
    }
    let stored: HashSet<i64> = match known.org {
        Some(id) => tx.all::<(i64,)>(STORED, &[&id, &now.0])?.into_iter().map(|(user,)| user).collect(),
        None => HashSet::new(),
    };
    let is_stored = |key: &str| known.accounts.get(key).is_some_and(|account| stored.contains(&account.id));
    unlisted.retain(|(_, member)| !is_stored(&login::key(&member.login)));
    let Some((team, member)) = unlisted.first() else { return Ok(()) };
    let message = format!(
        "{} is on this team, but is not a member of the organization and has no invitation. Correct the login, list it \
         under the members, or run the import with --invite{}",
        shown(&member.login),
        others(&unlisted, member)
    );
    Err(org.fault(member.line, &team.key, message).into())
}

/// Members of the organization, and the people with open invitations.
const STORED: &str = concat!(
    "SELECT m.user_id FROM org_members m WHERE m.org_id = $1
     UNION
     SELECT i.user_id FROM invitations i
     WHERE i.org_id = $1 AND i.failed_at IS NULL AND i.expires_at > $2 AND i.user_id IS NOT NULL
     UNION
     SELECT ",
    invited_address::account!("i.org_id", "i.email_key"),
    " FROM invitations i
     WHERE i.org_id = $1 AND i.failed_at IS NULL AND i.expires_at > $2 AND i.user_id IS NULL AND ",
    invited_address::account!("i.org_id", "i.email_key"),
    " IS NOT NULL"
);

fn others(unlisted: &[(&Team, &Membership)], first: &Membership) -> String {
    let keys: HashSet<String> = unlisted.iter().map(|(_, member)| login::key(&member.login)).collect();
    let first = login::key(&first.login);
    match keys.iter().filter(|key| **key != first).count() {
        0 => String::new(),
        1 => " (1 more login is like this)".to_owned(),
        n => format!(" ({n} more logins are like this)"),
    }
}
