//! An invitation as the subject that the token of a link names. An invitation that the token does not prove is not
//! found.

use crate::clock::Time;
use crate::db::{Lock, Tx, row, select};
use crate::error::{Error, Result};
use crate::journal::SITE;
use crate::mail::token::{self, Purpose, Sent};
use crate::members::invitations::EXPIRED;
use crate::members::invitations::invited_address;
use crate::name;
use crate::operation::{Caller, Cx, Path, Subject};
use crate::people::me;
use crate::people::user::{self, User};
use crate::policy::Standing;

/// The number of earlier generations of a link that are recognized, to say that a later e-mail replaces them.
const EARLIER: i64 = 20;

row! {
    /// An invitation that a link names.
    #[derive(Debug, Clone)]
    pub struct Linked from "i" {
        /// ID.
        pub id: i64,
        /// Organization.
        pub org: i64 = "i.org_id",
        /// Login of the organization.
        pub org_login: String = "o.login",
        /// Name of the organization, if it has one.
        pub org_name: Option<String> = "o.name",
        /// The invited account, unless an e-mail address is invited.
        pub user: Option<i64> = "i.user_id",
        /// The e-mail address that the e-mail went to: the one that `letters` sends to.
        pub address: String = "coalesce(i.email, (SELECT e.email FROM emails e
                                        WHERE e.user_id = i.user_id AND e.is_primary = TRUE ORDER BY e.id LIMIT 1), '')",
        /// The role that it gives.
        pub role: String,
        /// Name or login of the inviter.
        pub inviter: Option<String> = "v.login, v.name" => name::or_login,
        /// The time at which it expires.
        pub expires_at: Time,
        /// The reason why it can no longer be answered, if it cannot.
        pub ended: Option<String> = "i.failed_reason",
        generation: i64,
    }
}

const BY_ID: &str = select!(Linked from
    "invitations i
     JOIN orgs o ON o.id = i.org_id
     LEFT JOIN users v ON v.id = i.inviter_id
     WHERE i.id = $1");

impl Linked {
    /// The account that the invitation is for, if there is one.
    pub fn account(&self, tx: &mut Tx) -> Result<Option<User>> {
        match self.user {
            Some(user) => user::by_id(tx, user),
            None => invited_address::account_of(tx, self.org, &self.address),
        }
    }
}

fn found(tx: &mut Tx, token: &str) -> Result<Option<(Linked, Purpose)>> {
    let Some(purpose @ Purpose::Invitation(id)) = token::claimed_invitation(token) else { return Ok(None) };
    Ok(tx.maybe::<Linked>(BY_ID, &[&id])?.map(|linked| (linked, purpose)))
}

impl Subject for Linked {
    const FORMS: &'static [&'static str] = &["/ui/invitations/{token}"];

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        let token = path.get("token").unwrap_or_default();
        let (mut linked, purpose) = found(cx.tx, token)?.ok_or(Error::NotFound)?;
        let address = linked.address.clone();
        let proved = |generation| purpose.is_proved(&cx.site.mail_key, Sent { generation, address: &address }, token);
        if !proved(linked.generation)? {
            for earlier in (1..linked.generation).rev().take(usize::try_from(EARLIER).unwrap_or_default()) {
                if proved(earlier)? {
                    linked.ended =
                        Some("A newer e-mail about this invitation was sent. Use the link in it.".to_owned());
                    return Ok((linked, Standing::default()));
                }
            }
            return Err(Error::NotFound);
        }
        if linked.ended.is_none() && linked.expires_at <= cx.now()? {
            linked.ended = Some(EXPIRED.to_owned());
        }
        Ok((linked, Standing::default()))
    }

    /// Those of the invited account, and those of the caller, who may get the e-mail address.
    fn locks(tx: &mut Tx, caller: &Caller, path: &Path) -> Result<Vec<Lock>> {
        let Some((linked, _)) = found(tx, path.get("token").unwrap_or_default())? else { return Ok(Vec::new()) };
        let mut locks = vec![Lock::Journal(linked.org), Lock::Journal(SITE)];
        let account = linked.account(tx)?.map(|account| account.id);
        for person in account.into_iter().chain(caller.person.as_ref().map(|person| person.id)) {
            locks.extend(me::user_and_orgs(tx, person)?);
        }
        Ok(locks)
    }

    fn canonical(&self) -> String {
        String::new()
    }
}
