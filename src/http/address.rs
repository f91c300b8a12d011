//! The URL and the client of a request: every URL in the response begins with the base that the client used.
//!
//! Implements decision 1. HTTP/1.0 has no `Host` header. Without a host and without forwarded headers, URLs begin with
//! `public_url`, or else with the IP address and port that the client connected to. Forwarded headers count only from a
//! peer within `trusted_proxies`.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use hyper::header::HOST;
use hyper::{HeaderMap, Version};
use ipnet::IpNet;

use crate::http::forwarded::{self, Forwarded};
use crate::links::Links;

const API_PREFIX: &str = "/api/v3";
const MAX_HOST: usize = 255;
const MAX_FORWARDED_PREFIX: usize = 255;

/// The request has no host, more than one, or an invalid one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadHost;

impl fmt::Display for BadHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "The request needs exactly one valid Host header. Send a host name or IP address, and a port if any.",
        )
    }
}

impl std::error::Error for BadHost {}

/// Splits a path into the API prefix and the rest, which begins with a slash.
///
/// Clients whose base URL ends in a slash add another one; one extra slash is accepted (decision 2).
#[must_use]
pub fn strip_prefix(path: &str) -> (&'static str, &str) {
    let (prefix, rest) = match path.strip_prefix(API_PREFIX) {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => (API_PREFIX, rest),
        _ => ("", path),
    };
    let rest = if rest.starts_with("//") { &rest[1..] } else { rest };
    (prefix, if rest.is_empty() { "/" } else { rest })
}

/// A connection, with the base of URLs for the last host: nearly always the next request has the same host. Nothing is
/// cached for a trusted proxy, which forwards the requests of many clients.
pub struct Connection {
    /// The IP address of the peer.
    pub peer: IpAddr,
    /// The IP address and port of this end.
    pub local: SocketAddr,
    /// True if the connection uses TLS.
    pub tls: bool,
    last: Mutex<Option<Last>>,
}

struct Last {
    host: String,
    prefix: &'static str,
    links: Arc<Links>,
}

impl Connection {
    /// A connection before its first request.
    #[must_use]
    pub fn new(peer: IpAddr, local: SocketAddr, tls: bool) -> Self {
        Self { peer, local, tls, last: Mutex::default() }
    }
}

/// The facts about the arrival of a request.
#[derive(Clone, Copy)]
pub struct Arrival<'a> {
    /// The connection of the request.
    pub connection: &'a Connection,
    /// The HTTP version of the request.
    pub version: Version,
    /// The authority in the request line (HTTP/2 `:authority`, HTTP/1.1 absolute form); it takes precedence over
    /// `Host`.
    pub authority: Option<&'a str>,
    /// The headers of the request.
    pub headers: &'a HeaderMap,
    /// The networks whose forwarded headers are trusted.
    pub trusted_proxies: &'a [IpNet],
    /// The base URL that the operator has set.
    pub public_url: Option<&'a str>,
}

impl<'a> Arrival<'a> {
    /// The beginning of URLs in the response: the base URL of the request, with this prefix.
    pub fn links(&self, prefix: &'static str) -> Result<Arc<Links>, BadHost> {
        if self.trusts_peer() || self.may_lack_host() {
            return self.read(prefix).map(Arc::new);
        }
        let host = self.host()?;
        let mut last = self.connection.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = last.as_ref().filter(|last| last.host == host && last.prefix == prefix) {
            return Ok(Arc::clone(&last.links));
        }
        let links = Arc::new(self.read(prefix)?);
        *last = Some(Last { host: host.to_owned(), prefix, links: Arc::clone(&links) });
        Ok(links)
    }

