//! Visits to the provider: each begins with a form, and ends when the person comes back to the same browser, once, within
//! ten minutes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::AtProvider;
use crate::clock::Time;
use crate::db::{Tx, row, select};
use crate::error::{Error, Result};
use crate::mail::token::{self, Purpose, Sent};
use crate::operation::{Cx, Record};
use crate::policy::Granted;

/// The time for which a visit lasts, in seconds.
const LASTS: i64 = 10 * 60;

row! {
    /// A visit.
    #[derive(Debug)]
    struct Visit from "v" {
        id: i64,
        browser: Vec<u8>,
        /// The person whose account it connects; none if it signs in.
        user: Option<i64> = "v.user_id",
        return_to: String,
        begun_at: Time,
    }
}

impl Visit {
    fn purpose(&self) -> (Purpose, Sent<'static>) {
        (Purpose::Provider(self.id), Sent { generation: self.begun_at.0, address: "" })
    }
}

/// Begin a visit.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Begin {
    /// The path to return to; empty for none.
    pub return_to: String,
}

/// The values that a visit takes to the provider.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Begun {
    /// The `state` parameter, which identifies the visit.
    pub state: String,
    /// The text that the ID token has to repeat.
    pub nonce: String,
    /// The secret of PKCE.
    pub verifier: String,
}

/// Begins a visit that signs in.
pub fn begin(cx: &mut Cx, visitor: Granted<AtProvider>, p: Begin) -> Result<Record<Begun>> {
    create(cx, &visitor, None, p)
}

/// Begins a visit that connects the account of the caller.
pub fn connect(cx: &mut Cx, visitor: Granted<AtProvider>, p: Begin) -> Result<Record<Begun>> {
    let me = cx.me()?.id;
    create(cx, &visitor, Some(me), p)
}

fn create(cx: &mut Cx, visitor: &AtProvider, user: Option<i64>, p: Begin) -> Result<Record<Begun>> {
    let (now, browser) = (cx.now()?, visitor.browser.to_vec());
    let id = cx.tx.run_one(CREATE, &[&browser, &user, &p.return_to, &now.0])?;
    let visit = Visit { id, browser, user, return_to: p.return_to, begun_at: now };
    let ((purpose, sent), key) = (visit.purpose(), &cx.site.mail_key);
    let [nonce, verifier] = secrets(&visit, key)?;
    Ok(Begun { state: purpose.token(key, sent)?, nonce, verifier }.into())
}

const CREATE: &str = "
    INSERT INTO provider_visits (browser, user_id, return_to, begun_at) VALUES ($1, $2, $3, $4) RETURNING id";

/// The nonce, and the secret of PKCE.
fn secrets(visit: &Visit, key: &[u8; 32]) -> Result<[String; 2]> {
    let (purpose, sent) = visit.purpose();
    Ok([purpose.secret("nonce", key, sent)?, purpose.secret("verifier", key, sent)?])
}

/// Come back from the provider.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Return {
    /// The `state` parameter, which identifies the visit.
    pub state: String,
}

/// A visit that has ended.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Returned {
    /// The text that the ID token has to repeat.
    pub nonce: String,
    /// The secret of PKCE.
    pub verifier: String,
    /// The path to return to; empty for none.
    pub return_to: String,
    /// True if it connects the account of the caller.
    pub connects: bool,
}

/// Ends a visit, whatever the provider says. 404 unless it was begun in this browser, and by the caller if it connects an
/// account.
pub fn returned(cx: &mut Cx, visitor: Granted<AtProvider>, p: Return) -> Result<Record<Returned>> {
    let Some(Purpose::Provider(id)) = token::claimed_provider(&p.state) else { return Err(Error::NotFound) };
    let (now, me, key) = (cx.now()?, cx.my_id(), &cx.site.mail_key);
    let found: Option<Visit> = cx.tx.maybe(BY_ID, &[&id])?;
    let visit = found.filter(|visit| {
        let is_here = visit.browser == visitor.browser && visit.user.is_none_or(|user| user == me);
        is_here && visit.begun_at.plus_seconds(LASTS) > now
    });
    let visit = visit.ok_or(Error::NotFound)?;
    let (purpose, sent) = visit.purpose();
    if !purpose.is_proved(key, sent, &p.state)? || cx.tx.run("DELETE FROM provider_visits WHERE id = $1", &[&id])? == 0
    {
        return Err(Error::NotFound);
    }
    let [nonce, verifier] = secrets(&visit, key)?;
    Ok(Returned { nonce, verifier, connects: visit.user.is_some(), return_to: visit.return_to }.into())
}

const BY_ID: &str = select!(Visit from "provider_visits v WHERE v.id = $1");

/// Deletes visits that have ended.
pub(super) fn trim(tx: &mut Tx, now: Time) -> Result<()> {
    tx.run("DELETE FROM provider_visits WHERE begun_at < $1", &[&now.plus_seconds(-LASTS).0]).map(drop)
}
