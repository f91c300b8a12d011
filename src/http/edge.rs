//! One request from its head to its response: HTTP to an operation of the table, and its result to HTTP.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use hyper::body::{Body, Incoming};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Request, StatusCode, Version};
use ipnet::IpNet;
use serde_json::{Map, Value};

use super::address::{self, Arrival, Connection};
use super::head::{Head, identified, redirect, refuse, with_status};
use super::health::health;
use super::metrics::Metrics;
use super::outgoing::Outgoing;
use super::request_log::RequestLog;
use super::response::{self, Answer};
use super::routes::{Route, Routes};
use super::timeouts::Serving;
use super::{body, compression, conditional, media, openapi, paging, query};
use crate::access::credentials::{self, Presented};
use crate::access::token_text;
use crate::clock::Minutely;
use crate::dispatch::{self, Credentials, Facts, Holding, Outcome, Room, Service};
use crate::error::{Error, Result};
use crate::identity::Provider;
use crate::links::Links;
use crate::operation::{Call, Illegible, Operation, Path, Rendered, RequestId};
use crate::pages::{Forms, is_page};
use crate::sync;

/// The time at which the log last said that a request got 503 because of what requests hold.
static CROWDED: Minutely = Minutely::new();

/// Answers requests.
pub struct Edge {
    /// Carries out operations.
    pub service: Arc<Service>,
    /// The router.
    pub routes: Routes,
    /// The rules of the table for fields and mutations of GraphQL.
    pub rules: Arc<crate::graphql::Rules>,
    /// The networks whose forwarded headers are trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// The base URL that the operator has set.
    pub public_url: Option<String>,
    /// The site's identity provider, if people may sign in there.
    pub provider: Option<Provider>,
    /// The instruments of its operators.
    pub instruments: crate::instruments::Instruments,
    /// The forms of pages that were sent lately.
    pub forms: Forms,
    /// The metrics, if they are configured.
    pub metrics: Option<Arc<Metrics>>,
    /// Distinguishes the requests of this process from those of others.
    pub instance: u64,
    /// The number of requests so far.
    pub requests: AtomicU64,
}

/// An operation that a request asks for.
pub(super) struct Asked {
    /// The index of its row.
    pub row: usize,
    /// The parameters of its path.
    pub path: Path,
    /// True if the form of its path is deprecated.
    pub legacy: bool,
    /// The credentials.
    pub credentials: Credentials,
}

impl Edge {
    /// Answers a request. It never fails: an error is a response too. The request counts as being served until its
    /// whole body has arrived, needed or not, and the whole response has been sent.
    pub async fn answer(
        self: Arc<Self>,
        request: Request<Incoming>,
        connection: &Connection,
        serving: Serving,
    ) -> Answer {
        let (verb, version) = (request.method().clone(), request.version());
        let mut log = RequestLog::begin(&verb, self.metrics.as_ref());
        let id = RequestId::new(self.instance, self.requests.fetch_add(1, Ordering::Relaxed));
        let (parts, mut incoming) = request.into_parts();
        let waits = parts.headers.contains_key(header::EXPECT);
        let mut answer = self.route(parts, &mut incoming, connection, id, &mut log).await;
        // A client that waits for `100 Continue` never sends the rest.
        if !waits {
            discard(incoming, &serving);
        }
        finish(&mut answer, &verb, version, serving);
        log.end(&verb, id, answer.status.as_u16(), self.metrics.as_ref());
        answer
    }

