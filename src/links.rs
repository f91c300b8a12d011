//! URLs in responses (decision 1): each repeats the scheme, host, port and prefix of the request.

use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC};

/// The base URL of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Links {
    /// Scheme, host and port, for example `http://localhost:8420`, and the path below which a proxy publishes the
    /// service.
    pub origin: String,
    /// The base of the API: the origin, with `/api/v3` if the request had it.
    pub api: String,
}

impl Links {
    /// A URL of the API; the path begins with a slash.
    #[must_use]
    pub fn api(&self, path: &str) -> String {
        [self.api.as_str(), path].concat()
    }

    /// A URL of the API below something named: `/orgs/` + `acme` + `/repos`.
    #[must_use]
    pub fn api_of(&self, kind: &str, name: &str, below: &str) -> String {
        [self.api.as_str(), kind, name, below].concat()
    }

    /// A URL below a team in its identifier form.
    #[must_use]
    pub fn team(&self, org: i64, team: i64, below: &str) -> String {
        let mut text = String::with_capacity(self.api.len() + 40 + below.len());
        text.push_str(&self.api);
        text.push_str("/organizations/");
        let mut digits = itoa::Buffer::new();
        text.push_str(digits.format(org));
        text.push_str("/team/");
        text.push_str(digits.format(team));
        text.push_str(below);
        text
    }

    /// Adds what distinguishes this base from others to a cache key.
    pub fn push_key(&self, key: &mut Vec<u8>) {
        key.extend_from_slice(self.origin.as_bytes());
        key.push(b' ');
        key.extend_from_slice(self.api.as_bytes());
    }

    /// The host with its port, unless that is the usual one of a scheme, in lower case.
    #[must_use]
    pub fn authority(&self) -> String {
        let authority = self.origin.split_once("://").map_or(self.origin.as_str(), |(_, after)| after);
        let authority = authority.split('/').next().unwrap_or(authority);
        let usual = authority.strip_suffix(":443").or_else(|| authority.strip_suffix(":80"));
        usual.unwrap_or(authority).to_ascii_lowercase()
    }

    /// The host, without its port.
    #[must_use]
    pub fn host(&self) -> &str {
        let authority = self.origin.split_once("://").map_or(self.origin.as_str(), |(_, authority)| authority);
        let authority = authority.split('/').next().unwrap_or(authority);
        match authority.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => host,
            _ => authority,
        }
    }

    /// The path of a page on its host: a browser stays on the host that it used.
    #[must_use]
    pub fn html_path(&self, path: &str) -> String {
        [self.prefix(), "/ui", path].concat()
    }

    /// The path below which a proxy publishes the service; empty if there is none.
    #[must_use]
    pub fn prefix(&self) -> &str {
        let after = self.origin.split_once("://").map_or("", |(_, after)| after);
        after.find('/').map_or("", |at| &after[at..])
    }

    /// The URL of a page of signing in; the path begins with a slash.
    #[must_use]
    pub fn login(&self, path: &str) -> String {
        [self.origin.as_str(), "/login", path].concat()
    }

    /// The URL of a page; the path begins with a slash.
    #[must_use]
    pub fn html(&self, path: &str) -> String {
        [self.origin.as_str(), "/ui", path].concat()
    }
}

/// Text as one segment of a URL.
#[must_use]
pub fn segment(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, SEGMENT).to_string()
}

/// A URL that contains text of a client, in ASCII, so that a header can contain it.
#[must_use]
pub fn ascii(address: &str) -> String {
    percent_encoding::utf8_percent_encode(address, CONTROLS).to_string()
}

/// The characters that must be encoded in a segment: all but letters, digits and `-._~`.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The node id of a record in the classic form: base64 of `04:User583231` (a zero, the length of the type's
/// name, the type and the identifier).
#[must_use]
pub fn node_id(kind: &str, id: i64) -> String {
    let mut text = Vec::with_capacity(64);
    push_node_id(&mut text, kind, itoa::Buffer::new().format(id));
    String::from_utf8(text).unwrap_or_default()
}

/// The same, appended to a buffer, for an identifier in decimal.
pub fn push_node_id(text: &mut Vec<u8>, kind: &str, id: &str) {
    use base64::Engine;
    let mut length = itoa::Buffer::new();
    let mut plain = [0; 64];
    let mut filled = 0;
    for part in ["0", length.format(kind.len()), ":", kind, id] {
        let room = plain.len() - filled;
        let part = &part.as_bytes()[..part.len().min(room)];
        plain[filled..filled + part.len()].copy_from_slice(part);
        filled += part.len();
    }
    let mut encoded = [0; 88];
    if let Ok(n) = base64::engine::general_purpose::STANDARD.encode_slice(&plain[..filled], &mut encoded) {
        text.extend_from_slice(&encoded[..n]);
    }
}

#[cfg(test)]
mod tests {
    use super::{Links, node_id};

    #[test]
    fn a_host_is_named_without_its_port() {
        for (origin, host) in [
            ("http://a.b:84", "a.b"),
            ("https://a.b", "a.b"),
            ("http://[::1]", "[::1]"),
            ("http://[::1]:8", "[::1]"),
            ("https://a.b/teams", "a.b"),
            ("https://a.b:84/teams", "a.b"),
        ] {
            let links = Links { origin: origin.into(), api: origin.into() };
            assert_eq!(links.host(), host);
        }
    }

    #[test]
    fn a_path_has_what_a_proxy_took_off() {
        for (origin, path) in [("http://a.b:84", "/ui/x"), ("https://a.b/teams", "/teams/ui/x"), ("", "/ui/x")] {
            let links = Links { origin: origin.into(), api: origin.into() };
            assert_eq!(links.html_path("/x"), path);
        }
    }

    #[test]
    fn node_ids_are_those_that_clients_decode() {
        assert_eq!(node_id("Team", 3_451_996), "MDQ6VGVhbTM0NTE5OTY=");
        assert_eq!(node_id("Organization", 7_544_739), "MDEyOk9yZ2FuaXphdGlvbjc1NDQ3Mzk=");
        assert_eq!(node_id("User", 1_958_953), "MDQ6VXNlcjE5NTg5NTM=");
        assert_eq!(node_id("TeamDiscussionComment", 1), "MDIxOlRlYW1EaXNjdXNzaW9uQ29tbWVudDE=");
    }
}
