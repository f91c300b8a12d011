//! What proxies say of a request in `X-Forwarded-*` and `Forwarded`, as far as they are trusted.
//!
//! Keeps decisions 1. In a chain of proxies the entries are believed from the right, as far as the one that names the
//! first address outside the trusted networks; what stands left of it came from the client. A proxy must set or remove
//! every header of the kinds it uses; where both kinds speak, `X-Forwarded-*` counts.

use std::net::{IpAddr, SocketAddr};

use hyper::HeaderMap;
use hyper::header::{FORWARDED, HeaderName};
use ipnet::IpNet;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");
const FORWARDED_PORT: HeaderName = HeaderName::from_static("x-forwarded-port");
const FORWARDED_PREFIX: HeaderName = HeaderName::from_static("x-forwarded-prefix");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// What forwarded headers say of a request.
#[derive(Debug, Default)]
pub struct Forwarded<'a> {
    /// The host, with a port if it has one, as the client wrote it; not checked.
    pub host: Option<&'a str>,
    /// The scheme; not checked.
    pub proto: Option<&'a str>,
    /// The port of a host that has none; not checked.
    pub port: Option<&'a str>,
    /// The path that the proxy has taken off the address; not checked.
    pub prefix: Option<&'a str>,
    client: Option<IpAddr>,
}

/// Whether an address is within the trusted networks.
#[must_use]
pub fn is_trusted(networks: &[IpNet], ip: IpAddr) -> bool {
    let ip = ip.to_canonical();
    networks.iter().any(|network| network.contains(&ip))
}

/// The address by which the client reached a trusted peer.
#[must_use]
pub fn base<'a>(headers: &'a HeaderMap, networks: &[IpNet]) -> Forwarded<'a> {
    let standard = standard(headers, networks);
    Forwarded {
        host: nearest(headers, &FORWARDED_HOST).or(standard.host),
        proto: nearest(headers, &FORWARDED_PROTO).or(standard.proto),
        port: nearest(headers, &FORWARDED_PORT),
        prefix: nearest(headers, &FORWARDED_PREFIX),
        ..standard
    }
}

/// The nearest address outside the trusted networks, or the farthest inside if there is none outside.
#[must_use]
pub fn client(headers: &HeaderMap, networks: &[IpNet]) -> Option<IpAddr> {
    if !headers.contains_key(FORWARDED_FOR) {
        return standard(headers, networks).client;
    }
    let lines = headers.get_all(FORWARDED_FOR).iter().rev();
    let mut client = None;
    for entry in lines.flat_map(|line| line.to_str().unwrap_or_default().rsplit(',')) {
        let Some(ip) = read_ip(entry.trim()) else { break };
        client = Some(ip);
        if !is_trusted(networks, ip) {
            break;
        }
    }
    client
}

/// The right-most value of a header, the one that the nearest proxy wrote.
fn nearest<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let line = headers.get_all(name).iter().next_back()?.to_str().ok()?;
    line.rsplit(',').next().map(str::trim).filter(|value| !value.is_empty())
}

/// What the trusted part of the standard header says, the proxy farthest out first.
fn standard<'a>(headers: &'a HeaderMap, networks: &[IpNet]) -> Forwarded<'a> {
    let mut forwarded: Option<Forwarded<'a>> = None;
    for line in headers.get_all(FORWARDED) {
        for element in split_unquoted(line.to_str().unwrap_or_default(), ',') {
            let next = Forwarded::read(element);
            forwarded = Some(match forwarded {
                Some(forwarded) if next.client.is_some_and(|ip| is_trusted(networks, ip)) => {
                    Forwarded { host: forwarded.host.or(next.host), proto: forwarded.proto.or(next.proto), ..forwarded }
                }
                _ => next,
            });
        }
    }
    forwarded.unwrap_or_default()
}

impl<'a> Forwarded<'a> {
    /// Reads one element of the standard header.
    fn read(element: &'a str) -> Self {
        let mut forwarded = Self::default();
        for (name, value) in split_unquoted(element, ';').filter_map(|pair| pair.trim().split_once('=')) {
            let quoted = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
            let value = quoted.unwrap_or(value);
            if name.eq_ignore_ascii_case("host") {
                forwarded.host = Some(value);
            } else if name.eq_ignore_ascii_case("proto") {
                forwarded.proto = Some(value);
            } else if name.eq_ignore_ascii_case("for") {
                forwarded.client = read_ip(value);
            }
        }
        forwarded
    }
}

/// Splits at a separator that stands outside quoted strings.
fn split_unquoted(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    text.split(move |c| {
        let was_escaped = std::mem::take(&mut is_escaped);
        match c {
            _ if was_escaped => false,
            '\\' if is_quoted => {
                is_escaped = true;
                false
            }
            '"' => {
                is_quoted = !is_quoted;
                false
            }
            _ => c == separator && !is_quoted,
        }
    })
}

/// Reads an IP address, with or without brackets and port.
fn read_ip(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let ip = bare.parse().or_else(|_| text.parse().map(|address: SocketAddr| address.ip()));
    ip.ok().map(|ip: IpAddr| ip.to_canonical())
}

#[cfg(test)]
mod tests {
    use hyper::header::{HeaderName, HeaderValue};
    use hyper::{HeaderMap, Version};
    use ipnet::IpNet;

    use crate::http::address::{Arrival, BadHost, Connection};

