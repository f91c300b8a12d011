//! The tokens of a person as their own pages list, make and revoke them (decisions 41 and 61).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::authorization::{end, facts};
use super::token::{self, New, TokenRow};
use crate::clock::Time;
use crate::error::{Error, Result};
use crate::journal::{self, Change};
use crate::name;
use crate::operation::{Cx, Done, List, Record};
use crate::people::me::Me;
use crate::policy::Granted;
use crate::scope::{Scope, Scopes};

/// The most tokens that a person makes.
const MOST: i64 = 100;

/// The most tokens that are listed. An operator may make more of them.
const LISTED: i64 = 1_000;

/// The longest time for which a token lasts, in days.
const LONGEST: i64 = 366;

const RESOURCE: &str = "Token";

/// A token of the caller.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct OwnToken {
    /// ID.
    pub id: i64,
    /// True if it is for the caller's own programs, or for an application that the caller has allowed, so that the caller
    /// may revoke it.
    pub personal: bool,
    /// True if an application that the caller has allowed acts with it.
    pub of_application: bool,
    /// Name of the token or of its application, for people.
    pub note: String,
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

impl From<TokenRow> for OwnToken {
    fn from(of: TokenRow) -> Self {
        Self {
            id: of.id,
            personal: is_personal(&of),
            of_application: of.application.is_some(),
            note: of.application.or(of.note).unwrap_or_default(),
            last_eight: of.last_eight,
            scopes: of.scopes.split(", ").filter(|scope| !scope.is_empty()).map(str::to_owned).collect(),
            created_at: of.created_at,
            expires_at: of.expires_at,
            last_used_at: of.last_used_at,
        }
    }
}

fn is_personal(of: &TokenRow) -> bool {
    matches!(of.kind.as_str(), "personal" | "oauth")
}

/// List the caller's tokens.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Tokens {}

/// Lists the caller's tokens, the newest first.
pub fn list(cx: &mut Cx, me: Granted<Me>, _: Tokens) -> Result<List<OwnToken>> {
    let mut tokens = token::list(cx.tx, Some(me.id), LISTED, 0)?;
    tokens.reverse();
    let total = i64::try_from(tokens.len()).unwrap_or(LISTED);
    List::of(tokens.into_iter().map(OwnToken::from), total)
}

/// Make a token of the caller.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Create {
    /// The program that it is for, in words.
    pub note: String,
    /// Its scopes.
    pub scopes: Vec<String>,
    /// The number of days after which it expires. Default: it does not expire.
    pub days: Option<i64>,
}

/// The token that was made.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Made {
    /// ID.
    pub id: i64,
    /// Its text, which is shown only now.
    pub text: String,
}

/// Makes a token of the caller.
pub fn create(cx: &mut Cx, me: Granted<Me>, p: Create) -> Result<Record<Made, 201>> {
    cx.refuse_impersonator()?;
    let invalid = |field, why: String| Error::explained(RESOURCE, "invalid", field, why);
    let note = name::valid(&p.note).map_err(|_| {
        let most = name::NAME_MAX;
        invalid("note", format!("Enter what the token is for, on one line of at most {most} characters."))
    })?;
    let scopes = Scopes::from_names(&p.scopes).map_err(|unknown| invalid("scopes", unknown.to_string()))?;
    if scopes.grants(&[Scope::SiteAdmin]) && !me.site_admin {
        return Err(invalid("scopes", "Only a site administrator makes tokens with `site_admin`.".into()));
    }
    if p.days.is_some_and(|days| !(1..=LONGEST).contains(&days)) {
        return Err(invalid("days", format!("A token lasts 1 to {LONGEST} days, or does not expire.")));
    }
    if cx.tx.one::<i64>("SELECT count(*) FROM tokens WHERE user_id = $1 AND application_id IS NULL", &[&me.id])? >= MOST
    {
        return Err(Error::custom(RESOURCE, format!("You have {MOST} tokens. Revoke one first.")));
    }
    let now = cx.now()?;
    let new = New {
        user: me.id,
        kind: "personal",
        made_by: None,
        scopes,
        note: Some(note),
        expires_at: p.days.map(|days| now.plus_seconds(days * 24 * 60 * 60)),
        effective_teams: false,
        application: None,
    };
    let (id, text) = token::create(cx.tx, &new, None, &cx.site.token_prefix, now)?;
    let stored = token::by_id(cx.tx, id)?.ok_or_else(|| Error::Bug("the new token is not there".into()))?;
    cx.record(journal::SITE, Change::new("oauth_access.create", &json!(null), &facts(&stored)))?;
    Ok(Made { id, text }.into())
}

/// Revoke a token of the caller.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Revoke {
    /// ID of the token.
    pub token: i64,
}

/// Revokes a token of the caller at once. The token of a site administrator who acts for the caller is theirs. An
/// application keeps what the caller has allowed it, and may get another token.
pub fn revoke(cx: &mut Cx, me: Granted<Me>, p: Revoke) -> Result<Done> {
    let stored = token::by_id(cx.tx, p.token)?.filter(|of| of.login == me.login && is_personal(of));
    let stored = stored.ok_or(Error::NotFound)?;
    end(cx, &stored).map(|()| Done)
}
