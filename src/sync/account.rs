//! The effect of a provider's description of a person on accounts and on their membership of the organization.
//!
//! Implements decision 49. An account is tied to a record if SCIM made the account, which the organization then
//! manages, or if its owner has accepted: the user who has verified an e-mail address of the record is asked. A managed
//! account is suspended with its record and keeps its memberships (decision 21). Any other account leaves the
//! organization, and the account itself is not changed. Neither happens to the last owner.

use std::collections::BTreeSet;

use serde_json::json;

use super::document::key;
use super::user::User as Described;
use crate::accounts;
use crate::error::{Error, Result};
use crate::journal::{self, Change};
use crate::members::invitations::{self, Invitee, close, ending};
use crate::members::{groups, organization, roles};
use crate::operation::Cx;
use crate::orgs::org;
use crate::people::user::{self, User};
use crate::people::{admin, email, login};

/// Does what the provider wants for a record without an account: asks the user who has an e-mail address of the record,
/// or ties an account that the organization manages. The account is made if there is none.
pub fn provision(cx: &mut Cx, org: i64, record: &Described) -> Result<()> {
    if let Some(person) = verified(cx, org, record)? {
        cx.tx.run("UPDATE scim_users SET offered_to = $2 WHERE id = $1", &[&record.id, &person])?;
        return if record.active { offer(cx, org, record, person) } else { Ok(()) };
    }
    let account = match left(cx, org, record)? {
        Some(account) => account,
        None => make(cx, org, record)?,
    };
    cx.tx.run("UPDATE scim_users SET user_id = $2 WHERE id = $1", &[&record.id, &account])?;
    call(cx, account, record)?;
    email::follow(cx.tx, account, &record.usable_addresses(), &[])?;
    if record.active { activate(cx, org, account) } else { deactivate(cx, org, account) }
}

/// The user who has verified an e-mail address of the record and has no record in this organization yet.
fn verified(cx: &mut Cx, org: i64, record: &Described) -> Result<Option<i64>> {
    for address in record.addresses() {
        let found: Option<i64> = cx.tx.maybe(VERIFIED, &[&address, &org])?;
        if let Some(person) = found {
            return Ok(Some(person));
        }
    }
    Ok(None)
}

const VERIFIED: &str = "
    SELECT e.user_id FROM emails e
    WHERE e.email_key = $1 AND e.verified = TRUE
      AND NOT EXISTS (SELECT 1 FROM scim_users s WHERE s.user_id = e.user_id AND s.org_id = $2)";

/// The account of a deleted record with the same name, which the organization still manages.
fn left(cx: &mut Cx, org: i64, record: &Described) -> Result<Option<i64>> {
    cx.tx.maybe(LEFT, &[&org, &key(&record.name)])
}

const LEFT: &str = "
    SELECT a.user_id FROM managed_accounts a
    WHERE a.org_id = $1 AND a.left_by = $2
      AND NOT EXISTS (SELECT 1 FROM scim_users s WHERE s.user_id = a.user_id AND s.org_id = $1)";

/// True if the account is suspended by the organization, if the organization manages it.
fn manages(cx: &mut Cx, org: i64, account: i64) -> Result<Option<bool>> {
    cx.tx.maybe(MANAGES, &[&account, &org])
}

const MANAGES: &str = "SELECT suspended FROM managed_accounts WHERE user_id = $1 AND org_id = $2";

fn make(cx: &mut Cx, org: i64, record: &Described) -> Result<i64> {
    journal::widen(cx.tx, [journal::SITE])?;
    let user = user::create_for(cx.tx, &record.name, cx.now()?)?;
    cx.tx.run("INSERT INTO managed_accounts (user_id, org_id) VALUES ($1, $2)", &[&user.id, &org])?;
    user::announce(cx, &user)?;
    Ok(user.id)
}

/// Gives a managed account the name of its record.
fn call(cx: &mut Cx, account: i64, record: &Described) -> Result<()> {
    cx.tx.run(CALL, &[&account, &record.called(), &cx.now()?.0])?;
    Ok(())
}

const CALL: &str = "
    UPDATE users
    SET name = $2, updated_at = CASE WHEN updated_at > $3 THEN updated_at ELSE $3 END
    WHERE id = $1 AND name IS DISTINCT FROM $2";

/// Applies what the provider now says about a person.
pub fn settle(cx: &mut Cx, org: i64, before: &Described, after: &Described) -> Result<()> {
    let Some(account) = after.account else {
        return match after.offered_to {
            Some(person) if after.active => offer(cx, org, after, person),
            Some(_) => withdraw(cx, org, before),
            None if after.active => provision(cx, org, after),
            None => Ok(()),
        };
    };
    if manages(cx, org, account)?.is_some() {
        rename(cx, org, account, (&before.name, &after.name))?;
        call(cx, account, after)?;
        email::follow(cx.tx, account, &after.usable_addresses(), &before.usable_addresses())?;
    }
    if !after.active {
        return deactivate(cx, org, account);
    }
    if !before.active {
        // The provider names the person again, so their groups count again.
        cx.tx.run("UPDATE scim_group_members SET named = TRUE WHERE member_id = $1", &[&after.id])?;
    }
    activate(cx, org, account)
}