    async fn route(
        self: &Arc<Self>,
        parts: Parts,
        incoming: &mut Incoming,
        connection: &Connection,
        id: RequestId,
        log: &mut RequestLog,
    ) -> Answer {
        let (prefix, path) = address::strip_prefix(parts.uri.path());
        let authority = parts.uri.authority().map(hyper::http::uri::Authority::as_str);
        let (headers, trusted_proxies) = (&parts.headers, &self.trusted_proxies);
        let (version, public_url) = (parts.version, self.public_url.as_deref());
        let arrival = Arrival { connection, version, authority, headers, trusted_proxies, public_url };
        let media = media::read(joined(&parts.headers, header::ACCEPT).as_deref());
        let (links, bad) = match arrival.links(prefix) {
            Ok(links) => (links, None),
            Err(bad) => (Arc::new(Links { origin: String::new(), api: prefix.to_owned() }), Some(bad)),
        };
        let head = Head {
            id,
            media,
            tls: connection.tls || links.origin.starts_with("https:"),
            links,
            client: arrival.client_ip(),
            query: parts.uri.query().map(str::to_owned),
            headers: HeaderMap::new(),
            provisioning: path.starts_with(sync::routes::PREFIX),
        };
        log.client = Some(head.client);
        if let Some(bad) = bad {
            let path = path.to_owned();
            return Box::pin(self.misaddressed(&path, head, parts, &bad)).await;
        }
        let of_application = Self::address_of_application(prefix, path);
        let is_page = prefix.is_empty() && is_page(path) && of_application.is_none();
        if !is_page && head.is_too_long(parts.uri.path()) {
            let error = Error::BadRequest("The URL of the request is too long. Send a shorter one.".into());
            return with_status(&head, &error, StatusCode::URI_TOO_LONG);
        }
        // No other site reads pages (decision 79).
        if parts.method == Method::OPTIONS && !is_page {
            return identified(response::preflight(), &head);
        }
        if let Some(answer) = self.outside_the_table(&parts, path, &head).await {
            return answer;
        }
        if let Some(address) = of_application {
            return Box::pin(self.for_application(address, head, parts, incoming)).await;
        }
        if is_page {
            let path = path.to_owned();
            return Box::pin(self.for_people(&path, head, parts, incoming)).await;
        }
        if prefix.is_empty() && path == "/" && media::prefers_html(joined(&parts.headers, header::ACCEPT).as_deref()) {
            return self.lead_to_pages(head);
        }
        if path == "/graphql" || prefix.is_empty() && path == "/api/graphql" {
            return Box::pin(self.graphql(head, parts, incoming, log)).await;
        }
        let (row, path, legacy) = match self.routes.find(&parts.method, path) {
            Ok(Route::Operation { row, path, legacy }) => (row, path, legacy),
            Ok(Route::Unknown) if prefix.is_empty() && is_of_browser(&parts) => {
                let path = path.to_owned();
                return Box::pin(self.for_people(&path, head, parts, incoming)).await;
            }
            Ok(Route::Unknown) => return refuse(&head, None, &Error::NotFound),
            Ok(Route::Verb(allowed)) => {
                let error = Error::BadRequest(format!("This URL accepts {allowed}.").into());
                let mut answer = with_status(&head, &error, StatusCode::METHOD_NOT_ALLOWED);
                answer.headers.set(header::ALLOW, allowed);
                return answer;
            }
            Err(error) => return refuse(&head, None, &error),
        };
        log.operation = Some(self.service.operations[row].name);
        log.name(&parts.method, &path);
        if parts.headers.get(header::USER_AGENT).is_none_or(HeaderValue::is_empty) {
            return identified(response::no_user_agent(), &head);
        }
        let lacks_length = body::lacks_length(&parts.method, parts.version, &parts.headers);
        let head = Head { headers: parts.headers, ..head };
        let body = |room| body::read(&self.service.operations[row], parts.method, lacks_length, incoming, room);
        let asked = Asked { row, path, legacy, credentials: presented(&head.headers) };
        let (answer, caller) = self.carry_out(&head, asked, parts.uri.path(), body).await;
        log.caller = caller;
        answer
    }

    /// The paths that are not operations and carry no data of organizations.
    async fn outside_the_table(&self, parts: &Parts, path: &str, head: &Head) -> Option<Answer> {
        if parts.method != Method::GET && parts.method != Method::HEAD {
            return None;
        }
        let (status, body) = match path {
            "/openapi.json" => {
                let mut answer = response::json(200, Some(Outgoing::default()));
                answer.body = openapi::text().body(&parts.headers, &mut answer.headers);
                return Some(identified(answer, head));
            }
            "/healthz" | "/readyz" => Box::pin(health(path, &self.service)).await?,
            _ => return None,
        };
        let mut answer = response::json(status, Some(body.into()));
        if status != 200 {
            answer.headers.insert(header::CACHE_CONTROL, response::NOT_KEPT);
        }
        Some(identified(answer, head))
    }

