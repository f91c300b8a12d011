//! An invitation as the subject that the token of a link names. An invitation that the token does not prove is not
//! found.

use crate::clock::Time;
use crate::db::{FromRow, Lock, Row, Tx};
use crate::error::{Error, Result};
use crate::journal::SITE;
use crate::mail::token::{self, Purpose, Sent};
use crate::members::invitations::EXPIRED;
use crate::members::invitations::invited_address;
use crate::operation::{Caller, Cx, Path, Subject};
use crate::people::user::{self, User};
use crate::people::{email, me};
use crate::policy::Standing;

/// How many earlier generations of a link are recognized, to say that a later e-mail replaces them.
const EARLIER: i64 = 20;

/// An invitation that a link names.
#[derive(Debug, Clone)]
pub struct Linked {
    /// ID.
    pub id: i64,
    /// Organization.
    pub org: i64,
    /// Login of the organization.
    pub org_login: String,
    /// Name of the organization, if it has one.
    pub org_name: Option<String>,
    /// The invited account, unless an e-mail address is invited.
    pub user: Option<i64>,
    /// The e-mail address that the e-mail went to.
    pub address: String,
    /// The role that it gives.
    pub role: String,
    /// Name or login of the inviter.
    pub inviter: Option<String>,
    /// When it expires.
    pub expires_at: Time,
    /// Why it can no longer be answered, if it cannot.
    pub ended: Option<String>,
    generation: i64,
}

impl FromRow for Linked {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        let (login, name): (Option<String>, Option<String>) = (row.get(8)?, row.get(9)?);
        Ok(Self {
            id: row.get(0)?,
            org: row.get(1)?,
            org_login: row.get(2)?,
            org_name: row.get(3)?,
            user: row.get(4)?,
            address: row.get::<Option<String>>(5)?.unwrap_or_default(),
            role: row.get(6)?,
            expires_at: Time(row.get(7)?),
            inviter: name.filter(|name| !name.trim().is_empty()).or(login),
            ended: row.get(10)?,
            generation: row.get(11)?,
        })
    }
}

/// The e-mail address is the one that `letters` sends to.
const BY_ID: &str = "
    SELECT i.id, i.org_id, o.login, o.name, i.user_id,
           coalesce(i.email, (SELECT e.email FROM emails e WHERE e.user_id = i.user_id AND e.is_primary = TRUE
                              ORDER BY e.id LIMIT 1)),
           i.role, i.expires_at, v.login, v.name, i.failed_reason, i.generation
    FROM invitations i
    JOIN orgs o ON o.id = i.org_id
    LEFT JOIN users v ON v.id = i.inviter_id
    WHERE i.id = $1";

impl Linked {
    /// The account that the invitation is for, if there is one.
    pub fn account(&self, tx: &mut Tx) -> Result<Option<User>> {
        match self.user {
            Some(user) => user::by_id(tx, user),
            None => invited_address::account_of(tx, self.org, &self.address),
        }
    }

    /// Whether the e-mail went to a verified e-mail address of the invited account, so that the link proves who
    /// answers. Without an invited account, the e-mail address itself is invited.
    pub fn is_proof(&self, tx: &mut Tx) -> Result<bool> {
        let Some(user) = self.user else { return Ok(true) };
        tx.any(VERIFIED, &[&user, &email::key(&self.address)])
    }
}

const VERIFIED: &str = "SELECT 1 FROM emails WHERE user_id = $1 AND email_key = $2 AND verified = TRUE";

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

    fn locks(tx: &mut Tx, _: &Caller, path: &Path) -> Result<Vec<Lock>> {
        let Some((linked, _)) = found(tx, path.get("token").unwrap_or_default())? else { return Ok(Vec::new()) };
        let mut locks = vec![Lock::Journal(linked.org), Lock::Journal(SITE)];
        if let Some(account) = linked.account(tx)? {
            locks.extend(me::user_and_orgs(tx, account.id)?);
        }
        Ok(locks)
    }

    fn canonical(&self) -> String {
        String::new()
    }
}
