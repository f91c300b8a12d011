//! An unverified e-mail address as the subject that the token of a link names (decision 72). The link works only for the
//! account that asked for it: the token proves that the caller reads e-mails to the address, and the credentials prove
//! that the caller is the account.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::email_changes::{self as changes, Person};
use super::me;
use crate::db::{Lock, Tx, row, select};
use crate::error::{Error, Result};
use crate::journal::SITE;
use crate::mail::token::{self, Purpose, Sent};
use crate::operation::{Caller, Cx, Done, Path, Record, Subject};
use crate::policy::{Fact, Granted, Standing};

row! {
    /// An e-mail address that a link names.
    #[derive(Debug, Clone)]
    pub struct Linked from "e" {
        id: i64,
        user: i64 = "e.user_id",
        login: String = "u.login",
        address: String = "e.email",
        verified: bool,
        generation: i64,
    }
}

const BY_ID: &str = select!(Linked from "emails e JOIN users u ON u.id = e.user_id WHERE e.id = $1 AND e.user_id = $2");

fn found(tx: &mut Tx, caller: i64, token: &str) -> Result<Option<(Linked, Purpose)>> {
    let Some(purpose @ Purpose::Email(id)) = token::claimed_email(token) else { return Ok(None) };
    Ok(tx.maybe::<Linked>(BY_ID, &[&id, &caller])?.map(|linked| (linked, purpose)))
}

impl Subject for Linked {
    const FORMS: &'static [&'static str] = &["/ui/emails/{token}"];
    const PERSONAL: bool = true;

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        let (me, token) = (cx.me()?.id, path.get("token").unwrap_or_default());
        let (linked, purpose) = found(cx.tx, me, token)?.ok_or(Error::NotFound)?;
        let sent = Sent { generation: linked.generation, address: &linked.address };
        if !purpose.is_proved(&cx.site.mail_key, sent, token)? {
            return Err(Error::NotFound);
        }
        Ok((linked, Standing::default().with(Fact::SignedIn, true)))
    }

    fn locks(tx: &mut Tx, caller: &Caller, _: &Path) -> Result<Vec<Lock>> {
        let Some(person) = &caller.person else { return Ok(Vec::new()) };
        let mut locks = me::user_and_orgs(tx, person.id)?;
        locks.push(Lock::Journal(SITE));
        Ok(locks)
    }

    fn canonical(&self) -> String {
        String::new()
    }
}

/// An e-mail address as the page of a link shows it.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Shown {
    /// Login of the account that asked.
    pub login: String,
    /// The e-mail address.
    pub address: String,
    /// True if it is verified already.
    pub verified: bool,
}

/// Get the e-mail address of a link.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Look {}

/// Gets the e-mail address, and changes nothing.
pub fn look(_: &mut Cx, linked: Granted<Linked>, _: Look) -> Result<Record<Shown>> {
    Ok(Shown { login: linked.login.clone(), address: linked.address.clone(), verified: linked.verified }.into())
}

/// Verify the e-mail address of a link.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Verify {}

/// Verifies it. Does nothing if it is verified.
pub fn verify(cx: &mut Cx, linked: Granted<Linked>, _: Verify) -> Result<Done> {
    cx.refuse_impersonator()?;
    if !linked.verified {
        changes::verify(cx, Person { id: linked.user, login: &linked.login }, (linked.id, &linked.address))?;
    }
    Ok(Done)
}