    /// Carries out an operation. Returns the response, and the login of the caller.
    pub(super) async fn carry_out<B, M>(
        self: &Arc<Self>,
        head: &Head,
        asked: Asked,
        target: &str,
        body: B,
    ) -> (Answer, Option<Arc<str>>)
    where
        B: FnOnce(Room) -> M,
        M: Future<Output = Result<(Map<String, Value>, Room)>>,
    {
        let Asked { row, path, legacy, credentials } = asked;
        let operation = &self.service.operations[row];
        let pairs = query::pairs(head.query.as_deref().unwrap_or_default());
        let query = pairs.map(|(key, value)| (key.into_owned(), value.map(Cow::into_owned).map_err(|_| Illegible)));
        let query = query.collect();
        let page = paging::read(head.query.as_deref(), operation.per_page);
        let request = dispatch::Request {
            operation: row,
            call: Call { path, query, legacy, accepts_repository: head.media.repository, ..Call::default() },
            credentials,
            peer: head.client,
            links: Arc::clone(&head.links),
            page,
            id: head.id,
            is_counted: false,
            condition: None,
            only_asks: false,
        };
        let Outcome { result, mut facts, holding } = self.service.serve(request, body).await;
        let mut answer = match result {
            Ok(rendered) => self.succeed(head, operation, &mut facts, (rendered, holding), legacy, page),
            Err(Error::Moved { to, segments }) if operation.method == crate::operation::Method::Get => {
                redirect(head, &to, segments, target)
            }
            Err(error) => {
                let login = facts.caller.person.as_ref().map(|person| &*person.login);
                self.note_limit(&error, head, login);
                refuse(head, Some(operation), &error)
            }
        };
        let headers = &mut answer.headers;
        if legacy && !response::is_deprecated(headers) {
            // The canonical URL is left out: it could disclose a team that the caller may not see.
            response::deprecate(headers, &head.docs(), None);
        }
        if let Some(token) = &facts.caller.token {
            response::scopes(headers, token, operation.scopes.header());
        }
        if let Some(quota) = &facts.quota {
            response::quota(headers, quota, operation.resource);
        }
        (answer, facts.caller.person.map(|person| person.login))
    }

    /// Counts a refusal, if a limit caused it. Once a minute, the log says that a request got 503 because of what
    /// requests hold.
    pub(super) fn note_limit(&self, error: &Error, head: &Head, login: Option<&str>) {
        if let (Some(metrics), Some(limit)) = (&self.metrics, error.limit()) {
            metrics.refused(limit);
        }
        if let Error::Busy(scarce) = error
            && CROWDED.is_due()
        {
            let (limit, caller, request) = (scarce.name(), login.unwrap_or("-"), head.id.as_str());
            tracing::warn!(limit, caller, remote = %head.client, request, "a request got 503, because requests hold as much as they may");
        }
    }

