//! Requests for pages: HTTP to a visit, and a page to HTTP, with the headers that isolate pages from other sites
//! (decision 61).

use std::sync::Arc;

use bytes::Bytes;
use hyper::body::Incoming;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, StatusCode};

use super::address::BadHost;
use super::asset::{asset, icon};
use super::body;
use super::compression;
use super::documentation::documentation;
use super::edge::{Edge, is_of_browser};
use super::head::{Head, identified, refuse};
use super::headers::Headers;
use super::problem::facts;
use super::query::decode_segment;
use super::response::{self, Answer};
use crate::error::{Error, Result};
use crate::links::Links;
use crate::pages::{self, Form, Guest, ICON_PATH, Refusal, Verb, Visit};

/// No external content is loaded, no script but our own is run, and no other site can show the page in a frame.
/// A form may also lead to a source that its page names.
fn policy(source: Option<&str>) -> String {
    let source = source.map(|source| format!(" {source}")).unwrap_or_default();
    format!(
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action \
         'self'{source}; frame-ancestors 'none'; base-uri 'none'"
    )
}

/// The path of pages below the base URL.
const PAGES: &str = "/ui";

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

const FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");

impl Edge {
    /// Answers with a page, or with what pages load.
    pub(super) async fn for_people(
        self: &Arc<Self>,
        path: &str,
        head: Head,
        parts: Parts,
        incoming: &mut Incoming,
    ) -> Answer {
        let reads = parts.method == Method::GET || parts.method == Method::HEAD;
        let head = Head { headers: parts.headers, ..head };
        if let Some(answer) = if reads { self.loaded(path, &head).await } else { None } {
            return answer;
        }
        let seen = Arc::clone(&head.links);
        let head = self.public(head);
        // Which scheme the request seems to have does not count: a proxy may not say so.
        if head.links.authority() != seen.authority() {
            let query = head.query.as_ref().map_or_else(String::new, |query| format!("?{query}"));
            return see([&head.links.origin, path, &query].concat(), &head);
        }
        let verb = match parts.method {
            _ if reads => Verb::Reads,
            Method::POST => Verb::Sends,
            _ => Verb::Other,
        };
        if head.is_too_long(path) {
            let error = Error::BadRequest("The address of this page is too long. Search for a shorter text.".into());
            return self.visited(path, &Head { query: None, ..head }, Err(error), verb).await;
        }
        let form = if verb == Verb::Sends { self.form(path, &head, incoming).await.map(Some) } else { Ok(None) };
        self.visited(path, &head, form, verb).await
    }

    /// Answers a request without a valid `Host` header: with a page that says so, if a browser asks for a page.
    pub(super) async fn misaddressed(self: &Arc<Self>, path: &str, head: Head, parts: Parts, bad: &BadHost) -> Answer {
        let error = Error::BadRequest(bad.to_string().into());
        if !head.links.api.is_empty() || !pages::is_page(path) || !is_of_browser(&parts) {
            return refuse(&head, None, &error);
        }
        let head = Head { headers: parts.headers, ..head };
        self.visited(path, &head, Err(error), Verb::Reads).await
    }

    /// The files and pictures that pages load, and the documentation: everyone gets the same.
    async fn loaded(&self, path: &str, head: &Head) -> Option<Answer> {
        if path == ICON_PATH {
            return Some(icon(head));
        }
        let below = path.strip_prefix(PAGES)?;
        if let Some(page) = below.strip_prefix("/docs") {
            let answer = identified(response::json(200, None), head);
            let mut answer = documentation(page, head.query.as_deref(), &head.headers, answer)?;
            answer.headers.set(header::CONTENT_SECURITY_POLICY, policy(None));
            for_this_site(&mut answer.headers);
            return Some(answer);
        }
        if let Some(name) = below.strip_prefix("/assets/") {
            return asset(name, head);
        }
        let login = below.strip_prefix("/avatars/")?;
        let picture = self.avatar(&decode_segment(login).unwrap_or_default(), head).await;
        (picture.status != StatusCode::NOT_FOUND).then_some(picture)
    }

    /// Leads a browser from the root to the pages.
    pub(super) fn lead_to_pages(&self, head: Head) -> Answer {
        let head = self.public(head);
        see(head.links.html_path(""), &head)
    }

    /// The request as the public URL has it, if the operator has set one: pages are used there only.
    pub(super) fn public(&self, head: Head) -> Head {
        let Some(public) = &self.public_url else { return head };
        let origin = public.trim_end_matches('/').to_owned();
        let links = Links { api: origin.clone(), origin };
        Head { tls: head.tls || links.origin.starts_with("https:"), links: Arc::new(links), ..head }
    }

