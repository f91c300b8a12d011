//! Exchanging a code for a token: that of the web flow, or that of a device. What is wrong with an exchange is a part of the
//! reply, not an error: an error would undo that a second use of a code ends the token of the first.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::application::Application;
use super::client::proved;
use super::code::Code;
use super::issue::{self, Wanted};
use super::refusal::Refusal;
use super::{consent, device};
use crate::access::{authorization, token, token_text};
use crate::db::{row, select};
use crate::error::Result;
use crate::operation::{Cx, Person, Record};
use crate::policy::Granted;
use crate::scope::Scopes;
use crate::site::Site;

/// The time for which a token of the standard's form lasts, in seconds.
const HOUR: i64 = 60 * 60;

/// The type of grant of the web flow.
const CODE: &str = "authorization_code";

/// The type of grant of a device (RFC 8628).
const DEVICE: &str = "urn:ietf:params:oauth:grant-type:device_code";

/// The result of an exchange, or the reason why it is refused.
type Outcome<T> = std::result::Result<T, Refusal>;

/// Exchange a code for a token.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Exchange {
    /// True for the form of the standard: its tokens expire, and nothing may be left out.
    pub standard: bool,
    /// The client ID of the application.
    pub client_id: Option<String>,
    /// Its secret.
    pub client_secret: Option<String>,
    /// The type of grant.
    pub grant_type: Option<String>,
    /// The code.
    pub code: Option<String>,
    /// The redirect URI.
    pub redirect_uri: Option<String>,
    /// The verifier.
    pub code_verifier: Option<String>,
    /// The code of a device.
    pub device_code: Option<String>,
}

/// The result of an exchange: a token, or what is wrong.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Exchanged {
    /// The reason why it is refused, if it is.
    pub refusal: Option<Refusal>,
    /// The token.
    pub access_token: String,
    /// Its scopes.
    pub scopes: Vec<String>,
    /// Seconds until it expires, if it does.
    pub expires_in: Option<i64>,
}

/// Exchanges a code for a token. The application is authenticated first, so that a refused one spends no code.
pub fn exchange(cx: &mut Cx, _: Granted<Site>, p: Exchange) -> Result<Record<Exchanged>> {
    // GitHub asks for no secret of the program on a device.
    let may_lack = p.grant_type.as_deref() == Some(DEVICE) && !p.standard;
    let exchanged = match proved(cx, p.client_id.as_deref(), p.client_secret.as_deref(), may_lack)? {
        Some(application) => exchange_grant(cx, &application, &p)?,
        None => Err(Refusal::Client),
    };
    let refused = |refusal| Exchanged { refusal: Some(refusal), ..Exchanged::default() };
    Ok(exchanged.unwrap_or_else(refused).into())
}

fn exchange_grant(cx: &mut Cx, application: &Application, p: &Exchange) -> Result<Outcome<Exchanged>> {
    match p.grant_type.as_deref() {
        Some(CODE) => exchange_code(cx, application, p),
        None if !p.standard => exchange_code(cx, application, p),
        None => Ok(Err(Refusal::Request)),
        Some(DEVICE) => exchange_device(cx, application, p),
        Some(_) => Ok(Err(Refusal::GrantType)),
    }
}

fn exchange_code(cx: &mut Cx, application: &Application, p: &Exchange) -> Result<Outcome<Exchanged>> {
    let Some(text) = p.code.as_deref() else {
        return Ok(Err(if p.standard { Refusal::Request } else { Refusal::Code }));
    };
    let read = Code::read(&cx.site.mail_key, text)?.filter(|code| code.application == application.id);
    let Some(code) = read else { return Ok(Err(Refusal::Code)) };
    let hash = token_text::hash(text);
    if let Some(token) = cx.tx.maybe::<i64>("SELECT token_id FROM used_codes WHERE hash = $1", &[&hash.as_slice()])? {
        if let Some(stored) = token::by_id(cx.tx, token)? {
            authorization::end(cx, &stored)?;
        }
        return Ok(Err(Refusal::Code));
    }
    if !code.repeats(p.redirect_uri.as_deref(), p.standard) {
        return Ok(Err(Refusal::Redirect));
    }
    let is_right = code.is_open(cx.now()?)
        && code.is_answered(p.code_verifier.as_deref())
        && (code.challenge.is_some() || !application.switches.public);
    let given = if is_right { give(cx, application, (code.session, code.scopes), p.standard)? } else { None };
    let Some((token, exchanged)) = given else { return Ok(Err(Refusal::Code)) };
    cx.tx.run(USE, &[&hash.as_slice(), &token, &cx.now()?.0])?;
    Ok(Ok(exchanged))
}

fn exchange_device(cx: &mut Cx, application: &Application, p: &Exchange) -> Result<Outcome<Exchanged>> {
    let Some(code) = p.device_code.as_deref() else {
        return Ok(Err(if p.standard { Refusal::Request } else { Refusal::DeviceCode }));
    };
    let allowed = match device::redeem(cx, application, code)? {
        Ok(allowed) => allowed,
        Err(refusal) => return Ok(Err(refusal)),
    };
    Ok(give(cx, application, allowed, p.standard)?.map(|(_, exchanged)| exchanged).ok_or(Refusal::Denied))
}

/// Makes the token that the person of a session has allowed, unless they may not be signed in any more, or do not allow it
/// any more. Returns its ID too.
fn give(
    cx: &mut Cx,
    application: &Application,
    (session, scopes): (i64, Scopes),
    standard: bool,
) -> Result<Option<(i64, Exchanged)>> {
    let Some(person) = holder(cx, session)? else { return Ok(None) };
    if !consent::covers(cx.tx, person.id, application, scopes)? {
        return Ok(None);
    }
    let expires_in = standard.then_some(HOUR);
    let effective_teams = application.switches.effective_teams;
    let wanted = Wanted { person: &person, application, scopes, effective_teams, lasts: expires_in };
    let (token, access_token) = issue::issue(cx, &wanted)?;
    let scopes = scopes.names().map(str::to_owned).collect();
    Ok(Some((token, Exchanged { refusal: None, access_token, scopes, expires_in })))
}

const USE: &str = "INSERT INTO used_codes (hash, token_id, used_at) VALUES ($1, $2, $3)";

row! {
    /// The person of a session.
    struct Holder from "u" {
        person: Person = "u.id, u.login, u.site_admin" => person,
    }
}

fn person((id, login, site_admin): (i64, String, bool)) -> Person {
    Person { id, login: login.into(), site_admin }
}

/// The person of a session that has not ended. Suspension ends sessions.
fn holder(cx: &mut Cx, session: i64) -> Result<Option<Person>> {
    Ok(cx.tx.maybe::<Holder>(HOLDER, &[&session])?.map(|holder| holder.person))
}

const HOLDER: &str = select!(Holder from
    "sessions s JOIN users u ON u.id = s.user_id WHERE s.id = $1 AND u.suspended = FALSE");
