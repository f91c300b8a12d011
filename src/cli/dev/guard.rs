//! Who may control the server: programs on this machine, but no web page. A page can send requests to a server on its
//! reader's machine. If the page's own host name resolves to that machine, it can also read the responses (DNS
//! rebinding). So the host must be loopback or one of `--control-host`, and no other origin is accepted. A write must
//! have a media type that a page can only send after a preflight request, and that request is refused.

use std::net::IpAddr;

use hyper::Method;
use hyper::header::{CONTENT_TYPE, HOST, HeaderMap, ORIGIN};
use hyper::http::request::Parts;

use super::refusal::Refusal;

/// The rules of one server.
pub struct Guard {
    /// Hosts besides those of loopback.
    hosts: Vec<String>,
}

impl Guard {
    /// Accepts these hosts, and those of loopback.
    pub fn new(hosts: Vec<String>) -> Self {
        Self { hosts }
    }

    /// Refuses a request that a web page may have sent.
    pub fn check(&self, parts: &Parts) -> Result<(), Refusal> {
        let host = host(parts).filter(|host| self.admits(name(host))).ok_or_else(|| {
            let text = "`/_guildhall` is for this machine: send a Host such as localhost or 127.0.0.1, or start the \
                        server with --control-host NAME";
            Refusal::new(403, text)
        })?;
        for origin in parts.headers.get_all(ORIGIN) {
            let own = origin
                .to_str()
                .ok()
                .and_then(|origin| origin.split_once("://"))
                .is_some_and(|(scheme, of)| ["http", "https"].contains(&scheme) && of.eq_ignore_ascii_case(host));
            if !own {
                return Err(Refusal::new(403, "a web page of another origin may not use `/_guildhall`"));
            }
        }
        let reads = [Method::GET, Method::HEAD].contains(&parts.method);
        if !reads && parts.method != Method::OPTIONS && !is_json(&parts.headers) {
            return Err(Refusal::new(415, "send Content-Type: application/json, even without a body"));
        }
        Ok(())
    }

    fn admits(&self, name: &str) -> bool {
        let loopback = name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        loopback || name.eq_ignore_ascii_case("localhost") || self.hosts.iter().any(|h| h.eq_ignore_ascii_case(name))
    }
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
    use super::{Guard, name};

    #[test]
    fn hosts_are_compared_without_their_port() {
        let guard = Guard::new(vec!["ci.example".into()]);
        for good in ["localhost", "LOCALHOST:80", "127.0.0.1:8420", "127.8.9.1", "[::1]:8420", "CI.example:1"] {
            assert!(guard.admits(name(good)), "{good}");
        }
        for bad in ["", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1", "[::2]", "::1"]
        {
            assert!(!guard.admits(name(bad)), "{bad}");
        }
    }
}
