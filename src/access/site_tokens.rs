//! The tokens of all people as site administrators list and look them up (decisions 41 and 42). Their texts are not stored.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::token::{self, TokenRow};
use crate::clock::Time;
use crate::error::{Error, Result};
use crate::operation::{Cx, List, Record};
use crate::people::user;
use crate::policy::Granted;
use crate::site::Site;

/// The most tokens that are listed at once.
const MOST: i64 = 100;

/// A token of a person.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct SiteToken {
    /// ID.
    pub id: i64,
    /// Login of the person that it belongs to.
    pub login: String,
    /// `personal`, `impersonation`, `bootstrap` or `oauth`.
    pub kind: String,
    /// Name of the application that acts with it; null if it is of none.
    pub application: Option<String>,
    /// Client ID of that application.
    pub client_id: Option<String>,
    /// Name of the token, for people.
    pub note: Option<String>,
    /// The last eight characters of the token.
    pub last_eight: String,
    /// Its scopes.
    pub scopes: Vec<String>,
    /// Creation time.
    pub created_at: Time,
    /// Expiry time; null if it does not expire.
    pub expires_at: Option<Time>,
    /// The time of its last use, to the minute.
    pub last_used_at: Option<Time>,
}

impl From<TokenRow> for SiteToken {
    fn from(of: TokenRow) -> Self {
        Self {
            id: of.id,
            login: of.login,
            kind: of.kind,
            application: of.application,
            client_id: of.client_id,
            note: of.note,
            last_eight: of.last_eight,
            scopes: of.scopes.split(", ").filter(|scope| !scope.is_empty()).map(str::to_owned).collect(),
            created_at: of.created_at,
            expires_at: of.expires_at,
            last_used_at: of.last_used_at,
        }
    }
}

/// List tokens of all people, or of one person, the newest first.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListOf {
    /// Login of the person. Default: all people.
    pub username: Option<String>,
    /// Only tokens that are older than the one with this ID.
    pub before: i64,
    /// Number of results.
    pub per_page: i64,
}

/// Lists tokens; 404 if there is no such person.
pub fn list(cx: &mut Cx, _: Granted<Site>, p: ListOf) -> Result<List<SiteToken>> {
    let user = p.username.as_deref().map(|login| user::by_login(cx.tx, login)).transpose()?;
    let found = token::newest(cx.tx, user.map(|user| user.id), p.before, p.per_page.clamp(1, MOST))?;
    let total = i64::try_from(found.len()).unwrap_or(MOST);
    List::of(found.into_iter().map(SiteToken::from), total)
}

/// Get a token.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {
    /// ID of the token.
    pub id: i64,
}

/// Gets a token.
pub fn get(cx: &mut Cx, _: Granted<Site>, p: Get) -> Result<Record<SiteToken>> {
    let found = token::by_id(cx.tx, p.id)?.ok_or(Error::NotFound)?;
    Ok(SiteToken::from(found).into())
}

/// Look up a token by its hash.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Find {
    /// SHA-256 of its text, in hexadecimal.
    pub hashed_token: String,
}

/// Looks up a token by the hash of its text, as it is looked up to authenticate a request.
pub fn find(cx: &mut Cx, _: Granted<Site>, p: Find) -> Result<Record<SiteToken>> {
    let hash = read(&p.hashed_token).ok_or(Error::NotFound)?;
    let found = token::by_hash(cx.tx, &hash)?.ok_or(Error::NotFound)?;
    Ok(SiteToken::from(found).into())
}

/// The bytes of a text in hexadecimal.
fn read(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text
        .chars()
        .map(|digit| digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect::<Option<_>>()?;
    Some(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}
