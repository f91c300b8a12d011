//! The link in an e-mail, or one that the operator printed, as the subject that its token names.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::begin::begin;
use super::browser;
use super::sign_in::{self, SignIn};
use super::sign_up::{self, Chosen};
use crate::db::{Lock, Tx};
use crate::error::{Error, Result};
use crate::journal::SITE;
use crate::mail::token;
use crate::operation::{Caller, Cx, Path, Record, Subject};
use crate::people::{email_holder, user};
use crate::policy::{Granted, Standing};

/// A link that still works, or that signed in the person who opens it again, and the browser that opened it.
#[derive(Debug, Clone)]
pub struct Link {
    sign_in: SignIn,
    browser: [u8; 32],
    /// True if it was used already, by the person who is signed in.
    is_used: bool,
}

impl Link {
    /// True if it signs in the browser that opened it: the one that asked, or any for a link of the operator.
    fn is_here(&self) -> bool {
        self.sign_in.browser.as_ref().is_none_or(|browser| *browser == self.browser)
    }
}

impl Subject for Link {
    const FORMS: &'static [&'static str] = &["/login/link/{token}/{browser}"];

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        let text = path.get("token").unwrap_or_default();
        let Some(purpose @ token::Purpose::SignIn(id)) = token::claimed_sign_in(text) else {
            return Err(Error::NotFound);
        };
        let now = cx.now()?;
        let found = sign_in::by_id(cx.tx, id)?;
        let found = found.filter(|found| found.email.is_none() || cx.site.signin_by_mail);
        let sign_in = found.ok_or(Error::NotFound)?;
        if !purpose.is_proved(&cx.site.mail_key, sign_in.sent(), text)? {
            return Err(Error::NotFound);
        }
        let is_open = sign_in.is_open(now) && sign_up::is_usable(cx, &sign_in)?;
        let is_used = !is_open && is_of_caller(cx, &sign_in)?;
        if !is_open && !is_used {
            return Err(Error::NotFound);
        }
        Ok((Self { sign_in, browser: browser::of(path)?, is_used }, Standing::default()))
    }

    fn locks(_: &mut Tx, _: &Caller, _: &Path) -> Result<Vec<Lock>> {
        Ok(vec![Lock::Journal(SITE)])
    }

    fn canonical(&self) -> String {
        String::new()
    }
}

/// True if the caller is the person whom a sign-in is for, or who made their account with it.
fn is_of_caller(cx: &mut Cx, sign_in: &SignIn) -> Result<bool> {
    let Some(person) = &cx.caller.person else { return Ok(false) };
    let user = match (sign_in.user, &sign_in.email_key) {
        (None, Some(key)) => email_holder::of(cx.tx, key)?.map(|holder| holder.user.id),
        (user, _) => user,
    };
    Ok(user == Some(person.id))
}

/// A link as the person sees it who opened it.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Linked {
    /// The login of the account that it signs in; none if it makes one.
    pub login: Option<String>,
    /// The e-mail address as it was entered.
    pub email: Option<String>,
    /// The code to enter in the browser that asked, if this is another one.
    pub code: Option<String>,
    /// True if it has signed in the person who opened it again.
    pub used: bool,
}

/// Get what a link does.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Look {}

/// Gets what a link does in this browser, and changes nothing.
pub fn look(cx: &mut Cx, link: Granted<Link>, _: Look) -> Result<Record<Linked>> {
    let sign_in = &link.sign_in;
    let person = sign_in.user.map(|user| user::by_id(cx.tx, user)?.ok_or(Error::NotFound)).transpose()?;
    let (login, email) = (person.map(|person| person.login), sign_in.email.clone());
    let code = sign_in.purpose().digits(&cx.site.mail_key, sign_in.sent())?;
    Ok(Linked { login, email, code: (!link.is_here()).then_some(code), used: link.is_used }.into())
}

/// Sign in with a link.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Open {
    /// The `User-Agent` header of the browser.
    pub agent: String,
    /// The login and the name of a new account.
    pub chosen: Option<Chosen>,
}

/// The session that a link began.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Opened {
    /// Its token.
    pub session: String,
}

/// Begins a session, in no other browser than the one that asked.
pub fn open(cx: &mut Cx, link: Granted<Link>, p: Open) -> Result<Record<Opened>> {
    if !link.is_here() {
        return Err(Error::Forbidden("Enter the code in the browser where you asked for it.".into()));
    }
    let session = begin(cx, &link.sign_in, (&link.browser, &p.agent), p.chosen.as_ref())?;
    Ok(Opened { session }.into())
}
