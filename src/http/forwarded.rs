//! The headers `X-Forwarded-*` and `Forwarded`, in which proxies describe a request, as far as they are trusted.
//!
//! Implements decision 1. In a chain of proxies, the entries are trusted from the right, up to the one that names the
//! first IP address outside the trusted networks; everything left of it came from the client. A proxy must set or
//! remove every header of the kinds it uses. If both kinds are present, `X-Forwarded-*` counts.

use std::net::{IpAddr, SocketAddr};

use hyper::HeaderMap;
use hyper::header::{FORWARDED, HeaderName};
use ipnet::IpNet;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");
const FORWARDED_PORT: HeaderName = HeaderName::from_static("x-forwarded-port");
const FORWARDED_PREFIX: HeaderName = HeaderName::from_static("x-forwarded-prefix");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The description of a request in forwarded headers.
#[derive(Debug, Default)]
pub struct Forwarded<'a> {
    /// The host as the client wrote it, with a port if it has one; not validated.
    pub host: Option<&'a str>,
    /// The scheme; not validated.
    pub proto: Option<&'a str>,
    /// The port of a host that has none; not validated.
    pub port: Option<&'a str>,
    /// The path prefix that the proxy has removed from the URL; not validated.
    pub prefix: Option<&'a str>,
    client: Option<IpAddr>,
}

/// True if an IP address is within the trusted networks.
#[must_use]
pub fn is_trusted(networks: &[IpNet], ip: IpAddr) -> bool {
    let ip = ip.to_canonical();
    networks.iter().any(|network| network.contains(&ip))
}

/// The URL that the client used to reach a trusted peer.
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

/// The nearest IP address outside the trusted networks, or the farthest inside if there is none outside.
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

/// The last value of a header, which the nearest proxy wrote.
fn nearest<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let line = headers.get_all(name).iter().next_back()?.to_str().ok()?;
    line.rsplit(',').next().map(str::trim).filter(|value| !value.is_empty())
}

/// The trusted part of the standard header, beginning with the outermost proxy.
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

/// Splits at a separator outside quoted strings.
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