    async fn visited(self: &Arc<Self>, path: &str, head: &Head, form: Result<Option<Form>>, verb: Verb) -> Answer {
        let (form, malformed) = match form {
            Ok(form) => (form, None),
            Err(error) => (None, Some(error)),
        };
        let visit = Visit {
            client: head.client,
            links: Arc::clone(&head.links),
            id: head.id,
            tls: head.tls,
            path: path.to_owned(),
            cookies: cookies(head),
            agent: head.header(header::USER_AGENT).unwrap_or_default().to_owned(),
            query: head.query.clone().unwrap_or_default(),
            is_foreign: is_foreign(head),
            navigates: head.header(FETCH_MODE) == Some("navigate"),
            verb,
            form,
        };
        let mut guest = match Guest::new(&self.service, (self.provider.as_ref(), &self.instruments), &visit) {
            Ok(guest) => guest,
            Err(error) => return refuse(head, None, &error),
        };
        let shown = match (guest.arrive().await, malformed) {
            (Err(error), _) | (Ok(()), Some(error)) => Err(error),
            (Ok(()), None) => self.forms.answer(&guest).await.map(|shown| answer(shown, head)),
        };
        shown.unwrap_or_else(|error| self.refused(head, &guest, &error))
    }

    async fn form(&self, path: &str, head: &Head, incoming: &mut Incoming) -> Result<Form> {
        let room = self.service.memory.room(crate::limits::requests::Caller::Address(head.client));
        let body = body::form(incoming, Form::longest(path), room).await?;
        let media = head.header(header::CONTENT_TYPE).unwrap_or_default();
        Form::read(media, &body).ok_or_else(|| Error::BadRequest("The form is malformed, or not in UTF-8.".into()))
    }

    /// The page for an error.
    fn refused(&self, head: &Head, guest: &Guest<'_>, error: &Error) -> Answer {
        self.note_limit(error, head, None);
        // The response of the API logs what is wrong with the service.
        let of_api = refuse(head, None, error);
        let (message, wait) = facts(error);
        let wait = match error {
            Error::RateLimited { reset, .. } => {
                Some(u32::try_from(reset - self.service.now().seconds()).unwrap_or_default().max(1))
            }
            _ => wait,
        };
        let refusal = Refusal { error, status: of_api.status.as_u16(), message: &message, wait };
        let Ok(shown) = guest.refused(&refusal) else { return of_api };
        answer(shown, head)
    }
}

/// A redirect to a page.
fn see(location: String, head: &Head) -> Answer {
    answer(pages::Shown::see(location), head)
}

fn answer(shown: pages::Shown, head: &Head) -> Answer {
    let mut answer = response::json(shown.status, None);
    let headers = &mut answer.headers;
    headers.spell_out();
    answer.body = if shown.compresses {
        compression::page(shown.html, &head.headers, headers)
    } else {
        Bytes::from(shown.html).into()
    };
    headers.insert(header::CONTENT_TYPE, HTML);
    if let Some((media, name)) = shown.file {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
        headers.set(header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\""));
    }
    headers.set(header::CONTENT_SECURITY_POLICY, policy(shown.source.as_deref()));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::CACHE_CONTROL, response::NOT_KEPT);
    for_this_site(headers);
    if let Some(location) = shown.location {
        headers.set(header::LOCATION, location);
    }
    if let Some(seconds) = shown.wait {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    if let Some(allow) = shown.allow {
        headers.insert(header::ALLOW, HeaderValue::from_static(allow));
    }
    if let Some(cookie) = shown.cookie {
        headers.set(header::SET_COOKIE, cookie);
    }
    identified(answer, head)
}

/// Pages are for this site only: no other one reads them, or is told their addresses.
fn for_this_site(headers: &mut Headers) {
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.remove(&header::ACCESS_CONTROL_ALLOW_ORIGIN);
    headers.remove(&header::ACCESS_CONTROL_EXPOSE_HEADERS);
}

/// The cookies. One that is not ASCII is of another program on the domain, and hides none of ours.
fn cookies(head: &Head) -> String {
    let headers = head.headers.get_all(header::COOKIE).iter();
    let sent = headers.flat_map(|value| value.as_bytes().split(|byte| *byte == b';')).filter(|pair| pair.is_ascii());
    sent.filter_map(|pair| str::from_utf8(pair).ok()).collect::<Vec<_>>().join(";")
}

/// True if the browser says that another site caused the request. Older browsers only send the origin.
fn is_foreign(head: &Head) -> bool {
    if let Some(site) = head.header(FETCH_SITE) {
        return !matches!(site, "same-origin" | "none");
    }
    match head.header(header::ORIGIN) {
        None => false,
        Some(origin) => Links { origin: origin.to_owned(), api: String::new() }.authority() != head.links.authority(),
    }
}