    /// Base and client of a request for the host `inner` that a proxy at 10.0.0.1 brings; 10.0.0.0/8 is trusted.
    fn ask(headers: &[(&'static str, &str)]) -> (Result<String, BadHost>, String) {
        let mut map = HeaderMap::new();
        map.insert("host", HeaderValue::from_static("inner"));
        for (name, value) in headers {
            map.append(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
        }
        let arrival = Arrival {
            connection: &Connection::new("::ffff:10.0.0.1".parse().unwrap(), "192.0.2.1:8420".parse().unwrap(), false),
            version: Version::HTTP_11,
            authority: None,
            headers: &map,
            trusted_proxies: &["10.0.0.0/8".parse::<IpNet>().unwrap()],
            public_url: None,
        };
        (arrival.links("").map(|links| links.origin.clone()), arrival.client_ip().to_string())
    }

    fn origin(headers: &[(&'static str, &str)]) -> Result<String, BadHost> {
        ask(headers).0
    }

    fn client(headers: &[(&'static str, &str)]) -> String {
        ask(headers).1
    }

    #[test]
    fn x_forwarded_headers_make_the_base() {
        for (host, port, proto, expected) in [
            ("t.example", "", "https", "https://t.example"),
            ("t.example", "443", "HTTPS", "https://t.example"),
            ("t.example", "8443", "https", "https://t.example:8443"),
            ("t.example:9", "8443", "https", "https://t.example:9"),
            ("client.example, t.example", "80", "http", "http://t.example"),
            ("t.example", "99999", "ftp", "http://t.example"),
            ("", "8443", "", "http://inner:8443"),
        ] {
            let headers = [("x-forwarded-host", host), ("x-forwarded-port", port), ("x-forwarded-proto", proto)];
            assert_eq!(origin(&headers).as_deref(), Ok(expected), "{host} {port} {proto}");
        }
        assert_eq!(origin(&[("x-forwarded-host", "a b")]), Err(BadHost));
    }

    #[test]
    fn a_path_that_the_proxy_took_off_stands_in_the_base() {
        let long = format!("/{}", "a".repeat(255));
        for (prefix, expected) in [
            ("/teams", "http://inner/teams"),
            ("/teams/", "http://inner/teams"),
            ("/a/b-._~9", "http://inner/a/b-._~9"),
            ("/evil, /teams", "http://inner/teams"),
            ("/", "http://inner"),
            ("", "http://inner"),
            ("teams", "http://inner"),
            ("//evil", "http://inner"),
            ("/a/../b", "http://inner"),
            ("/a%2fb", "http://inner"),
            ("/a>; rel=x", "http://inner"),
            ("/a?b", "http://inner"),
            (&long, "http://inner"),
        ] {
            assert_eq!(origin(&[("x-forwarded-prefix", prefix)]).as_deref(), Ok(expected), "{prefix}");
        }
    }

    #[test]
    fn the_standard_header_makes_the_base() {
        for (forwarded, expected) in [
            ("for=192.0.2.1;Host=t.example;PROTO=https", "https://t.example"),
            (r#"for="[2001:db8::1]:4711"; host="t.example:8443"; proto=https"#, "https://t.example:8443"),
            ("proto=https", "https://inner"),
            ("", "http://inner"),
            (
                "for=10.9.9.9;host=evil, for=192.0.2.1;host=t.example, for=10.0.0.2;host=mid;proto=https",
                "https://t.example",
            ),
            ("for=192.0.2.1;host=evil, for=_hidden", "http://inner"),
            (r#"for=192.0.2.1;by="a,for=10.0.0.9;host=evil";host=t.example"#, "http://t.example"),
        ] {
            assert_eq!(origin(&[("forwarded", forwarded)]).as_deref(), Ok(expected), "{forwarded}");
        }
        let escaped = r#"host="a\",for=192.0.2.9;host=evil;x=\"""#;
        assert_eq!(origin(&[("forwarded", escaped)]), Err(BadHost));
    }

    #[test]
    fn the_client_is_the_nearest_address_outside_the_trusted_networks() {
        for (forwarded_for, expected) in [
            ("203.0.113.9", "203.0.113.9"),
            ("1.1.1.1, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
            ("203.0.113.9:5000", "203.0.113.9"),
            ("[2001:db8::1]:443,10.0.0.2", "2001:db8::1"),
            ("::ffff:203.0.113.9", "203.0.113.9"),
            ("10.0.0.3, 10.0.0.2", "10.0.0.3"),
            ("1.1.1.1, unknown, 10.0.0.2", "10.0.0.2"),
            ("", "10.0.0.1"),
            ("garbage", "10.0.0.1"),
        ] {
            assert_eq!(client(&[("x-forwarded-for", forwarded_for)]), expected, "{forwarded_for}");
        }
        assert_eq!(
            client(&[("x-forwarded-for", "1.1.1.1"), ("x-forwarded-for", "203.0.113.9, 10.0.0.2")]),
            "203.0.113.9"
        );
        assert_eq!(
            client(&[("forwarded", "for=1.1.1.1, for=203.0.113.9"), ("forwarded", "for=10.0.0.2")]),
            "203.0.113.9"
        );
        assert_eq!(client(&[("forwarded", "for=1.1.1.1, for=unknown")]), "10.0.0.1");
        assert_eq!(client(&[]), "10.0.0.1");
    }
}
