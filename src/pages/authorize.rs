//! The page on which a person allows an application to act for them (decision 62). A GET changes nothing; only the form of
//! this page does, which has a code for exactly what the page shows.

use askama::Template;

use super::form::Form;
use super::guest::{Guest, body};
use super::layout::{Frame, Shown};
use super::scope_words::{self, Word};
use crate::error::{Error, Result};
use crate::links::segment;
use crate::oauth::{Allowed, Look, Refused};

/// The path below the base URL.
const PATH: &str = "/login/oauth/authorize";

/// The parameters that name what is asked for; `state` only goes back to the application.
const PARAMETERS: [&str; 7] =
    ["client_id", "redirect_uri", "scope", "response_type", "code_challenge", "code_challenge_method", "prompt"];

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>) -> Result<Shown> {
    let asked = Form::read_encoded(&guest.visit.query).unwrap_or_default();
    if let Some(form) = &guest.visit.form
        && (form.has("client_id") || !guest.is_own(&guest.visit.target())?)
    {
        let query = if form.has("client_id") { form.encoded() } else { guest.visit.query.clone() };
        return Ok(Shown::see([guest.visit.links.prefix(), PATH, "?", &query].concat()));
    }
    if PARAMETERS.iter().chain(&["state"]).any(|name| asked.repeats(name)) {
        return wrong(guest, 400, "It names something twice.");
    }
    if guest.person.as_ref().is_some_and(|person| person.impersonator.is_some()) {
        return guest.message(403, "You act for another person", &["Stop that before you sign in to an application."]);
    }
    let look = match look(guest, &asked).await {
        Err(Error::NotFound) => return wrong(guest, 404, "No application has the ID that it names."),
        Err(Error::BadRequest(why)) => return wrong(guest, 400, &why),
        look => look?,
    };
    let Some(person) = &guest.person else { return Err(Error::Unauthenticated) };
    if let Some(Refused { error, description }) = &look.refused {
        return Ok(lead_back(&look, &asked, &[("error", error), ("error_description", description)]));
    }
    if let Some(form) = &guest.visit.form {
        return decide(guest, &look, &asked, form).await;
    }
    if let Some(code) = &look.code {
        return Ok(lead_back(&look, &asked, &[("code", code)]));
    }
    let (can, useless) = scope_words::of(&look.scopes);
    let code = guest.code(&guest.visit.target())?;
    let page = Consent { frame: guest.frame()?, code, v: &look, login: &person.login, can, useless };
    Ok(Shown { source: Some(look.source.clone()), ..Shown::of(200, &page)? })
}

async fn look(guest: &Guest<'_>, asked: &Form) -> Result<Look> {
    guest.call("oauth.look", &path(asked), body([])).await
}

fn path(asked: &Form) -> Vec<(&'static str, &str)> {
    PARAMETERS.iter().map(|name| (*name, asked.get(name))).collect()
}

async fn decide(guest: &Guest<'_>, look: &Look, asked: &Form, form: &Form) -> Result<Shown> {
    if form.get("answer") != "allow" {
        let description = "The user has denied your application access.";
        return Ok(lead_back(look, asked, &[("error", "access_denied"), ("error_description", description)]));
    }
    let chosen = guest.chosen(&look.organizations, form)?;
    let shown = body([("effective_teams", (form.get("teams") == "effective").into())]);
    let allowed: Allowed = guest.call("oauth.allow", &path(asked), shown).await?;
    guest.let_in(asked.get("client_id"), &chosen).await?;
    Ok(lead_back(look, asked, &[("code", &allowed.code)]))
}

/// The redirect to the application.
fn lead_back(look: &Look, asked: &Form, answer: &[(&str, &str)]) -> Shown {
    let state = Some(("state", asked.get("state"))).filter(|_| asked.has("state"));
    let pairs = answer.iter().copied().chain(state);
    let pairs: Vec<String> = pairs.map(|(name, value)| format!("{name}={}", segment(value))).collect();
    let separator = if look.redirect_uri.contains('?') { "&" } else { "?" };
    Shown::see([&look.redirect_uri, separator, &pairs.join("&")].concat())
}

fn wrong(guest: &Guest<'_>, status: u16, why: &str) -> Result<Shown> {
    let way = "Nothing was given to it. Go back to it and try again, or tell the people who run it.";
    guest.message(status, "This application asks in a wrong way", &[why, way])
}

impl Guest<'_> {
    /// The request of an application that waits at this path on the host.
    pub(super) async fn waiting(&self, path: &str) -> Option<Look> {
        let query = path.strip_prefix(self.visit.links.prefix())?.strip_prefix(PATH)?.strip_prefix('?')?;
        let asked = Form::read_encoded(query)?;
        look(self, &asked).await.ok()
    }

    /// The source to which the form of a page of signing in may lead: an application whose request waits. A browser checks
    /// all redirects after a form.
    pub(super) async fn waiting_source(&self) -> Option<String> {
        self.waiting(&self.return_to()).await.map(|look| look.source)
    }
}

#[derive(Template)]
#[template(path = "login/consent.html")]
struct Consent<'a> {
    frame: Frame,
    code: String,
    v: &'a Look,
    login: &'a str,
    can: Vec<&'static Word>,
    /// The scopes that nothing here uses.
    useless: Vec<&'a str>,
}
