//! The one definition of which account an e-mail address signs in (decision 61).
//!
//! It signs in the account that has verified it, and no other one while that account is suspended. An e-mail address that no
//! account has verified signs in the account whose record at an identity provider has it, if the organization of the
//! record manages the account, and while the account is in no other organization and is no site administrator. If there
//! are several such accounts, that of the oldest record counts. Other unverified e-mail addresses sign in no account.

use super::email::{self, Held};
use super::user::User;
use crate::db::{Tx, select};
use crate::error::Result;

/// An account, with the e-mail address that signs it in as the account has it.
#[derive(Debug)]
pub struct Holder {
    /// The account.
    pub user: User,
    /// The e-mail address.
    pub email: Held,
}

/// The account that the e-mail address with this key signs in. It takes the same statements if there is none.
pub fn of(tx: &mut Tx, key: &str) -> Result<Option<Holder>> {
    let user: Option<User> = tx.maybe(ACCOUNT, &[&key])?;
    let held = email::of(tx, user.as_ref().map_or(0, |user| user.id))?;
    let email = held.into_iter().find(|held| held.has_key(key));
    Ok(user.zip(email).map(|(user, email)| Holder { user, email }))
}

const ACCOUNT: &str = select!(User from
    "users u
     WHERE u.suspended = FALSE
       AND u.id = coalesce(
           (SELECT v.user_id FROM emails v WHERE v.email_key = $1 AND v.verified = TRUE),
           (SELECT m.user_id
            FROM scim_emails a CROSS JOIN scim_users s CROSS JOIN managed_accounts m CROSS JOIN users p
            WHERE a.email_key = $1 AND s.id = a.member_id AND m.user_id = s.user_id AND m.org_id = s.org_id
              AND p.id = m.user_id AND p.site_admin = FALSE
              AND NOT EXISTS (SELECT 1 FROM org_members o WHERE o.user_id = m.user_id AND o.org_id <> m.org_id)
            ORDER BY s.id LIMIT 1))");
