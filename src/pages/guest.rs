//! The visitor of a page: their browser, their session, and how pages call operations for them.

use std::sync::Arc;

use askama::Template;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::cookies::{BROWSER, SESSION};
use super::layout::{Frame, Shown};
use super::protection;
use super::visit::Visit;
use crate::access::token_text;
use crate::clock;
use crate::dispatch::{Credentials, InnerCall, Service};
use crate::error::{Error, Result};
use crate::identity::Provider;
use crate::operation::Path;
use crate::signin::{SignedIn, Visitor};

/// The name of the form in every page of a marked session that stops it.
pub(super) const STOP: &str = "/login/own";

/// A visitor.
pub struct Guest<'a> {
    pub(super) service: &'a Arc<Service>,
    /// The site's identity provider, if people may sign in there.
    pub(super) provider: Option<&'a Provider>,
    pub(super) visit: &'a Visit,
    /// The person, if they are signed in.
    pub(super) person: Option<SignedIn>,
    /// The text that identifies the browser.
    pub(super) browser: String,
    /// True if the browser did not have that text yet.
    is_new: bool,
    /// The hash of the token of the session.
    session: Option<[u8; 32]>,
}

impl<'a> Guest<'a> {
    /// A visitor whose session is not known yet.
    pub fn new(service: &'a Arc<Service>, provider: Option<&'a Provider>, visit: &'a Visit) -> Result<Self> {
        let held = BROWSER.read(visit);
        let is_new = held.is_none();
        let browser = match held {
            Some(browser) => browser,
            None => URL_SAFE_NO_PAD.encode(clock::random::<32>()?),
        };
        Ok(Self { service, provider, visit, person: None, browser, is_new, session: None })
    }

    /// Looks up the session, and counts the visit. Mail providers send many one-click forms from few IP addresses, so
    /// those are not counted.
    pub async fn arrive(&mut self) -> Result<()> {
        self.session = SESSION.read(self.visit).map(|token| token_text::hash(&token));
        let visitor = self.run("signin.visitor", &[], Map::new(), self.is_one_click()).await?;
        self.person = read::<Visitor>(visitor)?.person;
        self.session = self.session.filter(|_| self.person.is_some());
        Ok(())
    }

    /// True if a mail program sent the form (RFC 8058).
    pub(super) fn is_one_click(&self) -> bool {
        let is_so = |form: &super::Form| form.get("List-Unsubscribe") == "One-Click";
        self.visit.path.starts_with("/ui/unsubscribe/") && self.visit.form.as_ref().is_some_and(is_so)
    }

    /// True if the visit sent a form.
    #[must_use]
    pub fn has_form(&self) -> bool {
        self.visit.form.is_some()
    }

    /// True if the visitor is signed in.
    #[must_use]
    pub fn is_signed_in(&self) -> bool {
        self.person.is_some()
    }

    /// True if the visitor has signed in recently enough for what needs that (decision 61).
    pub(super) fn is_recent(&self) -> bool {
        self.person.as_ref().is_some_and(|person| person.recent_until > self.service.now())
    }

    /// The credentials of the visitor, for operations in process.
    #[must_use]
    pub fn credentials(&self) -> Credentials {
        self.session.map_or(Credentials::None, Credentials::Session)
    }

    /// Calls the operation of this name. The visit is counted already.
    pub(super) async fn call<T: DeserializeOwned>(
        &self,
        operation: &str,
        path: &[(&str, &str)],
        body: Map<String, Value>,
    ) -> Result<T> {
        read(self.run(operation, path, body, true).await?)
    }

    async fn run(
        &self,
        operation: &str,
        path: &[(&str, &str)],
        body: Map<String, Value>,
        is_counted: bool,
    ) -> Result<Value> {
        let path = path.iter().map(|(name, value)| (Arc::from(*name), (*value).to_owned())).collect();
        let call = InnerCall {
            operation,
            path: Path(path),
            body,
            credentials: self.credentials(),
            peer: self.visit.client,
            links: Arc::clone(&self.visit.links),
            id: self.visit.id,
            is_counted,
            condition: None,
        };
        self.service.call(call).await
    }

    /// The code of the forms of a page.
    pub(super) fn code(&self, page: &str) -> Result<String> {
        protection::code(&self.service.site.mail_key, (&self.browser, self.session), page)
    }

    /// True if a form was sent by the browser and in the session that received it, from our own page.
    pub(super) fn is_own(&self, page: &str) -> Result<bool> {
        let Some(form) = &self.visit.form else { return Ok(false) };
        let came = !self.is_new && !self.visit.is_foreign;
        let key = &self.service.site.mail_key;
        Ok(came && protection::is_genuine(key, (&self.browser, self.session), page, form.get("form"))?)
    }

    /// The page that refuses a form, unless it was sent by the browser and in the session that received it, from our own
    /// page.
    pub(super) fn refuse(&self, page: &str) -> Result<Option<Shown>> {
        if self.visit.form.is_none() || self.is_own(page)? {
            return Ok(None);
        }
        let why = "It was not sent from this page, or your browser blocks cookies, or you signed in or out since. Load \
                   the page again.";
        self.message(403, "This form cannot be used", &[why]).map(Some)
    }

    /// The surroundings of every page.
    pub(super) fn frame(&self) -> Result<Frame> {
        let login = self.person.as_ref().map(|person| person.login.clone());
        let impersonator = self.person.as_ref().and_then(|person| person.impersonator.clone());
        let impersonator = impersonator.map(|admin| self.code(STOP).map(|code| (admin, code))).transpose()?;
        let code = if login.is_some() { self.code("/login/out")? } else { String::new() };
        Ok(Frame::new(&self.visit.links, login, code, impersonator))
    }

    /// A page that only shows a message.
    pub(super) fn message(&self, status: u16, title: &str, texts: &[&str]) -> Result<Shown> {
        Shown::of(status, &Message { frame: self.frame()?, title, texts, login: None })
    }

    /// The page with the cookie that identifies the browser, if it had none. A form is never the first thing that a
    /// browser sends.
    pub(super) fn with_cookie(&self, shown: Shown) -> Shown {
        if !self.is_new || self.visit.form.is_some() || shown.cookie.is_some() {
            return shown;
        }
        Shown { cookie: Some(BROWSER.set(self.visit, Some(self.browser.clone()))), ..shown }
    }

    /// The page, in a session that begins.
    pub(super) fn signed_in(&self, token: String, shown: Shown) -> Shown {
        Shown { cookie: Some(SESSION.set(self.visit, Some(token))), ..shown }
    }

    /// The page, after the session has ended.
    pub(super) fn signed_out(&self, shown: Shown) -> Shown {
        Shown { cookie: Some(SESSION.set(self.visit, None)), ..shown }
    }
}

/// A page that only shows a message.
#[derive(Template)]
#[template(path = "message.html")]
pub(super) struct Message<'a> {
    pub frame: Frame,
    pub title: &'a str,
    pub texts: &'a [&'a str],
    /// The path of the page to sign in, if the message leads there.
    pub login: Option<String>,
}

fn read<T: DeserializeOwned>(record: Value) -> Result<T> {
    serde_json::from_value(record).map_err(|error| Error::Bug(error.to_string()))
}

/// The fields of a body.
pub(super) fn body<const N: usize>(fields: [(&str, Value); N]) -> Map<String, Value> {
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
