//! The visitor of a page: their browser, their session, and how pages call operations for them.

use std::sync::Arc;

use askama::Template;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Map, Value};

use super::Form;
use super::assets::{Asset, SCRIPT, STYLE};
use super::cookies::{BROWSER, SESSION};
use super::layout::{Frame, Shown};
pub(super) use super::listed::Listed;
use super::protection;
use super::visit::Visit;
use crate::access::token_text;
use crate::clock;
use crate::dispatch::{Credentials, FIRST, InnerCall, Service};
use crate::error::{Error, Result};
use crate::identity::Provider;
use crate::instruments::Instruments;
use crate::operation::{Page, Path};
use crate::signin::{SignedIn, Visitor};

/// The name of the form in every page of a marked session that stops it.
pub(super) const STOP: &str = "/login/own";

/// The methods of a page without a form.
pub(super) const READS: &str = "GET, HEAD";

/// The word in the query after a form that takes away what is gone already.
pub(super) const GONE: &str = "gone";

/// The sentence for it.
pub(super) const IS_GONE: &str = "It is gone already, or you may not see it any more. Nothing has changed now.";

/// The page that signs out, and the name of its form in every page.
pub(super) const SIGN_OUT: &str = "/login/out";

/// The list of what is unread in the visitor's inbox.
pub(super) const INBOX: &str = "activity.listNotificationsForAuthenticatedUser";

/// A visitor.
pub struct Guest<'a> {
    pub(super) service: &'a Arc<Service>,
    /// The site's identity provider, if people may sign in there.
    pub(super) provider: Option<&'a Provider>,
    /// The instruments of operators.
    pub(super) instruments: &'a Instruments,
    pub(super) visit: &'a Visit,
    /// The person, if they are signed in.
    pub(super) person: Option<SignedIn>,
    /// The text that identifies the browser.
    pub(super) browser: String,
    /// True if the browser did not have that text yet.
    is_new: bool,
    /// The hash of the token of the session.
    pub(super) session: Option<[u8; 32]>,
    /// True if the browser has a session that has ended.
    pub(super) has_ended: bool,
    /// Masks the codes of the forms of this response.
    mask: [u8; 32],
    /// The number of unread discussions in the inbox.
    pub(super) unread: u64,
}

impl<'a> Guest<'a> {
    /// A visitor whose session is not known yet.
    pub fn new(
        service: &'a Arc<Service>,
        (provider, instruments): (Option<&'a Provider>, &'a Instruments),
        visit: &'a Visit,
    ) -> Result<Self> {
        let held = BROWSER.read(visit);
        let is_new = held.is_none();
        let browser = match held {
            Some(browser) => browser,
            None => URL_SAFE_NO_PAD.encode(clock::random::<32>()?),
        };
        let mask = clock::random()?;
        let (person, session, has_ended, unread) = (None, None, false, 0);
        Ok(Self { service, provider, instruments, visit, person, browser, is_new, session, has_ended, mask, unread })
    }

    /// Looks up the session, and counts the visit. Mail providers send many one-click forms from few IP addresses, so
    /// those are not counted, and a person can always sign out.
    pub async fn arrive(&mut self) -> Result<()> {
        self.session = SESSION.read(self.visit).map(|token| token_text::hash(&token));
        let visitor = InnerCall { is_counted: self.is_uncounted(), ..self.asked("signin.visitor", &[], Map::new()) };
        self.person = self.service.call(visitor).await?.record::<Visitor>()?.person;
        self.has_ended = self.session.is_some() && self.person.is_none();
        self.session = self.session.filter(|_| self.person.is_some());
        if self.is_signed_in() {
            let one = Page { per_page: 1, ..FIRST };
            let unread: Listed<IgnoredAny> = self.list(INBOX, &[], Map::new(), one).await?;
            self.unread = unread.total;
        }
        Ok(())
    }

