//! Entering a code, in the browser that asked for it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;

use super::begin::begin;
use super::browser::Browser;
use super::sign_in::{self, TRIES};
use super::sign_up::{self, Chosen};
use crate::error::{Error, Result};
use crate::operation::{Cx, Record};
use crate::policy::Granted;

/// Enter a code.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Enter {
    /// The code. Spaces and dashes do not count.
    pub code: String,
    /// The `User-Agent` header of the browser.
    pub agent: String,
    /// The login and the name of a new account.
    pub chosen: Option<Chosen>,
}

/// The result of entering a code.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Entered {
    /// The token of the session; none if the code was wrong, or if it makes an account and nothing was chosen yet.
    pub session: Option<String>,
    /// True if the code was right, and makes an account.
    pub signs_up: bool,
    /// The number of wrong codes after which the right one ends.
    pub left: i64,
}

/// Begins a session if the code is the one that this browser waits for. A wrong one is counted, so it is no error: an error
/// would undo that. 404 if the browser waits for none.
pub fn enter(cx: &mut Cx, visitor: Granted<Browser>, p: Enter) -> Result<Record<Entered>> {
    let found = sign_in::of_browser(cx.tx, &visitor.hash, cx.now()?)?.ok_or(Error::NotFound)?;
    let code: String = p.code.chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
    if code.len() != 8 || !code.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Error::explained("SignIn", "invalid", "code", "Enter the 8 digits of the code."));
    }
    let right = found.purpose().digits(&cx.site.mail_key, found.sent())?;
    let is_right = bool::from(right.as_bytes().ct_eq(code.as_bytes()));
    if is_right && sign_up::is_usable(cx, &found)? {
        let signs_up = found.user.is_none();
        if signs_up && p.chosen.is_none() {
            return Ok(Entered { session: None, signs_up, left: TRIES - found.tries }.into());
        }
        let session = begin(cx, &found, (&visitor.hash, &p.agent), p.chosen.as_ref())?;
        return Ok(Entered { session: Some(session), signs_up, left: 0 }.into());
    }
    let left = TRIES - found.tries - 1;
    cx.tx.run(COUNT, &[&found.id, &(left <= 0)])?;
    Ok(Entered { session: None, signs_up: false, left }.into())
}

const COUNT: &str = "UPDATE sign_ins SET tries = tries + 1, ended = $2 WHERE id = $1";