/// Renames a managed account: its login is made from its record's name.
fn rename(cx: &mut Cx, org: i64, account: i64, (before, after): (&str, &str)) -> Result<()> {
    if login::from_name(before) == login::from_name(after) {
        return Ok(());
    }
    let person = person(cx, account)?;
    let login = login::claim_for(cx.tx, account, after)?;
    if login == person.login {
        return Ok(());
    }
    if login::key(&person.login) != login::key(&login) {
        login::leave(cx.tx, &person.login)?;
    }
    admin::set_login(cx, account, &login)?;
    let (before, after) = (json!({ "login": person.login }), json!({ "id": account, "login": login }));
    cx.record(org, Change::new("user.rename", &before, &after))
}

fn person(cx: &mut Cx, account: i64) -> Result<User> {
    user::by_id(cx.tx, account)?.ok_or(Error::NotFound)
}

/// Brings an account into the organization: a managed account at once, by an open invitation to an e-mail address of
/// its record if there is one; another account by an invitation. A member no longer needs an invitation to such an
/// e-mail address.
fn activate(cx: &mut Cx, org: i64, account: i64) -> Result<()> {
    let managed = manages(cx, org, account)?;
    if managed == Some(true) {
        set_suspended(cx, org, account, false)?;
    }
    let person = person(cx, account)?;
    match (org::role_of(cx.tx, org, account)?, managed) {
        (Some(role), _) => {
            if org::is_member(role) {
                close(cx, org, account)?;
            }
            groups::follow(cx, org, &BTreeSet::from([account]))
        }
        (None, Some(_)) => {
            invitations::refuse_suspended(cx.tx, &person, "User")?;
            match invitations::open_of(cx, org, account)? {
                Some(_) => ending::accept(cx, org, &person),
                None => organization::add(cx, org, &person, "member"),
            }
        }
        (None, None) => invitations::invite(cx, org, &person, "direct_member", &[]).map(drop),
    }
}

/// Asks the user to accept the tie, with an invitation to their e-mail address in the record, which tells the
/// organization nothing about the account (decision 29). A member may accept as well as an invited user.
fn offer(cx: &mut Cx, org: i64, record: &Described, account: i64) -> Result<()> {
    if org::role_of(cx.tx, org, account)?.is_some() {
        return Ok(());
    }
    for address in record.written_addresses() {
        if cx.tx.any(VERIFIED_BY, &[&email::key(address), &account])? {
            let invitee = Invitee::Address(address);
            if invitations::open_for(cx, org, &invitee)?.is_none() {
                invitations::send(cx, org, &invitee, "direct_member", &[])?;
            }
            return Ok(());
        }
    }
    Ok(())
}

const VERIFIED_BY: &str = "SELECT 1 FROM emails WHERE email_key = $1 AND user_id = $2 AND verified = TRUE";

/// Withdraws the invitations to the e-mail addresses of a record, because the provider does not want the person.
fn withdraw(cx: &mut Cx, org: i64, record: &Described) -> Result<()> {
    for address in record.written_addresses() {
        if let Some(open) = invitations::open_for(cx, org, &Invitee::Address(address))? {
            ending::cancel(cx, &open)?;
        }
    }
    Ok(())
}

/// Suspends an account that the organization manages, which keeps its memberships. Removes any other account from the
/// organization. Refuses this for a site administrator and for the last active owner of any organization concerned.
fn deactivate(cx: &mut Cx, org: i64, account: i64) -> Result<()> {
    let person = person(cx, account)?;
    let (role, managed) = (org::role_of(cx.tx, org, account)?, manages(cx, org, account)?);
    if person.site_admin && (role.is_some() || managed.is_some()) {
        let text = "An identity provider cannot remove a site administrator. Another site administrator must first revoke \
                    that role: DELETE /users/{username}/site_admin.";
        return Err(Error::data("User", text));
    }
    if managed.is_none() {
        return if role.is_some() { organization::remove(cx, org, &person) } else { Ok(()) };
    }
    if !person.suspended {
        let owned: Vec<i64> = cx.tx.all(OWNED, &[&account])?;
        owned.into_iter().try_for_each(|org| roles::keep_an_owner(cx, org, account))?;
        set_suspended(cx, org, account, true)?;
    }
    Ok(())
}

/// Ends the membership of the account that is tied to a record which its provider deletes. A managed account belongs to
/// a later record with the same name.
pub fn part(cx: &mut Cx, org: i64, record: &Described) -> Result<()> {
    let Some(account) = record.account else { return Ok(()) };
    if manages(cx, org, account)?.is_some() {
        email::follow(cx.tx, account, &[], &record.usable_addresses())?;
    }
    cx.tx.run(LEAVE, &[&account, &org, &key(&record.name)])?;
    if org::role_of(cx.tx, org, account)?.is_none() {
        return Ok(());
    }
    let person = person(cx, account)?;
    organization::remove(cx, org, &person)
}

const LEAVE: &str = "UPDATE managed_accounts SET left_by = $3 WHERE user_id = $1 AND org_id = $2";

const OWNED: &str = "SELECT org_id FROM org_members WHERE user_id = $1 AND role = 'admin' ORDER BY org_id";

fn set_suspended(cx: &mut Cx, org: i64, account: i64, suspended: bool) -> Result<()> {
    accounts::set_suspended(cx, account, suspended)?;
    cx.tx.run("UPDATE managed_accounts SET suspended = $2 WHERE user_id = $1", &[&account, &suspended])?;
    let action = if suspended { "user.suspend" } else { "user.unsuspend" };
    cx.record(
        org,
        Change::new(
            action,
            &json!({ "id": account, "suspended": !suspended }),
            &json!({ "id": account, "suspended": suspended }),
        ),
    )
}
