//! The requests of the program on a device: it asks for its codes, and redeems one of them until a person has answered.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{LASTS, by_hash, hashed, user_code};
use crate::access::token_text;
use crate::clock::{self, Time};
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::limits::devices;
use crate::oauth::application::Application;
use crate::oauth::client::proved;
use crate::oauth::refusal::Refusal;
use crate::operation::{Cx, Record};
use crate::policy::Granted;
use crate::scope::Scopes;
use crate::signin;
use crate::site::Site;

/// Seconds between two attempts, and the seconds that one too early adds.
const DELAY: i64 = 5;

/// The most devices that wait at a time.
const MOST: i64 = 10_000;

/// The characters of a code.
const LENGTH: usize = 40;

/// Ask for the codes of a device.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Begin {
    /// True for the form of the standard, in which an application with a secret sends it.
    pub standard: bool,
    /// The client ID of the application.
    pub client_id: Option<String>,
    /// Its secret.
    pub client_secret: Option<String>,
    /// The scopes that it asks for.
    pub scope: Option<String>,
}

/// The codes of a device, or what is wrong.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Begun {
    /// The reason why they are refused, if they are.
    pub refusal: Option<Refusal>,
    /// The code that the program redeems.
    pub device_code: String,
    /// The code that a person types.
    pub user_code: String,
    /// Seconds until they expire.
    pub expires_in: i64,
    /// Seconds between two attempts.
    pub interval: i64,
}

/// Makes the codes of a device.
pub fn begin(cx: &mut Cx, _: Granted<Site>, p: Begin) -> Result<Record<Begun>> {
    let refused = |refusal| Ok(Begun { refusal: Some(refusal), ..Begun::default() }.into());
    let known = proved(cx, p.client_id.as_deref(), p.client_secret.as_deref(), !p.standard)?;
    let Some(application) = known else { return refused(Refusal::Client) };
    if !application.switches.device_flow {
        return refused(Refusal::DeviceFlow);
    }
    let (now, network) = (cx.now()?, signin::network(cx.peer()?));
    devices::count_asked(cx.tx, &network, now)?;
    refuse_more(cx.tx, now)?;
    let device_code = token_text::hashed_hex(&clock::random()?)[..LENGTH].to_owned();
    let (hash, scopes) = (token_text::hash(&device_code), Scopes::grantable(p.scope.as_deref().unwrap_or_default()));
    let user_code = loop {
        let code = user_code()?;
        let typed = hashed(&cx.site.mail_key, &code)?;
        let (hash, typed, scopes) = (hash.as_slice(), typed.as_slice(), scopes.header());
        if cx.tx.run(CREATE, &[&application.id, &hash, &typed, &scopes, &network, &now.0, &DELAY])? > 0 {
            break code;
        }
    };
    Ok(Begun { refusal: None, device_code, user_code, expires_in: LASTS, interval: DELAY }.into())
}

const CREATE: &str = "
    INSERT INTO devices (application_id, hash, user_code, scopes, network, asked_at, delay)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (user_code) DO NOTHING";

/// Refuses one more device while too many wait.
fn refuse_more(tx: &mut Tx, now: Time) -> Result<()> {
    let oldest: Option<Time> = tx.maybe(NEWER, &[&now.plus_seconds(-LASTS).0, &(MOST - 1)])?;
    let Some(oldest) = oldest else { return Ok(()) };
    let seconds = oldest.plus_seconds(LASTS).seconds() - now.seconds();
    Err(Error::Abuse { retry_after: u32::try_from(seconds).unwrap_or(1).max(1) })
}

const NEWER: &str = "
    SELECT asked_at FROM devices WHERE asked_at > $1 AND denied = FALSE ORDER BY asked_at DESC LIMIT 1 OFFSET $2";

/// Redeems the code of a device: the session in which a person has allowed it, and the scopes. The code is spent then.
pub(in crate::oauth) fn redeem(
    cx: &mut Cx,
    application: &Application,
    code: &str,
) -> Result<std::result::Result<(i64, Scopes), Refusal>> {
    if !application.switches.device_flow {
        return Ok(Err(Refusal::DeviceFlow));
    }
    let (now, found) = (cx.now()?, by_hash(cx.tx, &token_text::hash(code))?);
    let Some(device) = found.filter(|device| device.application == application.id) else {
        return Ok(Err(Refusal::DeviceCode));
    };
    if device.denied {
        return Ok(Err(Refusal::Denied));
    }
    if !device.is_open(now) {
        return Ok(Err(Refusal::Expired));
    }
    let is_early = device.polled_at.is_some_and(|at| at.plus_seconds(device.delay) > now);
    let delay = device.delay + if is_early { DELAY } else { 0 };
    if let Some(session) = device.session.filter(|_| !is_early) {
        cx.tx.run("DELETE FROM devices WHERE id = $1", &[&device.id])?;
        return Ok(Ok((session, device.scopes)));
    }
    cx.tx.run("UPDATE devices SET polled_at = $2, delay = $3 WHERE id = $1", &[&device.id, &now.0, &delay])?;
    Ok(Err(if is_early { Refusal::SlowDown(delay) } else { Refusal::Pending }))
}