    fn read(&self, prefix: &str) -> Result<Links, BadHost> {
        let forwarded =
            if self.trusts_peer() { forwarded::base(self.headers, self.trusted_proxies) } else { Forwarded::default() };
        let host = match forwarded.host {
            Some(host) => host,
            None if self.may_lack_host() => return Ok(self.own(prefix)),
            None => self.host()?,
        };
        let has_port = check_host(host)?;
        let tls = match forwarded.proto {
            Some(proto) if proto.eq_ignore_ascii_case("https") => true,
            Some(proto) if proto.eq_ignore_ascii_case("http") => false,
            _ => self.connection.tls,
        };
        let scheme = if tls { "https://" } else { "http://" };
        let mut origin = String::with_capacity(scheme.len() + host.len() + 6);
        origin.push_str(scheme);
        origin.push_str(host);
        let default_port = if tls { 443 } else { 80 };
        if let Some(port) =
            forwarded.port.filter(|port| !has_port && read_port(port).is_some_and(|n| n != default_port))
        {
            origin.push(':');
            origin.push_str(port);
        }
        origin.push_str(forwarded.prefix.and_then(read_forwarded_prefix).unwrap_or_default());
        Ok(Links { api: [&origin, prefix].concat(), origin })
    }

    /// True if the request has no host and needs none.
    fn may_lack_host(&self) -> bool {
        self.version < Version::HTTP_11 && self.authority.is_none() && !self.headers.contains_key(HOST)
    }

    /// The beginning of URLs for a client that names no host.
    fn own(&self, prefix: &str) -> Links {
        let scheme = if self.connection.tls { "https" } else { "http" };
        let local = self.connection.local;
        let local = SocketAddr::new(local.ip().to_canonical(), local.port());
        let origin = self.public_url.map_or_else(|| format!("{scheme}://{local}"), str::to_owned);
        Links { api: [&origin, prefix].concat(), origin }
    }

    /// The IP address of the client: the peer, or the one that trusted proxies name.
    #[must_use]
    pub fn client_ip(&self) -> IpAddr {
        let peer = self.connection.peer.to_canonical();
        if self.trusts_peer() { forwarded::client(self.headers, self.trusted_proxies).unwrap_or(peer) } else { peer }
    }

    fn trusts_peer(&self) -> bool {
        forwarded::is_trusted(self.trusted_proxies, self.connection.peer)
    }

    fn host(&self) -> Result<&'a str, BadHost> {
        if let Some(authority) = self.authority {
            return Ok(authority);
        }
        let mut hosts = self.headers.get_all(HOST).iter();
        match (hosts.next(), hosts.next()) {
            (Some(host), None) => host.to_str().map_err(|_| BadHost),
            _ => Err(BadHost),
        }
    }
}

/// Checks a host with an optional port, and returns whether it has a port.
///
/// In a registered name, only the unreserved characters are accepted: no real host has others, and they could break a
/// header.
fn check_host(text: &str) -> Result<bool, BadHost> {
    if text.len() > MAX_HOST {
        return Err(BadHost);
    }
    let (is_host, rest) = if let Some(text) = text.strip_prefix('[') {
        let (address, rest) = text.split_once(']').ok_or(BadHost)?;
        (address.parse::<Ipv6Addr>().is_ok(), rest)
    } else {
        let (name, rest) = text.split_at(text.find(':').unwrap_or(text.len()));
        let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~".contains(&b);
        (!name.is_empty() && name.bytes().all(is_plain), rest)
    };
    let is_port = rest.is_empty() || rest.strip_prefix(':').and_then(read_port).is_some();
    if is_host && is_port { Ok(!rest.is_empty()) } else { Err(BadHost) }
}

/// The path below which a proxy publishes the service, without a trailing slash.
///
/// Only unreserved characters are accepted, and no segment that clients would normalize away, such as `..`.
fn read_forwarded_prefix(text: &str) -> Option<&str> {
    let path = text.strip_suffix('/').unwrap_or(text);
    let is_plain = |step: &str| {
        !matches!(step, "" | "." | "..") && step.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~".contains(&b))
    };
    let is_good = path.len() <= MAX_FORWARDED_PREFIX && path.strip_prefix('/')?.split('/').all(is_plain);
    is_good.then_some(path)
}

fn read_port(text: &str) -> Option<u16> {
    let is_number = text.len() <= 5 && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|&port| is_number && port > 0)
}

#[cfg(test)]
mod behind_proxies;

