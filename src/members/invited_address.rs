//! Whose an address is to which somebody was invited: the one definition (decisions 27 and 49).
//!
//! It is the account's that has verified it. If none has, it is, for invitations of an organization alone, the account's
//! that is tied to the organization's provider's record of that address, to the oldest if there are several.

use crate::db::Tx;
use crate::error::Result;
use crate::people::email;
use crate::people::user::User;

/// The account whose the address of this key is for invitations of this organization, or null.
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

/// The open invitations `x` to addresses of this person, for which a further condition holds; some twice.
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
            $crate::members::invited_address::account!("x.org_id", "x.email_key"),
            " = ",
            $person
        )
    };
}
pub(crate) use invitations_to;

/// The account whose this address is for invitations of an organization.
pub fn account_of(tx: &mut Tx, org: i64, address: &str) -> Result<Option<User>> {
    tx.maybe(ACCOUNT_OF, &[&org, &email::key(address)])
}

const ACCOUNT_OF: &str =
    concat!("SELECT u.id, u.login, u.site_admin, u.suspended FROM users u WHERE u.id = ", account!("$1", "$2"));
