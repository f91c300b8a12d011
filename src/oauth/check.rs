//! The operations of an application on its tokens: checking, resetting and revoking them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::client::Client;
use super::{consent, issue};
use crate::access::authorization::{self, Authorization};
use crate::access::token::{self, TokenRow};
use crate::access::token_text;
use crate::error::{Error, Result};
use crate::operation::{Cx, Done, Record};
use crate::people::user::{self, SimpleUser, User};
use crate::policy::Granted;

/// A token, with its person.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Checked {
    /// The token.
    #[serde(flatten)]
    pub authorization: Authorization,
    /// The person that it belongs to.
    pub user: SimpleUser,
}

/// Name a token.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Named {
    /// The token.
    pub access_token: String,
}

/// Checks a token of the application. 404 if it cannot be used now.
pub fn check(cx: &mut Cx, client: Granted<Client>, p: Named) -> Result<Record<Checked>> {
    let (stored, person) = usable(cx, &client, &p)?;
    Ok(checked(cx, stored, &person, p.access_token).into())
}

/// Gives such a token a new text.
pub fn reset(cx: &mut Cx, client: Granted<Client>, p: Named) -> Result<Record<Checked>> {
    let (stored, person) = usable(cx, &client, &p)?;
    let text = issue::renew(cx, &stored)?;
    let stored = token::by_id(cx.tx, stored.id)?.ok_or(Error::NotFound)?;
    Ok(checked(cx, stored, &person, text).into())
}

/// Revokes a token of the application.
pub fn revoke(cx: &mut Cx, client: Granted<Client>, p: Named) -> Result<Done> {
    let stored = named(cx, &client, &p)?;
    authorization::end(cx, &stored).map(|()| Done)
}

/// Revokes all that the person of a token has allowed the application, with all tokens.
pub fn revoke_all(cx: &mut Cx, client: Granted<Client>, p: Named) -> Result<Done> {
    let stored = named(cx, &client, &p)?;
    let person = user::by_login(cx.tx, &stored.login)?;
    consent::end(cx, (person.id, &person.login), &client.0).map(|_| Done)
}

fn named(cx: &mut Cx, client: &Client, p: &Named) -> Result<TokenRow> {
    token::of_application(cx.tx, client.0.id, &token_text::hash(&p.access_token))?.ok_or(Error::NotFound)
}

/// The token and its person, if requests can be sent with it.
fn usable(cx: &mut Cx, client: &Client, p: &Named) -> Result<(TokenRow, User)> {
    let (stored, now) = (named(cx, client, p)?, cx.now()?);
    let is_so = token::authenticate(cx.tx, &token_text::hash(&p.access_token), now).and_then(token::Presenter::active);
    match is_so {
        Ok(_) => {}
        Err(Error::BadCredentials | Error::Suspended) => return Err(Error::NotFound),
        Err(error) => return Err(error),
    }
    let person = user::by_login(cx.tx, &stored.login)?;
    Ok((stored, person))
}

fn checked(cx: &Cx, stored: TokenRow, person: &User, text: String) -> Checked {
    Checked { authorization: Authorization::new(cx.links, stored, text), user: SimpleUser::new(cx.links, person) }
}
