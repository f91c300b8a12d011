//! Tokens as records of the site administration API: listed without their text, and deleted.
//!
//! Implements decisions 41 (a token is shown once) and 42.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::token::{self, TokenRow};
use super::token_text;
use crate::clock::Time;
use crate::error::{Error, Result};
use crate::journal::{self, Change};
use crate::links::Links;
use crate::operation::{Cx, Done, List, Record};
use crate::people::named::Administered;
use crate::policy::Granted;
use crate::record::record;
use crate::site::Site;

record! {
    /// A token. Its text is shown only once, when it is created.
    #[schemars(rename = "authorization")]
    pub struct Authorization {
        /// ID.
        pub id: i64 = stored.id,
        /// URL of the record.
        pub url: String = links.api(&format!("/authorizations/{}", stored.id)),
        /// The application that created the token.
        pub app: App = App { name, url: links.html("/docs#tokens"), client_id },
        /// The token itself in the response that creates it; empty afterwards.
        pub token: String = text,
        /// SHA-256 hash of the token, in hexadecimal.
        pub hashed_token: Option<String> = hash.map(|hash| token_text::hashed_hex(&hash)),
        /// The last eight characters of the token.
        pub token_last_eight: Option<String> = Some(stored.last_eight),
        /// Name of the token, for people.
        pub note: Option<String> = stored.note,
        /// Always null.
        pub note_url: Option<String> = None,
        /// Creation time.
        pub created_at: Time = stored.created_at,
        /// Time of the last change.
        pub updated_at: Time = stored.updated_at,
        /// Scopes of the token.
        pub scopes: Vec<String> = scopes.map(str::to_owned).collect(),
        /// True if `GET /user/teams` lists the teams above the person's own too.
        pub effective_teams: bool = stored.effective_teams,
        /// Always null.
        pub fingerprint: Option<String> = None,
        /// Expiry time; null if the token does not expire.
        pub expires_at: Option<Time> = stored.expires_at,
    }

    /// The record of a token, with its text if it has just been made.
    pub fn new(links: &Links, stored: TokenRow, text: String) {
        let client_id = stored.client_id.map_or("00000000000000000000".into(), Cow::Owned);
        let name = stored.application.map_or_else(|| match stored.kind.as_str() {
            "impersonation" => "Guildhall site administrator",
            "bootstrap" => "Guildhall start",
            _ => "Personal access token",
        }.into(), Cow::Owned);
        let scopes = stored.scopes.split(", ").filter(|scope| !scope.is_empty());
        let hash: Option<[u8; 32]> = stored.hash.try_into().ok();
    }
}

/// The application that created a token.
#[derive(Debug, Serialize, JsonSchema)]
pub struct App {
    /// Name of the application.
    pub name: Cow<'static, str>,
    /// URL of its description.
    pub url: String,
    /// Its client ID; zeros for a token that is of no application.
    pub client_id: Cow<'static, str>,
}

/// A token as the audit log shows it, without anything that discloses its text.
#[must_use]
pub fn facts(stored: &TokenRow) -> Value {
    json!({
        "id": stored.id,
        "user": stored.login,
        "kind": stored.kind,
        "scopes": stored.scopes,
        "note": stored.note,
        "effective_teams": stored.effective_teams,
        "application": stored.application,
    })
}

/// List all tokens of all accounts, by ID. The tokens themselves are not shown.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListTokens {}

/// Lists the tokens of all people, by id, without their texts.
pub fn list(cx: &mut Cx, _: Granted<Site>, _: ListTokens) -> Result<List<Authorization>> {
    let total: i64 = cx.tx.one("SELECT count(*) FROM tokens", &[])?;
    let (limit, offset) = cx.page.sql();
    let tokens = token::list(cx.tx, None, limit, offset)?;
    let items = tokens.into_iter().map(|token| Authorization::new(cx.links, token, String::new()));
    List::of(items, total)
}

/// Revoke a token. It stops working at once.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Delete {
    /// Id of the token.
    pub token_id: i64,
}

/// Deletes the token; 403 for the token of the request itself.
pub fn delete(cx: &mut Cx, _: Granted<Site>, p: Delete) -> Result<Done> {
    let stored = token::by_id(cx.tx, p.token_id)?.ok_or(Error::NotFound)?;
    if cx.caller.token.as_ref().is_some_and(|token| token.id == stored.id) {
        let text = "This is the token of this request. Use another token to delete it.";
        return Err(Error::Forbidden(text.into()));
    }
    end(cx, &stored).map(|()| Done)
}

/// Ends a token at once.
pub fn end(cx: &mut Cx, stored: &TokenRow) -> Result<()> {
    token::delete(cx.tx, stored.id)?;
    cx.record(journal::SITE, Change::new("oauth_access.destroy", &facts(stored), &json!(null)))
}

/// Revoke all tokens of a person.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct EndOfPerson {}

/// The tokens that were revoked.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Ended {
    /// Their number.
    pub tokens: u64,
}

/// Ends all tokens of a person at once, also those with which applications and site administrators act for them. A person
/// may have many, so they are one entry of the audit log.
pub fn end_of_person(cx: &mut Cx, person: Granted<Administered>, _: EndOfPerson) -> Result<Record<Ended>> {
    let tokens = cx.tx.run("DELETE FROM tokens WHERE user_id = $1", &[&person.id])?;
    if tokens > 0 {
        let before = json!({ "user": person.login, "tokens": tokens });
        cx.record(journal::SITE, Change::new("oauth_access.destroy", &before, &json!(null)))?;
    }
    Ok(Ended { tokens }.into())
}
