//! Impersonation: how a site administrator acts for a person (decision 42).
//!
//! A person has at most one impersonation token. It is shown once; creating another one replaces it. It works as long
//! as the administrator who created it is a site administrator.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::authorization::{Authorization, facts};
use super::token::{self, New};
use crate::error::{Error, Result};
use crate::journal::{self, Change};
use crate::operation::{Cx, Done, Record};
use crate::people::named::Administered;
use crate::policy::Granted;
use crate::scope::Scopes;

/// Create a token that lets the caller act as a person. It replaces an earlier one.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Create {
    /// Scopes of the token. Default: no scopes.
    pub scopes: Option<Vec<String>>,
    /// True if `GET /user/teams` lists the teams above the person's own too.
    #[schemars(extend("default" = false))]
    pub effective_teams: Option<bool>,
}

/// Creates the token.
pub fn create(cx: &mut Cx, person: Granted<Administered>, p: Create) -> Result<Record<Authorization, 201>> {
    let scopes = Scopes::from_names(p.scopes.unwrap_or_default())
        .map_err(|unknown| Error::explained("OauthAccess", "invalid", "scopes", unknown.to_string()))?;
    let me = cx.me()?.id;
    end(cx, person.id)?;
    let new = New {
        user: person.id,
        kind: "impersonation",
        made_by: Some(me),
        scopes,
        note: None,
        expires_at: None,
        effective_teams: p.effective_teams.unwrap_or(false),
        application: None,
    };
    let (id, text) = token::create(cx.tx, &new, None, &cx.site.token_prefix, cx.now()?)?;
    let stored = token::by_id(cx.tx, id)?.ok_or_else(|| Error::Bug("the new token is not there".into()))?;
    cx.record(journal::SITE, Change::new("oauth_access.create", &json!(null), &facts(&stored)))?;
    let record = Authorization::new(cx.links, stored, text);
    let location = record.url.clone();
    Ok(Record::from(record).at(location))
}

/// Revoke the impersonation token of a person.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Delete {}

/// Deletes the impersonation token of a person.
pub fn delete(cx: &mut Cx, person: Granted<Administered>, _: Delete) -> Result<Done> {
    if end(cx, person.id)? { Ok(Done) } else { Err(Error::NotFound) }
}

/// Deletes the impersonation token of a person, and returns whether there was one.
fn end(cx: &mut Cx, person: i64) -> Result<bool> {
    let ids: Vec<i64> = cx.tx.all(IMPERSONATIONS, &[&person])?;
    for id in &ids {
        let stored = token::by_id(cx.tx, *id)?.ok_or_else(|| Error::Bug("a token went away".into()))?;
        token::delete(cx.tx, *id)?;
        cx.record(journal::SITE, Change::new("oauth_access.destroy", &facts(&stored), &json!(null)))?;
    }
    Ok(!ids.is_empty())
}

const IMPERSONATIONS: &str = "SELECT id FROM tokens WHERE user_id = $1 AND kind = 'impersonation' ORDER BY id";
