//! The tokens of applications: making them, and how many there are.

use serde_json::json;

use super::application::Application;
use crate::access::authorization::facts;
use crate::access::token::{self, New, TokenRow};
use crate::access::token_text;
use crate::clock;
use crate::error::{Error, Result};
use crate::journal::{self, Change};
use crate::operation::{Caller, Cx, Person};
use crate::scope::Scopes;

/// The beginning of the text of a token.
const PREFIX: &str = "gho_";

/// The number of tokens that a person, an application and scopes may have. The oldest goes.
const MOST: i64 = 10;

/// A new token.
pub(super) struct Wanted<'a> {
    pub person: &'a Person,
    pub application: &'a Application,
    pub scopes: Scopes,
    pub effective_teams: bool,
    /// Seconds until it expires, if it does.
    pub lasts: Option<i64>,
}

/// Makes a token, and returns its ID and its text. The audit log shows the person as the one who did so.
pub(super) fn issue(cx: &mut Cx, wanted: &Wanted<'_>) -> Result<(i64, String)> {
    let now = cx.now()?;
    let (user, application, scopes) = (wanted.person.id, wanted.application.id, wanted.scopes.header());
    let caller = Caller { person: Some(wanted.person.clone()), ..Caller::default() };
    let mut cx = Cx::new(&mut *cx.tx, &caller, cx.moment, cx.links, cx.site);
    let older: Vec<i64> = cx.tx.all(OLDER, &[&application, &user, &scopes, &(MOST - 1)])?;
    for id in older {
        token::delete(cx.tx, id)?;
    }
    let new = New {
        user,
        kind: "oauth",
        made_by: None,
        scopes: wanted.scopes,
        note: None,
        expires_at: wanted.lasts.map(|seconds| now.plus_seconds(seconds)),
        effective_teams: wanted.effective_teams,
        application: Some(application),
    };
    let (id, text) = token::create(cx.tx, &new, None, PREFIX, now)?;
    let stored = token::by_id(cx.tx, id)?.ok_or_else(|| Error::Bug("a new token is not there".into()))?;
    cx.record(journal::SITE, Change::new("oauth_access.create", &json!(null), &facts(&stored)))?;
    Ok((id, text))
}

const OLDER: &str = "
    SELECT id FROM tokens WHERE application_id = $1 AND user_id = $2 AND scopes = $3
    ORDER BY id DESC LIMIT 100 OFFSET $4";

/// Gives a token a new text, and returns it.
pub(super) fn renew(cx: &mut Cx, stored: &TokenRow) -> Result<String> {
    let text = token_text::mint(PREFIX, &clock::random()?);
    token::renew(cx.tx, stored.id, &text, cx.now()?)?;
    cx.record(journal::SITE, Change::new("oauth_access.regenerate", &facts(stored), &facts(stored)))?;
    Ok(text)
}
