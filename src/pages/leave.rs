//! The page that leads a browser on after a form, where a redirect would lead to an application or to the identity provider
//! (decisions 61 and 62). Chromium checks every redirect after a form against the `form-action` of the page with the form,
//! and neither an application nor a provider says where it redirects to.

use askama::Template;

use super::guest::Guest;
use super::layout::{Frame, Shown};
use crate::error::Result;

/// The page that leads on.
#[derive(Template)]
#[template(path = "login/leave.html")]
pub(super) struct Leave<'a> {
    pub frame: Frame,
    /// The host to which it leads.
    pub host: &'a str,
    /// The reason for going there.
    pub why: &'a str,
    pub url: &'a str,
}

impl Guest<'_> {
    /// The response to a form that leads to an application: in a browser, the page that leads on, in place of a redirect. A
    /// private scheme keeps the redirect, because browsers open it only as the result of what a person does.
    pub(super) async fn leading_on(&self, shown: Shown) -> Result<Shown> {
        let Some(url) = shown.location.as_deref().filter(|_| self.has_form() && self.visit.navigates) else {
            return Ok(shown);
        };
        let waiting = self.waiting(url).await;
        let Some(host) = host(waiting.as_ref().map_or(url, |look| &look.redirect_uri)) else { return Ok(shown) };
        // The page has no menu: the session may have begun with this form.
        let frame = Frame { login: None, impersonator: None, ..self.frame()? };
        let page = Leave { frame, host, why: "An application there asked you to sign in.", url };
        Ok(Shown { cookie: shown.cookie, ..Shown::of(200, &page)? })
    }
}

/// The host of a URL on the web, with its port.
fn host(url: &str) -> Option<&str> {
    let after = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    after.split(['/', '?']).next()
}
