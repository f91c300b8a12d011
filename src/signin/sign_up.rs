//! Making an account with a code or link that was sent to an e-mail address which signs in no account (decision 71).

use schemars::JsonSchema;
use serde::Deserialize;

use super::sign_in::SignIn;
use crate::error::{Error, Result};
use crate::mail::address;
use crate::operation::Cx;
use crate::people::chosen::register;
use crate::people::email_holder;
use crate::people::user::User;

/// The login and the name that a person chooses for the account that they make.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Chosen {
    /// Login.
    pub login: String,
    /// Name; empty for none.
    pub name: String,
}

/// True if the setting lets a person who reads e-mails to the address with this key make an account, and the address is
/// none that an account has verified or that a deactivated record of an identity provider has. It takes the same
/// statement if an account has the address.
pub(super) fn is_open(cx: &mut Cx, key: &str) -> Result<bool> {
    let domain = key.rsplit_once('@').map_or("", |(_, domain)| domain);
    let is_domain = |one: &String| address::ascii_domain(one).as_deref() == Some(domain);
    let is_there = |domains: &Vec<String>| domains.iter().any(is_domain);
    Ok(!cx.tx.any(CLOSED, &[&key])? && cx.site.signup_domains.as_ref().is_none_or(is_there))
}

const CLOSED: &str = "
    SELECT 1 FROM emails e WHERE e.email_key = $1 AND e.verified = TRUE
    UNION ALL
    SELECT 1 FROM scim_emails a CROSS JOIN scim_users s WHERE a.email_key = $1 AND s.id = a.member_id AND s.active = FALSE";

/// True if the code and the link of a sign-in can be used: by its account, or to make one.
pub(super) fn is_usable(cx: &mut Cx, sign_in: &SignIn) -> Result<bool> {
    match &sign_in.email_key {
        Some(key) if sign_in.user.is_none() => is_open(cx, key),
        _ => Ok(true),
    }
}

/// Makes the account. 404 if the e-mail address signs in an account, or makes none any more.
pub(super) fn make(cx: &mut Cx, sign_in: &SignIn, chosen: Option<&Chosen>) -> Result<User> {
    let (address, key) = sign_in.email.as_deref().zip(sign_in.email_key.as_deref()).ok_or(Error::NotFound)?;
    if email_holder::of(cx.tx, key)?.is_some() || !is_open(cx, key)? {
        return Err(Error::NotFound);
    }
    register(cx, address, chosen.map_or(("", None), |chosen| (&chosen.login, Some(&chosen.name))))
}
