//! Guards the server: programs on this machine may use it, but no web page may. A page can send requests to a server on
//! its reader's machine, and the tokens of the server are published. If the page's own host name resolves to that
//! machine, it can also read the responses (DNS rebinding). So the host must be loopback or one of `--control-host`,
//! and no other origin is accepted, except those of `--cors-origin` outside `/_guildhall`. There, a write must also
//! have a media type that a page can only send after a preflight request, and that request is refused.

use std::net::IpAddr;

use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue,
    ORIGIN, VARY,
};
use hyper::http::request::Parts;
use hyper::{Method, Uri};

use super::refusal::Refusal;
use crate::http::headers::Headers;

/// The rules of one server.
pub struct Guard {
    /// Hosts besides those of loopback.
    hosts: Vec<String>,
    /// Origins of pages that may use the API.
    origins: Vec<HeaderValue>,
}

/// An origin as browsers send it.
pub fn origin(text: &str) -> Result<HeaderValue, String> {
    let uri = text.parse::<Uri>().ok();
    let is_origin = uri.and_then(|uri| Some(format!("{}://{}", uri.scheme()?, uri.authority()?))).is_some_and(|own| {
        ["http://", "https://"].iter().any(|scheme| own.starts_with(scheme))
            && own == text
            && own == own.to_ascii_lowercase()
            && !own.contains('@')
    });
    let text = is_origin.then(|| HeaderValue::from_str(text).ok()).flatten();
    text.ok_or_else(|| "use an origin as browsers send it, such as http://localhost:3000".to_owned())
}

impl Guard {
    /// Accepts these hosts and those of loopback, and pages of these origins.
    pub fn new(hosts: Vec<String>, origins: Vec<HeaderValue>) -> Self {
        Self { hosts, origins }
    }

    /// Refuses a request that a web page may have sent, unless its origin was named. Returns that origin.
    pub fn check(&self, parts: &Parts) -> Result<Option<HeaderValue>, Refusal> {
        let foreign = self.foreign_origins(parts)?;
        if foreign.iter().all(|origin| self.origins.contains(origin)) {
            return Ok(foreign.first().copied().cloned());
        }
        let text = "a web page of another origin may not use this server: start it with --cors-origin ORIGIN";
        Err(Refusal::new(403, text))
    }

    /// Refuses a request to control the server that a web page may have sent.
    pub fn check_control(&self, parts: &Parts) -> Result<(), Refusal> {
        if !self.foreign_origins(parts)?.is_empty() {
            return Err(Refusal::new(403, "a web page of another origin may not use `/_guildhall`"));
        }
        let reads = [Method::GET, Method::HEAD].contains(&parts.method);
        if !reads && parts.method != Method::OPTIONS && !is_json(&parts.headers) {
            return Err(Refusal::new(415, "send Content-Type: application/json, even without a body"));
        }
        Ok(())
    }

    /// The origins of a request that are not its host's. Refuses another host than this machine.
    fn foreign_origins<'a>(&self, parts: &'a Parts) -> Result<Vec<&'a HeaderValue>, Refusal> {
        let host = host(parts).filter(|host| self.admits(name(host))).ok_or_else(|| {
            let text = "this server is for this machine: send a Host such as localhost or 127.0.0.1, or start the \
                        server with --control-host NAME";
            Refusal::new(403, text)
        })?;
        Ok(parts.headers.get_all(ORIGIN).iter().filter(|origin| !is_of(origin, host)).collect())
    }

    fn admits(&self, name: &str) -> bool {
        let loopback = name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        loopback || name.eq_ignore_ascii_case("localhost") || self.hosts.iter().any(|h| h.eq_ignore_ascii_case(name))
    }
}

/// Lets pages of a named origin read a response of the API, and no other page. Responses for which the API has no CORS
/// headers stay without them.
pub fn allow(headers: &mut Headers, origin: Option<HeaderValue>) {
    const ALLOWANCES: [HeaderName; 4] = [
        ACCESS_CONTROL_ALLOW_HEADERS,
        ACCESS_CONTROL_ALLOW_METHODS,
        ACCESS_CONTROL_EXPOSE_HEADERS,
        ACCESS_CONTROL_MAX_AGE,
    ];
    headers.spell_out();
    let is_open = headers.get(&ACCESS_CONTROL_ALLOW_ORIGIN).is_some();
    headers.remove(&ACCESS_CONTROL_ALLOW_ORIGIN);
    match origin.filter(|_| is_open) {
        Some(origin) => headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin),
        None => ALLOWANCES.iter().for_each(|name| headers.remove(name)),
    }
    let vary = headers.get(&VARY).and_then(|vary| vary.to_str().ok()).map(|vary| format!("{vary}, Origin"));
    headers.set(VARY, vary.unwrap_or_else(|| "Origin".to_owned()));
}

/// True if an origin is that of a host with its port.
fn is_of(origin: &HeaderValue, host: &str) -> bool {
    let parts = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
    parts.is_some_and(|(scheme, of)| ["http", "https"].contains(&scheme) && of.eq_ignore_ascii_case(host))
}

/// The host of a request with its port; none if there are several.
fn host(parts: &Parts) -> Option<&str> {
    if let Some(authority) = parts.uri.authority() {
        return Some(authority.as_str());
    }
    let mut sent = parts.headers.get_all(HOST).iter();
    let first = sent.next()?.to_str().ok()?;
    sent.next().is_none().then_some(first)
}

/// A host without its port, and an IPv6 address without brackets.
fn name(host: &str) -> &str {
    match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let mut sent = headers.get_all(CONTENT_TYPE).iter();
    let Some(Ok(kind)) = sent.next().map(|kind| kind.to_str()) else { return false };
    let kind = kind.split(';').next().unwrap_or_default().trim();
    sent.next().is_none() && kind.eq_ignore_ascii_case("application/json")
}

#[cfg(test)]
mod tests {
    use super::{Guard, name, origin};

    #[test]
    fn hosts_are_compared_without_their_port() {
        let guard = Guard::new(vec!["ci.example".into()], vec![]);
        for good in ["localhost", "LOCALHOST:80", "127.0.0.1:8420", "127.8.9.1", "[::1]:8420", "CI.example:1"] {
            assert!(guard.admits(name(good)), "{good}");
        }
        for bad in ["", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1", "[::2]", "::1"]
        {
            assert!(!guard.admits(name(bad)), "{bad}");
        }
    }

    #[test]
    fn an_origin_has_a_scheme_and_a_host_and_nothing_else() {
        for good in ["http://localhost:3000", "https://app.example", "http://[::1]:80"] {
            assert!(origin(good).is_ok(), "{good}");
        }
        for bad in ["", "*", "null", "app.example", "https://app.example/", "https://App.example", "ftp://app.example"]
        {
            assert!(origin(bad).is_err(), "{bad}");
        }
        assert!(origin("https://user@app.example").is_err() && origin("https://app.example/a?b").is_err());
    }
}