    /// True if the visit is not counted.
    fn is_uncounted(&self) -> bool {
        self.is_one_click() || self.session.is_some() && self.visit.path == SIGN_OUT
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

    /// True if the visitor administers the site, so that its rooms are there for them.
    pub(super) fn administers_site(&self) -> bool {
        self.person.as_ref().is_some_and(|person| person.site_admin)
    }

    /// True if the session is marked: a site administrator acts for the person.
    pub(super) fn is_marked(&self) -> bool {
        self.person.as_ref().is_some_and(|person| person.impersonator.is_some())
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
        self.service.call(self.asked(operation, path, body)).await?.record()
    }

    /// Calls the list of this name for one of its pages; for the last one, if the page is behind it.
    pub(super) async fn list<T: DeserializeOwned>(
        &self,
        operation: &str,
        path: &[(&str, &str)],
        body: Map<String, Value>,
        mut page: Page,
    ) -> Result<Listed<T>> {
        let mut replied = self.service.call(InnerCall { page, ..self.asked(operation, path, body.clone()) }).await?;
        let last = replied.total.unwrap_or_default().div_ceil(page.per_page).max(1);
        if page.number > last {
            page.number = last;
            replied = self.service.call(InnerCall { page, ..self.asked(operation, path, body) }).await?;
        }
        Ok(Listed { items: replied.record()?, total: replied.total.unwrap_or_default(), page })
    }

    /// Calls the list of this name, whose pages have no numbers, and returns it with its `Link` header.
    pub(super) async fn behind<T: DeserializeOwned>(
        &self,
        operation: &str,
        path: &[(&str, &str)],
        body: Map<String, Value>,
    ) -> Result<(Vec<T>, String)> {
        let mut replied = self.service.call(self.asked(operation, path, body)).await?;
        let link = replied.link.take().unwrap_or_default();
        Ok((replied.record()?, link))
    }

    /// Calls the search of this name for one of its pages; for the last one, if the page is behind it. The page after the
    /// results that can be reached is refused, and their number is looked up then.
    pub(super) async fn search<T: DeserializeOwned>(
        &self,
        operation: &str,
        q: &str,
        mut page: Page,
    ) -> Result<Listed<T>> {
        #[derive(Deserialize)]
        struct Found<T> {
            items: Vec<T>,
        }
        let asked = |page| InnerCall { page, ..self.asked(operation, &[], body([("q", q.into())])) };
        let mut replied = match self.service.call(asked(page)).await {
            Err(Error::Unprocessable { .. }) if page.number > 1 => {
                self.service.call(asked(Page { number: 1, ..page })).await?
            }
            replied => replied?,
        };
        let last = replied.total.unwrap_or_default().div_ceil(page.per_page).max(1);
        if page.number > last {
            page.number = last;
            replied = self.service.call(asked(page)).await?;
        }
        let Found { items } = replied.record()?;
        Ok(Listed { items, total: replied.total.unwrap_or_default(), page })
    }

    /// True if the policy allows the visitor the write of this name, so that its button is shown.
    pub(super) async fn may(&self, operation: &str, path: &[(&str, &str)]) -> Result<bool> {
        match self.service.authorize(self.asked(operation, path, Map::new())).await {
            Ok(()) => Ok(true),
            Err(error @ (Error::Unavailable(_) | Error::Bug(_))) => Err(error),
            Err(_) => Ok(false),
        }
    }

    fn asked<'o>(&self, operation: &'o str, path: &[(&str, &str)], body: Map<String, Value>) -> InnerCall<'o> {
        let path = path.iter().map(|(name, value)| (Arc::from(*name), (*value).to_owned())).collect();
        InnerCall {
            operation,
            path: Path(path),
            body,
            page: FIRST,
            credentials: self.credentials(),
            peer: self.visit.client,
            links: Arc::clone(&self.visit.links),
            id: self.visit.id,
            is_counted: true,
            condition: None,
        }
    }

    /// The page of a list that the query asks for, with this many items on each; the first if it asks for none.
    pub(super) fn page(&self, per_page: u64) -> Page {
        self.page_of("page", per_page)
    }

    /// The page that this field of the query asks for.
    pub(super) fn page_of(&self, field: &str, per_page: u64) -> Page {
        let number = self.query(field).parse().ok().filter(|number| *number > 0);
        Page { number: number.unwrap_or(1), per_page }
    }

    /// A field of the query; empty if there is none.
    pub(super) fn query(&self, name: &str) -> String {
        Form::read_encoded(&self.visit.query).unwrap_or_default().get(name).to_owned()
    }

    /// The redirect to the page at this path below `/ui`, with a word for what was done.
    pub(super) fn see(&self, path: &str, done: &str) -> Shown {
        Shown::see(self.visit.links.html_path(&format!("{path}?done={done}")))
    }

    /// The sentence about what was just done, by the word in the query; empty if there is none.
    pub(super) fn done(&self, sentences: &[(&str, &'static str)]) -> &'static str {
        let word = self.query("done");
        if word == GONE {
            return IS_GONE;
        }
        let found = sentences.iter().find(|(known, _)| *known == word);
        found.map_or("", |(_, sentence)| self.mailed(sentence))
    }

    /// The code of the forms of a page.
    pub(super) fn code(&self, page: &str) -> Result<String> {
        protection::code(&self.service.site.mail_key, (&self.browser, self.session), page, self.mask)
    }

    /// The form of the visit, unless another site sent it or the browser has not seen a page of ours.
    pub(super) fn sent(&self) -> Option<&Form> {
        self.visit.form.as_ref().filter(|_| !self.is_new && !self.visit.is_foreign)
    }

    /// True if a form was sent by the browser and in the session that received it, from our own page.
    pub(super) fn is_own(&self, page: &str) -> Result<bool> {
        let Some(form) = self.sent() else { return Ok(false) };
        let key = &self.service.site.mail_key;
        protection::is_genuine(key, (&self.browser, self.session), page, form.get("form"))
    }

    /// The page that refuses a form, unless it was sent by the browser and in the session that received it, from our own
    /// page.
    pub(super) fn refuse(&self, page: &str) -> Result<Option<Shown>> {
        if self.visit.form.is_none() || self.is_own(page)? {
            return Ok(None);
        }
        let why = "It was not sent from this page, or your browser blocks cookies, or you signed in or out since. Load \
                   the page again.";
        let title = "This form cannot be used";
        let again = "You signed in or out since you opened its page. Look at what you wrote, and send it again.";
        match self.unusable(page, title, again)? {
            Some(kept) => Ok(Some(kept)),
            None => self.message(403, title, &[why]).map(Some),
        }
    }

    /// The surroundings of every page.
    pub(super) fn frame(&self) -> Result<Frame> {
        let login = self.person.as_ref().map(|person| person.login.clone());
        let impersonator = self.person.as_ref().and_then(|person| person.impersonator.clone());
        let impersonator = impersonator.map(|admin| self.code(STOP).map(|code| (admin, code))).transpose()?;
        let code = if login.is_some() { self.code(SIGN_OUT)? } else { String::new() };
        let links = &self.visit.links;
        let file = |asset: &Asset| links.html_path(&format!("/assets/{}", asset.name));
        Ok(Frame {
            style: file(&STYLE),
            script: file(&SCRIPT),
            base: links.prefix().to_owned(),
            here: [links.prefix(), &self.visit.path].concat(),
            form: self.code(&self.visit.path)?,
            login,
            administers: self.administers_site(),
            unread: self.unread,
            code,
            impersonator,
            version: env!("CARGO_PKG_VERSION"),
            now: self.service.now(),
        })
    }

    /// A page that only shows a message.
    pub(super) fn message(&self, status: u16, title: &str, texts: &[&str]) -> Result<Shown> {
        Shown::of(status, &Message { frame: self.frame()?, title, texts, login: None })
    }

    /// The page for a method that the visited page does not have.
    pub(super) fn only_by(&self, allow: &'static str) -> Result<Shown> {
        let why = "Nothing was changed. Open the page again, and use the forms on it.";
        self.message(405, "This page cannot be used like that", &[why])
            .map(|shown| Shown { allow: Some(allow), ..shown })
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

/// The fields of a body.
pub(super) fn body<const N: usize>(fields: [(&str, Value); N]) -> Map<String, Value> {
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
