//! The receiver of a webhook: a URL with `http` or `https`. Its user and password are removed, sealed, and sent as
//! Basic credentials. No response, log or audit entry shows them (decision 68).

use std::net::Ipv6Addr;

use percent_encoding::percent_decode_str;

/// The longest URL, in bytes.
pub const LONGEST: usize = 2_048;

/// A parsed URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// True if the connection is TLS.
    pub https: bool,
    /// The host: a name, or an IP address without brackets.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The path with the query.
    pub path: String,
}

/// A URL as it is stored and shown, and the credentials that were removed from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The URL without user and password.
    pub url: String,
    /// User and password, joined by a colon.
    pub credentials: Option<String>,
}

impl Given {
    /// Parses the text of a client; none if it is not a URL that a webhook can deliver to.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let (scheme, rest) = text.split_once("://")?;
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, below) = rest.split_at(end);
        let (user, host) = match authority.rsplit_once('@') {
            Some((user, host)) => (Some(user), host),
            None => (None, authority),
        };
        let url = format!("{scheme}://{host}{below}");
        Target::of(&url)?;
        let credentials = match user.filter(|user| !user.is_empty()) {
            Some(user) => Some(decoded(user)?),
            None => None,
        };
        Some(Self { url, credentials })
    }
}

/// The first character of a text that a URL has only encoded.
#[must_use]
pub fn unencoded(text: &str) -> Option<char> {
    text.chars().find(|c| !c.is_ascii_graphic() || r#""<>\^`{|}"#.contains(*c))
}

/// User and password, decoded as they are sent.
fn decoded(user: &str) -> Option<String> {
    let text = percent_decode_str(user).decode_utf8().ok()?;
    let fits = !text.chars().any(char::is_control);
    fits.then(|| if text.contains(':') { text.into_owned() } else { format!("{text}:") })
}

impl Target {
    /// Parses a URL; none if it is invalid or contains a user.
    #[must_use]
    pub fn of(url: &str) -> Option<Self> {
        if url.len() > LONGEST || unencoded(url).is_some() {
            return None;
        }
        let (scheme, rest) = url.split_once("://")?;
        let https = match scheme.to_ascii_lowercase().as_str() {
            "https" => true,
            "http" => false,
            _ => return None,
        };
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, below) = rest.split_at(end);
        let (host, port) = host_and_port(authority)?;
        let below = below.split('#').next().unwrap_or_default();
        let path = if below.starts_with('/') { below.to_owned() } else { format!("/{below}") };
        Some(Self { https, host: host.to_owned(), port: port.unwrap_or(if https { 443 } else { 80 }), path })
    }

    /// The `Host` header: with the port, unless it is the default one.
    #[must_use]
    pub fn authority(&self) -> String {
        let host = if self.host.contains(':') { format!("[{}]", self.host) } else { self.host.clone() };
        let usual = if self.https { 443 } else { 80 };
        if self.port == usual { host } else { format!("{host}:{}", self.port) }
    }
}

fn host_and_port(authority: &str) -> Option<(&str, Option<u16>)> {
    let (host, rest) = if let Some(inner) = authority.strip_prefix('[') {
        let (host, rest) = inner.split_once(']')?;
        host.parse::<Ipv6Addr>().ok()?;
        (host, rest)
    } else {
        authority.split_at(authority.find(':').unwrap_or(authority.len()))
    };
    let fits = |b: u8| b.is_ascii_alphanumeric() || b"-._:".contains(&b);
    if host.is_empty() || host.len() > 253 || !host.bytes().all(fits) {
        return None;
    }
    if rest.is_empty() {
        return Some((host, None));
    }
    let port = rest.strip_prefix(':').filter(|port| port.bytes().all(|b| b.is_ascii_digit()))?;
    let port = port.parse().ok().filter(|port| *port > 0)?;
    Some((host, Some(port)))
}

#[cfg(test)]
mod tests {
    use super::{Given, Target};

    #[test]
    fn a_url_is_taken_apart() {
        for (url, https, host, port, path, authority) in [
            ("https://a.example", true, "a.example", 443, "/", "a.example"),
            ("HTTP://a.example:8080/b?c=d#e", false, "a.example", 8080, "/b?c=d", "a.example:8080"),
            ("http://a.example?c", false, "a.example", 80, "/?c", "a.example"),
            ("https://[::1]:9/x", true, "::1", 9, "/x", "[::1]:9"),
            ("http://2130706433/", false, "2130706433", 80, "/", "2130706433"),
        ] {
            let target = Target::of(url).unwrap();
            assert_eq!(target.authority(), authority);
            assert_eq!(target, Target { https, host: host.into(), port, path: path.into() });
        }
        for url in [
            "",
            "a.example",
            "ftp://a.example",
            "http://",
            "http:///x",
            "http://a b",
            "http://a:0",
            "http://a:65536",
            "http://a:+1",
            "http://[::1",
            "http://[::1]x",
            "http://[a]",
            "http://ä.example",
            "http://a/\u{7f}",
            "http://a/{b}",
            "http://u@a",
            "javascript:alert(1)",
        ] {
            assert_eq!(Target::of(url), None, "{url}");
        }
        assert!(Target::of(&format!("http://a/{}", "x".repeat(2_100))).is_none());
    }

    #[test]
    fn user_and_password_are_taken_out() {
        for (text, url, credentials) in [
            ("https://u:p@a.example/x", "https://a.example/x", Some("u:p")),
            ("https://u%40b:p%3A@a.example/x", "https://a.example/x", Some("u@b:p:")),
            ("https://u@a.example/@x", "https://a.example/@x", Some("u:")),
            (" https://@a.example ", "https://a.example", None),
            ("https://a.example/u:p@x", "https://a.example/u:p@x", None),
        ] {
            let given = Given::read(text).unwrap();
            assert_eq!((given.url.as_str(), given.credentials.as_deref()), (url, credentials));
        }
        assert_eq!(Given::read("https://a%0d:b@a.example"), None);
    }
}
