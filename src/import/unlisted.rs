//! Logins that a team of the file names and its organization does not (decision 50). Most of them are typos, so they
//! are refused unless the operator wants to invite these people.

use std::collections::HashSet;

use super::desired::{Membership, Org, Team};
use super::fault::{Faults, shown};
use super::logins::Known;
use crate::clock::Time;
use crate::db::Tx;
use crate::error::Result;
use crate::members::invitations::invited_address;
use crate::people::login;

/// The treatment of these logins by an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unlisted {
    /// It refuses the file.
    Refuse,
    /// It creates accounts for those who have none, and invites them.
    Invite,
}

/// A membership of a team in the file.
type Named<'f> = (&'f Team, &'f Membership);

/// Those whom the file does not list; none if they are to be invited.
pub(super) fn of(org: &Org, choice: Unlisted) -> Vec<Named<'_>> {
    if choice == Unlisted::Invite {
        return Vec::new();
    }
    let people = org.people.iter().map(|person| login::key(&person.login));
    let invited = org.invitations.iter().filter_map(|invitation| invitation.login.as_deref().map(login::key));
    let listed: HashSet<String> = people.chain(invited).collect();
    let named = org.teams.iter().flat_map(|team| team.members.iter().map(move |member| (team, member)));
    named.filter(|(_, member)| !listed.contains(&login::key(&member.login))).collect()
}

/// Leaves out those who are in the organization of the store, or invited to it.
pub(super) fn without_stored(
    tx: &mut Tx,
    id: i64,
    known: &Known,
    now: Time,
    unlisted: &mut Vec<Named<'_>>,
) -> Result<()> {
    if unlisted.is_empty() {
        return Ok(());
    }
    let stored: HashSet<i64> = tx.all::<(i64,)>(STORED, &[&id, &now.0])?.into_iter().map(|(user,)| user).collect();
    let is_stored = |key: &str| known.accounts.get(key).is_some_and(|account| stored.contains(&account.id));
    unlisted.retain(|(_, member)| !is_stored(&login::key(&member.login)));
    Ok(())
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

/// Refuses each place that names one of them.
pub(super) fn refuse(org: &Org, unlisted: &[Named<'_>], faults: &Faults) {
    for (team, member) in unlisted {
        let message = format!(
            "{} is on this team, but is not a member of the organization and has no invitation. Correct the login, \
             list it under the members, or run the import with --invite",
            shown(&member.login)
        );
        faults.add(org.fault(member.line, &team.key, message));
    }
}
