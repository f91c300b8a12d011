//! Exchanging a code for a token. What is wrong with an exchange is a part of the reply, not an error: an error would undo
//! that a second use of a code ends the token of the first.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::application::{self, Application};
use super::code::Code;
use super::consent;
use super::issue::{self, Wanted};
use crate::access::{token, token_text};
use crate::db::{row, select};
use crate::error::Result;
use crate::operation::{Cx, Person, Record};
use crate::policy::Granted;
use crate::site::Site;

/// The time for which a token of the standard's form lasts, in seconds.
const HOUR: i64 = 60 * 60;

/// The only type of grant.
const CODE: &str = "authorization_code";

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
}

/// The reason why an exchange is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// The application is unknown, or its secret is wrong.
    Client,
    /// A parameter is missing.
    Request,
    /// There is no such type of grant.
    GrantType,
    /// The code is wrong, too old or used, or its person may not be signed in any more; or the verifier is wrong.
    Code,
    /// The redirect URI is another one.
    Redirect,
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
    let exchanged = match application(cx, &p)? {
        Some(application) => exchange_code(cx, &application, &p)?,
        None => Err(Refusal::Client),
    };
    let refused = |refusal| Exchanged { refusal: Some(refusal), ..Exchanged::default() };
    Ok(exchanged.unwrap_or_else(refused).into())
}

/// The application that sends the request, if it is known and has proved that it is the one.
fn application(cx: &mut Cx, p: &Exchange) -> Result<Option<Application>> {
    let found = application::by_client_id(cx.tx, p.client_id.as_deref().unwrap_or_default())?;
    let Some(application) = found else { return Ok(None) };
    let is_proved =
        application.switches.public || application.has_secret(cx.tx, p.client_secret.as_deref().unwrap_or_default())?;
    Ok(Some(application).filter(|_| is_proved))
}

fn exchange_code(
    cx: &mut Cx,
    application: &Application,
    p: &Exchange,
) -> Result<std::result::Result<Exchanged, Refusal>> {
    match p.grant_type.as_deref() {
        Some(CODE) => {}
        None if !p.standard => {}
        None => return Ok(Err(Refusal::Request)),
        Some(_) => return Ok(Err(Refusal::GrantType)),
    }
    let Some(text) = p.code.as_deref() else {
        return Ok(Err(if p.standard { Refusal::Request } else { Refusal::Code }));
    };
    let read = Code::read(&cx.site.mail_key, text)?.filter(|code| code.application == application.id);
    let Some(code) = read else { return Ok(Err(Refusal::Code)) };
    let hash = token_text::hash(text);
    if let Some(token) = cx.tx.maybe::<i64>("SELECT token_id FROM used_codes WHERE hash = $1", &[&hash.as_slice()])? {
        if let Some(stored) = token::by_id(cx.tx, token)? {
            issue::end(cx, &stored)?;
        }
        return Ok(Err(Refusal::Code));
    }
    if !code.repeats(p.redirect_uri.as_deref(), p.standard) {
        return Ok(Err(Refusal::Redirect));
    }
    let is_right = code.is_open(cx.now()?)
        && code.is_answered(p.code_verifier.as_deref())
        && (code.challenge.is_some() || !application.switches.public);
    let Some(person) = holder(cx, code.session)?.filter(|_| is_right) else { return Ok(Err(Refusal::Code)) };
    if !consent::covers(cx.tx, person.id, application, code.scopes)? {
        return Ok(Err(Refusal::Code));
    }
    let lasts = p.standard.then_some(HOUR);
    let effective_teams = application.switches.effective_teams;
    let wanted = Wanted { person: &person, application, scopes: code.scopes, effective_teams, lasts };
    let (token, access_token) = issue::issue(cx, &wanted)?;
    cx.tx.run(USE, &[&hash.as_slice(), &token, &cx.now()?.0])?;
    let scopes = code.scopes.names().map(str::to_owned).collect();
    Ok(Ok(Exchanged { refusal: None, access_token, scopes, expires_in: lasts }))
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
