//! The applications that a person has allowed to act for them, as their pages list and revoke them (decision 62).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::application::{self, Application};
use super::consent;
use crate::clock::Time;
use crate::db::{row, select};
use crate::error::{Error, Result};
use crate::operation::{Cx, Done, List};
use crate::people::me::Me;
use crate::policy::Granted;
use crate::scope::Scopes;

/// The most consents and tokens from which the list is made.
const LISTED: i64 = 10_000;

row! {
    /// A consent of a person, or tokens that an application has for them.
    struct Held from "held" {
        application: Application = Application::COLUMNS,
        scopes: Scopes = "held.scopes" => consent::stored,
        effective_teams: bool,
        used_at: Option<Time>,
    }
}

/// An application that may act for the caller.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct OwnConsent {
    /// Its client ID.
    pub client_id: String,
    /// Its name.
    pub name: String,
    /// The login of the person or the organization that it belongs to; null if it belongs to the site.
    pub owner: Option<String>,
    /// The scopes that it was allowed, or has.
    pub scopes: Vec<String>,
    /// True if the teams above the caller's own are listed as theirs.
    pub effective_teams: bool,
    /// True if the caller is asked before it acts for them again.
    pub asks: bool,
    /// The time of its last request for the caller, to the minute.
    pub last_used_at: Option<Time>,
}

/// List the applications that may act for the caller.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Consents {}

/// Lists the applications that may act for the caller, by ID.
pub fn list(cx: &mut Cx, me: Granted<Me>, _: Consents) -> Result<List<OwnConsent>> {
    let held: Vec<Held> = cx.tx.all(HELD, &[&me.id, &LISTED])?;
    let consents: Vec<OwnConsent> =
        held.chunk_by(|one, next| one.application.id == next.application.id).filter_map(together).collect();
    let total = i64::try_from(consents.len()).unwrap_or(LISTED);
    List::of(consents, total)
}

const HELD: &str = select!(Held from
    "(SELECT application_id, scopes, effective_teams, CAST(NULL AS BIGINT) AS used_at
      FROM consents WHERE user_id = $1
      UNION ALL
      SELECT application_id, scopes, effective_teams, max(last_used_at) AS used_at
      FROM tokens WHERE user_id = $1 AND application_id IS NOT NULL
      GROUP BY application_id, scopes, effective_teams) held
     JOIN applications a ON a.id = held.application_id
     LEFT JOIN users ou ON ou.id = a.user_id LEFT JOIN orgs oo ON oo.id = a.org_id
     ORDER BY a.id LIMIT $2");

/// The consent and the tokens of one application.
fn together(held: &[Held]) -> Option<OwnConsent> {
    let of = &held.first()?.application;
    let scopes = held.iter().fold(Scopes::default(), |all, next| all.and(next.scopes));
    Some(OwnConsent {
        client_id: of.client_id.clone(),
        name: of.name.clone(),
        owner: of.owner.clone(),
        scopes: scopes.names().map(str::to_owned).collect(),
        effective_teams: held.iter().any(|next| next.effective_teams),
        asks: !of.switches.skip_consent,
        last_used_at: held.iter().filter_map(|next| next.used_at).max(),
    })
}

/// Revoke all that the caller has allowed an application.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct End {
    /// Its client ID.
    pub client_id: String,
}

/// Revokes all that the caller has allowed an application, with all of its tokens for them.
pub fn end(cx: &mut Cx, me: Granted<Me>, p: End) -> Result<Done> {
    let application = application::by_client_id(cx.tx, &p.client_id)?.ok_or(Error::NotFound)?;
    if consent::end(cx, (me.id, &me.login), &application)? { Ok(Done) } else { Err(Error::NotFound) }
}
