//! Asking for a code and a link by e-mail. The answer is the same whether an account has the e-mail address or not.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::browser::{self, Browser};
use super::sign_in::{self, New, TRIES};
use super::{sign_up, throttle};
use crate::error::{Error, Result};
use crate::journal::{self, Change, Event};
use crate::mail::address;
use crate::operation::{Cx, Done, Record};
use crate::people::{email, email_holder};
use crate::policy::Granted;

/// The time for which a code and its link work, in seconds.
const LASTS: i64 = 15 * 60;

/// Ask for a code and a link.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Ask {
    /// The e-mail address.
    pub email: String,
    /// The `User-Agent` header of the browser.
    pub agent: String,
}

/// Makes a code and a link, and sends them to the e-mail address if it signs in an account, or if its person may make one. The previous code of this browser ends.
pub fn ask(cx: &mut Cx, visitor: Granted<Browser>, p: Ask) -> Result<Done> {
    let wrong = "Enter an address with an @, like name@example.com.";
    let address = address::read(p.email.trim()).ok_or_else(|| Error::explained("SignIn", "invalid", "email", wrong))?;
    let (now, network, key) = (cx.now()?, browser::network(cx.peer()?), email::key(&address));
    let user = email_holder::of(cx.tx, &key)?.map(|holder| holder.user.id);
    let signs_up = sign_up::is_open(cx, &key)? && user.is_none();
    let is_known = cx.tx.any(KNOWN, &[&user.unwrap_or_default(), &visitor.hash.as_slice()])?;
    let new = New {
        user,
        email: Some(&address),
        email_key: Some(&key),
        browser: Some(&visitor.hash),
        is_known,
        asked_by: &browser::name(&p.agent),
        network: &network,
        expires_at: now.plus_seconds(LASTS),
    };
    throttle::check(cx.tx, &new, now)?;
    cx.tx.run(REPLACE, &[&visitor.hash.as_slice()])?;
    let sign_in = sign_in::create(cx.tx, &new, now)?;
    cx.record(journal::SITE, Change::of(&Event::SignInAsked { sign_in, user, signs_up }))?;
    Ok(Done)
}

const KNOWN: &str = "SELECT 1 FROM known_browsers WHERE user_id = $1 AND browser = $2";

const REPLACE: &str = "UPDATE sign_ins SET ended = TRUE WHERE browser = $1 AND ended = FALSE";

/// The code that a browser waits for.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Waiting {
    /// The e-mail address as it was entered.
    pub email: String,
    /// The number of wrong codes after which it ends.
    pub left: i64,
}

/// Get the code that a browser waits for.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {}

/// Gets the code that this browser waits for, without the code; 404 if there is none.
pub fn waiting(cx: &mut Cx, visitor: Granted<Browser>, _: Get) -> Result<Record<Waiting>> {
    let now = cx.now()?;
    let found = sign_in::of_browser(cx.tx, &visitor.hash, now)?.ok_or(Error::NotFound)?;
    Ok(Waiting { email: found.email.unwrap_or_default(), left: TRIES - found.tries }.into())
}
