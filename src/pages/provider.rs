//! Signing in at the site's identity provider: the way there, and the way back (decision 61).
//!
//! The way there is a page that leads on, for every client: a provider may redirect to any host. The way back changes
//! something although it is a GET: OpenID Connect has it so. Only a browser that has begun with a form gets that far.

use serde_json::Value;

use super::form::Form;
use super::guest::{Guest, Message, body};
use super::layout::Shown;
use super::leave::Leave;
use super::return_to::checked;
use crate::error::{Error, Result};
use crate::identity::{self, Claims, Once, Provider, Refused};
use crate::signin::provider::{Begun, Entered, Returned};

/// Leads to the provider.
pub(super) async fn begin(guest: &Guest<'_>) -> Result<Shown> {
    let provider = guest.provider.ok_or(Error::NotFound)?;
    if guest.visit.form.is_none() {
        return Ok(Shown::see(guest.login_path("", &guest.return_to())));
    }
    if let Some(refusal) = guest.refuse("/login")? {
        return Ok(refusal);
    }
    lead(guest, provider, "provider.begin", Some(&guest.return_to())).await
}

/// Begins a visit with an operation, and leads to the provider: to sign in and return to a path, or to connect the account
/// of the visitor.
pub(super) async fn lead(
    guest: &Guest<'_>,
    provider: &Provider,
    operation: &str,
    return_to: Option<&str>,
) -> Result<Shown> {
    let browser = [("browser", guest.browser.as_str())];
    let fields = body([("return_to", return_to.unwrap_or_default().into())]);
    let begun: Begun = guest.call(operation, &browser, fields).await?;
    let once = Once { nonce: &begun.nonce, verifier: &begun.verifier };
    match provider.url(guest.service.now(), &begun.state, once).await {
        Ok(url) => {
            let why = "You sign in there, and come back here.";
            Shown::of(200, &Leave { frame: guest.frame()?, host: provider.host(), why, url: &url })
        }
        Err(refused) => failed(guest, provider, &refused, return_to),
    }
}

/// Answers a person who comes back from the provider.
pub(super) async fn back(guest: &Guest<'_>) -> Result<Shown> {
    let provider = guest.provider.filter(|_| guest.visit.form.is_none()).ok_or(Error::NotFound)?;
    let query = Form::read_encoded(&guest.visit.query).unwrap_or_default();
    let browser = [("browser", guest.browser.as_str())];
    let returned = guest.call("provider.return", &browser, body([("state", query.get("state").into())])).await;
    let returned: Returned = match returned {
        Err(Error::NotFound) => return ended(guest),
        returned => returned?,
    };
    let to = checked(&guest.visit.links, &returned.return_to).unwrap_or_default();
    let return_to = Some(to.as_str()).filter(|_| !returned.connects);
    if query.get("error") == "access_denied" {
        let texts = ["The identity provider says that you canceled, or that you may not use this site."];
        return match return_to {
            Some(to) => again(guest, 403, "You were not signed in", &texts, to),
            None => guest.message(403, NOT_CONNECTED, &texts),
        };
    }
    match identified(guest, provider, &query, &returned).await {
        Err(refused) => failed(guest, provider, &refused, return_to),
        Ok(claims) if returned.connects => connected(guest, claims).await,
        Ok(claims) => enter(guest, provider, claims, &to).await,
    }
}

async fn identified(
    guest: &Guest<'_>,
    provider: &Provider,
    query: &Form,
    returned: &Returned,
) -> std::result::Result<Claims, Refused> {
    let once = Once { nonce: &returned.nonce, verifier: &returned.verifier };
    let sent = identity::Returned { code: query.get("code"), error: query.get("error"), issuer: query.get("iss") };
    provider.identify(guest.service.now(), sent, once).await
}

async fn enter(guest: &Guest<'_>, provider: &Provider, claims: Claims, to: &str) -> Result<Shown> {
    let Claims { subject, name, username, email, email_verified } = claims;
    let fields = body([
        ("subject", subject.into()),
        ("name", name.into()),
        ("username", username.into()),
        ("email", email.into()),
        ("email_verified", email_verified.into()),
        ("agent", guest.visit.agent.as_str().into()),
    ]);
    match guest.call::<Entered>("provider.enter", &[("browser", &guest.browser)], fields).await {
        Ok(entered) => Ok(guest.signed_in(entered.session, guest.returned(to.to_owned()))),
        Err(Error::Suspended) => {
            let texts = ["No one can sign in to it. A site administrator can tell you why."];
            again(guest, 403, "Your account is suspended", &texts, to)
        }
        Err(Error::NotFound) => {
            let way = if guest.service.site.signin_by_mail {
                "Sign in with a code by e-mail. Then connect your account in your settings, and you can sign in here."
            } else {
                "Ask the operator of this site for a link that signs you in. Then connect your account in your settings, \
                 and you can sign in here."
            };
            let title = format!("No account here is connected with you at {}", provider.host());
            again(guest, 403, &title, &[way], to)
        }
        Err(error) => Err(error),
    }
}

const NOT_CONNECTED: &str = "Your account was not connected";

/// Connects the account of the visitor.
async fn connected(guest: &Guest<'_>, claims: Claims) -> Result<Shown> {
    let fields = body([("subject", claims.subject.into())]);
    match guest.call::<Value>("provider.tie", &[("browser", &guest.browser)], fields).await {
        Ok(_) => Ok(Shown::see(guest.visit.links.html_path("/settings/provider?done=connected"))),
        Err(Error::Unprocessable { message, .. }) => guest.message(422, NOT_CONNECTED, &[message.as_ref()]),
        Err(error) => Err(error),
    }
}

fn ended(guest: &Guest<'_>) -> Result<Shown> {
    let texts = ["It lasts ten minutes, works once, and only in the browser and for the person that began it."];
    again(guest, 422, "This sign-in has ended", &texts, "")
}

/// The page for a provider that is down, or that is not believed. The log has the reason.
fn failed(guest: &Guest<'_>, provider: &Provider, refused: &Refused, return_to: Option<&str>) -> Result<Shown> {
    let request = guest.visit.id.as_str();
    tracing::warn!(%request, reason = %refused, "signing in at the identity provider failed");
    let what = format!("{} did not answer as it should. Nothing was changed.", provider.host());
    let way = if guest.service.site.signin_by_mail && return_to.is_some() {
        "Try again in a minute, or sign in with a code by e-mail."
    } else {
        "Try again in a minute."
    };
    let lasting = format!("If it lasts, tell the operator of this site: error 502, request {request}.");
    match return_to {
        Some(to) => again(guest, 502, "You could not be signed in", &[&what, way, &lasting], to),
        None => guest.message(502, NOT_CONNECTED, &[&what, way, &lasting]),
    }
}

/// A page that leads to signing in again.
fn again(guest: &Guest<'_>, status: u16, title: &str, texts: &[&str], to: &str) -> Result<Shown> {
    let login = Some(guest.login_path("", to));
    Shown::of(status, &Message { frame: guest.frame()?, title, texts, login })
}