    fn succeed(
        &self,
        head: &Head,
        operation: &Operation,
        facts: &mut Facts,
        (rendered, holding): (Rendered, Option<Holding>),
        legacy: bool,
        page: crate::operation::Page,
    ) -> Answer {
        // The ID of the token, or that of the session as a negative number; 0 for anonymous callers.
        let session = facts.caller.session.as_ref().map_or(0, |session| -session.id);
        let credential = facts.caller.token.as_ref().map_or(session, |token| token.id);
        let Rendered { status, body, media, digest, location, total, link, modified, canonical } = rendered;
        let key = &self.service.site.etag_key;
        let digest = digest.or_else(|| body.as_ref().map(|body| body.digest(key)));
        let is_read = operation.method == crate::operation::Method::Get;
        let gzip = is_read && digest.is_some_and(|digest| compression::applies(digest.length, &head.headers));
        let etag = digest.map(|digest| conditional::etag(key, digest.hash, credential, &head.media.header));
        let unchanged = is_read
            && joined(&head.headers, header::IF_NONE_MATCH)
                .zip(etag.as_ref())
                .is_some_and(|(tags, etag)| conditional::none_match(&tags, etag));
        let body = body.zip(digest).filter(|_| !unchanged).map(|(body, digest)| {
            if gzip {
                return Outgoing::whole(compression::compressed(body), holding);
            }
            Outgoing::new(body, digest.length, holding)
        });
        let mut answer = if unchanged { response::json(304, None) } else { response::json(status, body) };
        if unchanged {
            self.give_back(operation, facts);
        } else if gzip {
            compression::mark(&mut answer.headers);
        }
        let headers = &mut answer.headers;
        if let Some(media) = media.filter(|_| !unchanged) {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
        }
        if let Some(etag) = etag {
            let etag = if gzip { conditional::weak(&etag) } else { etag };
            response::cacheable(headers, credential == 0, etag, modified);
            if operation.free {
                headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
            }
        }
        if let Some(location) = location {
            headers.set(header::LOCATION, location);
        }
        if let Some(link) = link {
            headers.set(header::LINK, link);
        }
        let canonical = canonical.map(|path| head.links.api(&path));
        if let (Some(total), Some(url)) = (total, &canonical)
            && let Some(link) = paging::link_header(url, head.query.as_deref(), page.number, page.per_page, total)
        {
            headers.set(header::LINK, link);
        }
        if let Some(url) = canonical.filter(|_| legacy) {
            response::deprecate(headers, &head.docs(), Some(&url));
        }
        identified(answer, head)
    }

    /// A 304 response costs nothing (decision 39).
    fn give_back(&self, operation: &Operation, facts: &mut Facts) {
        if let (Some(limiters), Some(who)) = (&self.service.site.limiters, facts.charged) {
            facts.quota = Some(limiters.of(operation.resource).refund(who, self.service.now().seconds()));
        }
    }
}

/// Reads the rest of a body and drops it. Until then, the request is being served.
pub fn discard(incoming: Incoming, serving: &Serving) {
    if incoming.is_end_stream() {
        return;
    }
    let serving = serving.share();
    tokio::spawn(async move {
        body::discard(incoming).await;
        drop(serving);
    });
}

/// Makes a response ready to be sent: without its body for HEAD, and counted as being served until it has been sent.
pub fn finish(answer: &mut Answer, verb: &Method, version: Version, serving: Serving) {
    if *verb == Method::HEAD {
        // A response without a body has no length either, as for GET.
        if !matches!(answer.status, StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED) {
            let length = answer.body.size_hint().exact().unwrap_or(0);
            answer.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
        }
        answer.body = Outgoing::default();
    }
    answer.body.serve(serving, version == Version::HTTP_2);
}

/// The credentials of a request. Two are refused, because it would be unclear which one counts.
pub fn presented(headers: &HeaderMap) -> Credentials {
    let mut sent = headers.get_all(header::AUTHORIZATION).iter();
    let first = sent.next();
    if sent.next().is_some() {
        return Credentials::Malformed;
    }
    match credentials::read(first.map(HeaderValue::as_bytes)) {
        Presented::None => Credentials::None,
        Presented::Token(text) => Credentials::Token(token_text::hash(&text)),
        Presented::Malformed => Credentials::Malformed,
    }
}

/// True if a person opens the URL in a browser.
pub(super) fn is_of_browser(parts: &Parts) -> bool {
    let accept = joined(&parts.headers, header::ACCEPT);
    matches!(parts.method, Method::GET | Method::HEAD) && media::prefers_html(accept.as_deref())
}

/// A header that may be repeated, as one list.
pub(super) fn joined(headers: &HeaderMap, name: HeaderName) -> Option<Cow<'_, str>> {
    let mut values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    let first = values.next()?;
    Some(values.fold(Cow::Borrowed(first), |list, next| format!("{list}, {next}").into()))
}