#[cfg(test)]
mod tests {
    use hyper::header::{HOST, HeaderName, HeaderValue};
    use hyper::{HeaderMap, Version};
    use ipnet::IpNet;

    use super::{Arrival, BadHost, Connection, strip_prefix};

    fn connection(peer: &str, tls: bool) -> Connection {
        Connection::new(peer.parse().unwrap(), "[::ffff:192.0.2.1]:8420".parse().unwrap(), tls)
    }

    /// The base URL and the client of a request from this peer, where 10.0.0.0/8 is trusted.
    pub(super) fn ask(peer: &str, headers: &[(&'static str, &str)]) -> (Result<String, BadHost>, String) {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
        }
        let arrival = Arrival {
            connection: &connection(peer, false),
            version: Version::HTTP_11,
            authority: None,
            headers: &map,
            trusted_proxies: &["10.0.0.0/8".parse::<IpNet>().unwrap()],
            public_url: None,
        };
        (arrival.links("").map(|links| links.origin.clone()), arrival.client_ip().to_string())
    }

    fn plain<'a>(connection: &'a Connection, headers: &'a HeaderMap) -> Arrival<'a> {
        let version = Version::HTTP_11;
        Arrival { connection, version, authority: None, headers, trusted_proxies: &[], public_url: None }
    }

    #[test]
    fn only_the_old_version_needs_no_host() {
        let nothing = HeaderMap::new();
        for (tls, base) in [(false, "http://192.0.2.1:8420"), (true, "https://192.0.2.1:8420")] {
            let connection = &connection("192.0.2.7", tls);
            let mut arrival = Arrival { version: Version::HTTP_10, ..plain(connection, &nothing) };
            assert_eq!(arrival.links("/api/v3").unwrap().api, format!("{base}/api/v3"));
            arrival.public_url = Some("https://teams.example/x");
            assert_eq!(arrival.links("/api/v3").unwrap().api, "https://teams.example/x/api/v3");
            arrival.version = Version::HTTP_11;
            assert_eq!(arrival.links(""), Err(BadHost));
            let named = HeaderMap::from_iter([(HOST, HeaderValue::from_static("a"))]);
            let arrival = Arrival { version: Version::HTTP_10, headers: &named, ..arrival };
            assert_eq!(arrival.links("").unwrap().origin, if tls { "https://a" } else { "http://a" });
            let bad = HeaderMap::from_iter([(HOST, HeaderValue::from_static("a b"))]);
            assert_eq!(Arrival { headers: &bad, ..arrival }.links(""), Err(BadHost));
        }
    }

    #[test]
    fn prefixes() {
        for (path, prefix, rest) in [
            ("", "", "/"),
            ("/", "", "/"),
            ("/orgs/a", "", "/orgs/a"),
            ("/api/v3", "/api/v3", "/"),
            ("/api/v3/", "/api/v3", "/"),
            ("/api/v3/orgs/a", "/api/v3", "/orgs/a"),
            ("/api/v3//orgs/a", "/api/v3", "/orgs/a"),
            ("//orgs/a", "", "/orgs/a"),
            ("///orgs//a", "", "//orgs//a"),
            ("/api/v3x", "", "/api/v3x"),
            ("/API/v3", "", "/API/v3"),
            ("/api/v3/api/v3/user", "/api/v3", "/api/v3/user"),
        ] {
            assert_eq!(strip_prefix(path), (prefix, rest), "{path}");
        }
    }

    #[test]
    fn a_host_is_repeated_as_it_came() {
        for host in
            ["localhost", "127.0.0.1:8420", "[::1]:8420", "[2001:db8::1]", "Teams.Example.ORG:80", "a_b", "x:65535"]
        {
            let (origin, client) = ask("192.0.2.7", &[("host", host)]);
            assert_eq!(origin.as_deref(), Ok(&*format!("http://{host}")));
            assert_eq!(client, "192.0.2.7");
        }
        assert!(ask("192.0.2.7", &[("host", &"a".repeat(255))]).0.is_ok());
    }

    #[test]
    fn a_malformed_host_is_refused() {
        let long = "a".repeat(256);
        for host in [
            "",
            ":80",
            "a b",
            "a,b",
            "a/b",
            "u@a",
            "a:",
            "a:0",
            "a:65536",
            "a:+80",
            "a:8 0",
            "a:000080",
            "a:80:80",
            "::1",
            "[::1",
            "[::1]80",
            "[]",
            "[fe80::1%25eth0]",
            "[1.2.3.4]",
            "a\"b",
            "<a>",
            "a\tb",
            "a%20b",
            "http://a",
            &long,
        ] {
            assert_eq!(ask("192.0.2.7", &[("host", host)]).0, Err(BadHost), "{host}");
        }
        assert_eq!(ask("192.0.2.7", &[]).0, Err(BadHost));
        assert_eq!(ask("192.0.2.7", &[("host", "a"), ("host", "a")]).0, Err(BadHost));
    }

    #[test]
    fn the_authority_goes_before_the_host_header() {
        let mut headers = HeaderMap::new();
        headers.insert("host", HeaderValue::from_static("other"));
        let connection = &connection("127.0.0.1", true);
        let mut arrival = plain(connection, &headers);
        arrival.authority = Some("teams.example:8443");
        let links = arrival.links("/api/v3").unwrap();
        assert_eq!((&*links.origin, &*links.api), ("https://teams.example:8443", "https://teams.example:8443/api/v3"));
        arrival.authority = Some("user:secret@teams.example");
        assert_eq!(arrival.links(""), Err(BadHost));
    }

    #[test]
    fn of_a_proxy_every_request_stands_for_itself() {
        let connection = &connection("10.0.0.1", false);
        let origin = |host, proto| {
            let named = |name: &'static str, value| (HeaderName::from_static(name), HeaderValue::from_static(value));
            let headers = HeaderMap::from_iter([
                named("host", "in"),
                named("x-forwarded-host", host),
                named("x-forwarded-proto", proto),
            ]);
            let trusted_proxies = &["10.0.0.0/8".parse::<IpNet>().unwrap()];
            let arrival = Arrival { trusted_proxies, ..plain(connection, &headers) };
            arrival.links("").map(|links| links.origin.clone())
        };
        assert_eq!(origin("a", "https").as_deref(), Ok("https://a"));
        assert_eq!(origin("b", "https").as_deref(), Ok("https://b"));
        assert_eq!(origin("b", "http").as_deref(), Ok("http://b"));
    }

    #[test]
    fn what_a_connection_knows_is_of_the_same_host_and_prefix() {
        let connection = &connection("127.0.0.1", false);
        let api = |host, prefix| {
            let headers = HeaderMap::from_iter([(HOST, HeaderValue::from_static(host))]);
            let arrival = plain(connection, &headers);
            arrival.links(prefix).map(|links| links.api.clone())
        };
        for _ in 0..2 {
            assert_eq!(api("a", "").as_deref(), Ok("http://a"));
            assert_eq!(api("a", "/api/v3").as_deref(), Ok("http://a/api/v3"));
            assert_eq!(api("b", "/api/v3").as_deref(), Ok("http://b/api/v3"));
            assert_eq!(api("b b", "/api/v3"), Err(BadHost));
        }
    }

    #[test]
    fn strangers_forward_nothing() {
        let headers = [
            ("host", "a:8420"),
            ("forwarded", "for=203.0.113.9;host=evil;proto=https"),
            ("x-forwarded-host", "evil"),
            ("x-forwarded-prefix", "/teams"),
            ("x-forwarded-proto", "https"),
            ("x-forwarded-for", "203.0.113.9"),
        ];
        let stranger = ask("192.0.2.7", &headers);
        assert_eq!(stranger, (Ok("http://a:8420".to_owned()), "192.0.2.7".to_owned()));
        let mapped = ask("::ffff:10.0.0.1", &headers);
        assert_eq!(mapped, (Ok("https://evil/teams".to_owned()), "203.0.113.9".to_owned()));
    }
}
