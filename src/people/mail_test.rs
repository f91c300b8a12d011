//! A test of the way of e-mails that a site administrator asks for: it is counted like e-mails with a link, and sent after
//! the transaction (decisions 46 and 72).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::email_changes::hash;
use crate::error::{Error, Result};
use crate::mail::address;
use crate::operation::{Cx, Record};
use crate::policy::Granted;
use crate::site::Site;

/// Test the way of e-mails.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Test {
    /// The e-mail address of the recipient.
    pub email: String,
}

/// The e-mail that is to be sent.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Counted {
    /// The e-mail address of the recipient.
    pub address: String,
}

/// Counts a test e-mail to an e-mail address: 422 if it is none, 429 if too many were sent.
pub fn count(cx: &mut Cx, _: Granted<Site>, p: Test) -> Result<Record<Counted>> {
    let wrong = "Enter an address with an @, like name@example.com.";
    let address = address::read(p.email.trim()).ok_or_else(|| Error::explained("Mail", "invalid", "email", wrong))?;
    let (hash, me) = (hash(cx, &address)?, cx.me()?.id);
    cx.count_mail(&hash, me)?;
    Ok(Counted { address }.into())
}
