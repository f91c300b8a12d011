//! The one definition of which account an invited e-mail address belongs to (decisions 27 and 49).
//!
//! An e-mail address belongs to the account that has verified it. If there is none, and only for invitations of an
//! organization, it belongs to the account linked to the record that the organization's provider has for the e-mail
//! address. If there are several such records, the oldest counts.

use crate::db::{Tx, select};
use crate::error::Result;
use crate::members::roles;
use crate::people::email;
use crate::people::user::User;

/// SQL for the account that the e-mail address with this key belongs to, for invitations of this organization, or null.
macro_rules! account {
    ($org:literal, $key:literal) => {
        concat!(
            "coalesce((SELECT ve.user_id FROM emails ve WHERE ve.verified = TRUE AND ve.email_key = ",
            $key,
            "), (SELECT su.user_id FROM scim_emails sa CROSS JOIN scim_users su
                 WHERE su.id = sa.member_id AND su.user_id IS NOT NULL AND sa.org_id = ",
            $org,
            " AND sa.email_key = ",
            $key,
            " ORDER BY su.id LIMIT 1))"
        )
    };
}
pub(crate) use account;

/// SQL for the open invitations `x` to e-mail addresses of this person that meet one more condition. Some appear twice.
macro_rules! invitations_to {
    ($person:literal, $and:literal) => {
        concat!(
            "SELECT x.id, x.org_id FROM emails e CROSS JOIN invitations x
             WHERE e.verified = TRUE AND x.email_key = e.email_key AND x.failed_at IS NULL AND e.user_id = ",
            $person,
            $and,
            " UNION ALL
             SELECT x.id, x.org_id FROM scim_users s CROSS JOIN scim_emails a CROSS JOIN invitations x
             WHERE a.member_id = s.id AND x.org_id = s.org_id AND x.email_key = a.email_key AND x.failed_at IS NULL
               AND s.user_id = ",
            $person,
            $and,
            " AND ",
            $crate::members::invitations::invited_address::account!("x.org_id", "x.email_key"),
            " = ",
            $person
        )
    };
}
pub(crate) use invitations_to;

/// The role in an organization of the account that this e-mail address belongs to. It takes the same statement if there
/// is no such account, so that the time of a response does not tell whether there is one.
pub fn role_of(tx: &mut Tx, org: i64, address: &str) -> Result<Option<&'static str>> {
    tx.word(ROLE_OF, &[&org, &email::key(address)], &roles::ROLES)
}

const ROLE_OF: &str =
    concat!("SELECT m.role FROM org_members m WHERE m.org_id = $1 AND m.user_id = ", account!("$1", "$2"));

/// The account that this e-mail address belongs to, for invitations of an organization.
pub fn account_of(tx: &mut Tx, org: i64, address: &str) -> Result<Option<User>> {
    tx.maybe(ACCOUNT_OF, &[&org, &email::key(address)])
}

const ACCOUNT_OF: &str = select!(User from "users u WHERE u.id = ", account!("$1", "$2"));
