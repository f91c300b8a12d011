//! The request of an application to act for a person: what it asks for, and what the person answers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::application::{self, Application};
use super::code::{self, Code};
use super::place::{self, Place};
use super::{consent, redirect};
use crate::db::{Lock, Tx};
use crate::error::{Error, Result};
use crate::journal::SITE;
use crate::operation::{Caller, Cx, Path, Record, Subject};
use crate::policy::{Granted, Standing};
use crate::scope::Scopes;
use crate::site::signed_in;

/// A request whose application and redirect URI are right.
#[derive(Debug)]
pub struct Asked {
    application: Application,
    /// The URI to which the answer leads.
    redirect: String,
    /// True if the request named it.
    is_named: bool,
    scopes: Scopes,
    challenge: Option<String>,
    /// True if it says that the person is to be asked.
    wants_consent: bool,
    refused: Option<Refused>,
}

impl Subject for Asked {
    const FORMS: &'static [&'static str] = &["/login/oauth/authorize/{client_id}"];

    fn find(cx: &mut Cx, path: &Path) -> Result<(Self, Standing)> {
        let given = |name: &str| path.get(name).filter(|value| !value.is_empty());
        let application = application::by_client_id(cx.tx, given("client_id").unwrap_or_default())?;
        let application = application.ok_or(Error::NotFound)?;
        let named = given("redirect_uri");
        let redirect = application.redirect(cx.tx, named)?.ok_or_else(|| {
            Error::BadRequest(match named {
                Some(_) => "The address that it sends you to is not one of its own.".into(),
                None => "It does not say where it sends you, and has not exactly one address.".into(),
            })
        })?;
        let challenge = given("code_challenge").map(str::to_owned);
        let asked = Self {
            refused: refused(&application, path),
            application,
            redirect,
            is_named: named.is_some(),
            scopes: Scopes::grantable(given("scope").unwrap_or_default()),
            challenge,
            wants_consent: given("prompt").is_some_and(|prompt| prompt.split(' ').any(|word| word == "consent")),
        };
        Ok((asked, signed_in(cx)))
    }

    fn locks(_: &mut Tx, _: &Caller, _: &Path) -> Result<Vec<Lock>> {
        Ok(vec![Lock::Journal(SITE)])
    }

    fn canonical(&self) -> String {
        String::new()
    }
}

/// The reason why a request is refused, which its application is told.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Refused {
    /// The word of the standard.
    pub error: String,
    /// The sentence for its developer.
    pub description: String,
}

fn refused(application: &Application, path: &Path) -> Option<Refused> {
    let given = |name: &str| path.get(name).filter(|value| !value.is_empty());
    let refuse = |error: &str, why: &str| Some(Refused { error: error.to_owned(), description: why.to_owned() });
    if given("response_type").is_some_and(|kind| kind != "code") {
        return refuse("unsupported_response_type", "The only response_type is code.");
    }
    match (given("code_challenge"), given("code_challenge_method")) {
        (None, None) if application.switches.public => {
            refuse("invalid_request", "An application without a secret needs a code_challenge (S256).")
        }
        (None, None) => None,
        (Some(challenge), Some("S256")) if is_challenge(challenge) => None,
        (Some(_), Some("S256")) => {
            refuse("invalid_request", "The code_challenge is not a SHA-256 in base64url without padding.")
        }
        (Some(_), None) => refuse("invalid_request", "A code_challenge needs the code_challenge_method S256."),
        (None, Some(_)) => refuse("invalid_request", "A code_challenge_method needs a code_challenge."),
        (Some(_), Some(_)) => refuse("invalid_request", "The only code_challenge_method is S256."),
    }
}

fn is_challenge(text: &str) -> bool {
    text.len() == 43 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// A request as the person sees it.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Look {
    /// The name of the application.
    pub name: String,
    /// The login of the person or the organization that it belongs to; null if it belongs to the site.
    pub owner: Option<String>,
    /// The URI to which the answer leads.
    pub redirect_uri: String,
    /// That URI in a `Content-Security-Policy`.
    pub source: String,
    /// That URI as people know it.
    pub place: String,
    /// The reason why the application is refused, if it is.
    pub refused: Option<Refused>,
    /// The scopes that it asks for.
    pub scopes: Vec<String>,
    /// True if the teams above the person's own are listed as theirs.
    pub effective_teams: bool,
    /// The organizations of the person.
    pub organizations: Vec<Place>,
    /// The number of their other organizations.
    pub more: i64,
    /// The code, if the person need not be asked.
    pub code: Option<String>,
}

/// Get what an application asks for.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Get {}

/// Gets what an application asks for. If the caller has allowed all of it before, the code is there too.
pub fn look(cx: &mut Cx, asked: Granted<Asked>, _: Get) -> Result<Record<Look>> {
    let person = cx.caller.person.as_ref().map(|person| person.id);
    let (application, switches) = (&asked.application, asked.application.switches);
    let (organizations, more) = match person {
        Some(person) => place::of(cx.tx, person, application)?,
        None => (Vec::new(), 0),
    };
    let asks = asked.wants_consent || switches.public;
    let covered = match person {
        Some(person) if switches.skip_consent || !asks => consent::covers(cx.tx, person, application, asked.scopes)?,
        _ => false,
    };
    let code = if covered && asked.refused.is_none() { Some(asked.code(cx)?) } else { None };
    Ok(Look {
        name: application.name.clone(),
        owner: application.owner.clone(),
        redirect_uri: asked.redirect.clone(),
        source: redirect::source(&asked.redirect),
        place: redirect::place(&asked.redirect).to_owned(),
        refused: asked.refused.clone(),
        scopes: asked.scopes.names().map(str::to_owned).collect(),
        effective_teams: switches.effective_teams,
        organizations,
        more,
        code,
    }
    .into())
}

/// Allow an application what it asks for.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Allow {
    /// True if the page said that the teams above the person's own are listed as theirs.
    pub effective_teams: bool,
}

/// The answer to an application that is allowed what it asks for.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Allowed {
    /// The code.
    pub code: String,
}

/// Allows an application what it asks for. 422 if it has been given more since the page was shown.
pub fn allow(cx: &mut Cx, asked: Granted<Asked>, p: Allow) -> Result<Record<Allowed>> {
    if asked.refused.is_some() {
        return Err(consent::changed());
    }
    consent::give(cx, &asked.application, asked.scopes, p.effective_teams)?;
    Ok(Allowed { code: asked.code(cx)? }.into())
}

impl Asked {
    /// A code for the caller, whose session it belongs to.
    fn code(&self, cx: &Cx) -> Result<String> {
        let code = Code {
            application: self.application.id,
            session: consent::session(cx)?,
            given_at: cx.now()?,
            scopes: self.scopes,
            redirect: code::hashed(&self.redirect),
            is_named: self.is_named,
            challenge: self.challenge.clone(),
        };
        code.text(&cx.site.mail_key)
    }
}
