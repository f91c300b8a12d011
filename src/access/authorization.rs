//! Tokens as records of the site administration API: listed without their text, and deleted.
//!
//! Implements decisions 41 (a token is shown once) and 42.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::token::{self, TokenRow};
use super::token_text;
use crate::clock::Time;
use crate::error::{Error, Result};
use crate::journal::{self, Change};
use crate::links::Links;
use crate::operation::{Cx, Done, List};
use crate::policy::Granted;
use crate::site::Site;

/// A token. Its text is shown only once, when it is created.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "authorization")]
pub struct Authorization {
    /// ID.
    pub id: i64,
    /// URL of the record.
    pub url: String,
    /// The application that created the token.
    pub app: App,
    /// The token itself in the response that creates it; empty afterwards.
    pub token: String,
    /// SHA-256 hash of the token, in hexadecimal.
    pub hashed_token: Option<String>,
    /// The last eight characters of the token.
    pub token_last_eight: Option<String>,
    /// Name of the token, for people.
    pub note: Option<String>,
    /// Always null.
    pub note_url: Option<String>,
    /// Creation time.
    pub created_at: Time,
    /// Time of the last change.
    pub updated_at: Time,
    /// Scopes of the token.
    pub scopes: Vec<String>,
    /// Whether `GET /user/teams` lists the teams above the person's own too.
    pub effective_teams: bool,
    /// Always null.
    pub fingerprint: Option<String>,
    /// Expiry time; null if the token does not expire.
    pub expires_at: Option<Time>,
}

/// The application that created a token.
#[derive(Debug, Serialize, JsonSchema)]
pub struct App {
    /// Name of the application.
    pub name: &'static str,
    /// URL of its description.
    pub url: String,
    /// Always zeros.
    pub client_id: &'static str,
}

impl Authorization {
    /// The record of a token, with its text if it has just been made.
    #[must_use]
    pub fn new(links: &Links, stored: TokenRow, text: String) -> Self {
        let name = match stored.kind.as_str() {
            "impersonation" => "Guildhall site administrator",
            "bootstrap" => "Guildhall start",
            _ => "Personal access token",
        };
        let hash: Option<[u8; 32]> = stored.hash.try_into().ok();
        Self {
            id: stored.id,
            url: links.api(&format!("/authorizations/{}", stored.id)),
            app: App { name, url: links.html("/docs#tokens"), client_id: "00000000000000000000" },
            token: text,
            hashed_token: hash.map(|hash| token_text::hashed_hex(&hash)),
            token_last_eight: Some(stored.last_eight),
            note: stored.note,
            note_url: None,
            created_at: stored.created_at,
            updated_at: stored.updated_at,
            scopes: stored.scopes.split(", ").filter(|scope| !scope.is_empty()).map(str::to_owned).collect(),
            effective_teams: stored.effective_teams,
            fingerprint: None,
            expires_at: stored.expires_at,
        }
    }
}

/// A token as the audit log shows it, without anything that discloses its text.
pub(super) fn facts(stored: &TokenRow) -> Value {
    json!({
        "id": stored.id,
        "user": stored.login,
        "kind": stored.kind,
        "scopes": stored.scopes,
        "note": stored.note,
        "effective_teams": stored.effective_teams,
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
    token::delete(cx.tx, stored.id)?;
    cx.record(journal::SITE, Change::new("oauth_access.destroy", &facts(&stored), &json!(null)))?;
    Ok(Done)
}
