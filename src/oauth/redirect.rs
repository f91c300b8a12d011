//! Redirect URIs: which ones can be registered, and which registered one a request names. They are compared exactly; only
//! the port of a loopback host is free.

use crate::name::on_one_line;

/// The longest URI.
const LONGEST: usize = 1_000;

/// The most characters of a URI in the sentence that refuses it.
const SAID: usize = 100;

/// The hosts that are this machine.
const LOOPBACK: [&str; 3] = ["127.0.0.1", "[::1]", "localhost"];

/// The parts of a URI that has an authority.
struct Parts<'a> {
    scheme: &'a str,
    host: &'a str,
    port: Option<&'a str>,
    /// The path and the query.
    rest: &'a str,
}

/// Returns why a URI cannot be registered.
pub(super) fn check(uri: &str) -> Result<(), String> {
    let wrong = |why: &str| Err(format!("The redirect URI {:?} {why}.", on_one_line(uri, SAID)));
    if uri.len() > LONGEST || !uri.bytes().all(|byte| byte.is_ascii_graphic()) {
        return wrong("must have at most 1,000 characters, all of them visible ASCII");
    }
    if uri.contains(['#', '*', '\\', '"', '<', '>']) {
        return wrong("must have no fragment, no wildcard and no character that URIs do not have");
    }
    let Some((scheme, after)) = uri.split_once(':') else { return wrong("needs a scheme, such as https://") };
    let authority = after.strip_prefix("//").map(|after| after.split(['/', '?']).next().unwrap_or_default());
    if authority.is_some_and(|authority| authority.contains('@')) {
        return wrong("must have no user name and no password");
    }
    match (scheme, parts(uri)) {
        ("https", Some(_)) => Ok(()),
        ("http", Some(parts)) if LOOPBACK.contains(&parts.host) => Ok(()),
        ("http", Some(_)) => wrong("must begin with https://, unless its host is 127.0.0.1, [::1] or localhost"),
        ("https" | "http", None) => wrong("needs a host, and a port that is a number"),
        _ if is_private(scheme) && !after.is_empty() => Ok(()),
        _ => wrong("needs the scheme https, or a private one with a dot, such as com.example.app"),
    }
}

/// A scheme of a program on the device of the person (RFC 8252). No browser has a meaning of its own for one with a dot.
fn is_private(scheme: &str) -> bool {
    let is_known = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"+-.".contains(&byte);
    scheme.contains('.') && scheme.starts_with(|c: char| c.is_ascii_lowercase()) && scheme.bytes().all(is_known)
}

fn parts(uri: &str) -> Option<Parts<'_>> {
    let (scheme, after) = uri.split_once("://")?;
    let (authority, rest) = after.split_at(after.find(['/', '?']).unwrap_or(after.len()));
    let bracket = authority.find(']').map_or(0, |at| at + 1);
    let (host, port) = match authority[bracket..].split_once(':') {
        Some((before, port)) => (&authority[..bracket + before.len()], Some(port)),
        None => (authority, None),
    };
    let named = !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte));
    let numbered = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let numbered = numbered.is_some_and(|address| address.parse::<std::net::Ipv6Addr>().is_ok());
    let port_is_one = port.is_none_or(|port| port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok());
    ((named || numbered) && port_is_one).then_some(Parts { scheme, host, port, rest })
}

/// True if a request may name this URI for the registered one.
pub(super) fn matches(registered: &str, named: &str) -> bool {
    if registered == named {
        return true;
    }
    match (parts(registered), parts(named)) {
        (Some(registered), Some(named)) => {
            let is_loopback = registered.scheme == "http" && LOOPBACK.contains(&registered.host);
            let is_same =
                (registered.scheme, registered.host, registered.rest) == (named.scheme, named.host, named.rest);
            is_loopback && is_same
        }
        _ => false,
    }
}

/// The source in a `Content-Security-Policy` to which a form may lead: the origin, or the private scheme. A policy has no
/// word for an IPv6 address, so that of the scheme is used.
pub(super) fn source(uri: &str) -> String {
    let scheme = uri.split(':').next().unwrap_or_default();
    match parts(uri) {
        Some(Parts { host, port, .. }) if matches!(scheme, "https" | "http") && !host.starts_with('[') => {
            let port = port.map(|port| format!(":{port}")).unwrap_or_default();
            format!("{scheme}://{host}{port}")
        }
        _ => format!("{scheme}:"),
    }
}

/// The place to which a URI leads, for people: its host, or its private scheme.
pub(super) fn place(uri: &str) -> &str {
    let scheme = uri.split(':').next().unwrap_or_default();
    parts(uri).filter(|_| matches!(scheme, "https" | "http")).map_or(scheme, |parts| parts.host)
}

#[cfg(test)]
mod tests {
    use super::{check, matches, place, source};

    #[test]
    fn only_safe_uris_are_registered() {
        for good in [
            "https://app.example/callback",
            "https://app.example:8443/callback?tenant=1",
            "https://app.example",
            "http://127.0.0.1/callback",
            "http://[::1]:8000/callback",
            "http://localhost:8000",
            "com.example.app:/callback",
            "com.example.app://callback",
        ] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for wrong in [
            "",
            "/callback",
            "app.example/callback",
            "http://app.example/callback",
            "http://127.0.0.2/callback",
            "http://localhost.evil.example/",
            "https://",
            "https:///callback",
            "https://user@app.example/",
            "https://app.example:99999/",
            "https://app.example:x/",
            "https://*.example/callback",
            "https://app.example/#x",
            "https://app.example\\@evil.example/",
            "https://app.example/a b",
            "https://\u{e9}.example/",
            "https://app.example;script-src/",
            "javascript:alert(1)",
            "data:text/html,x",
            "app:/callback",
            "Com.Example:/callback",
            "com.example.app:",
            "com.example.app://user@x/",
        ] {
            assert!(check(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn uris_are_compared_exactly() {
        let registered = "https://app.example/callback";
        assert!(matches(registered, registered));
        for other in [
            "https://app.example/callback/",
            "https://app.example/callback/../evil",
            "https://app.example/callback?x=1",
            "https://app.example/callback%2f",
            "https://app.example:443/callback",
            "https://app.example:8443/callback",
            "https://app.example.evil.example/callback",
            "https://app.example@evil.example/callback",
            "https://app.example\\@evil.example/callback",
            "https://evil.example/callback",
            "https://app.example/callback#x",
            "https://APP.example/callback",
            "http://app.example/callback",
            "//app.example/callback",
            "",
        ] {
            assert!(!matches(registered, other), "{other}");
        }
    }

    #[test]
    fn the_port_of_a_loopback_host_is_free_and_nothing_else() {
        for host in ["127.0.0.1", "[::1]", "localhost"] {
            let registered = format!("http://{host}/callback");
            for port in ["", ":1", ":65535"] {
                assert!(matches(&registered, &format!("http://{host}{port}/callback")), "{host}{port}");
            }
            assert!(matches(&format!("http://{host}:8000/callback"), &format!("http://{host}:9000/callback")));
            for other in [
                format!("http://{host}:65536/callback"),
                format!("http://{host}:1@evil.example/callback"),
                format!("http://{host}:1/callback/"),
                format!("http://{host}:1\\@evil.example/callback"),
                format!("https://{host}:1/callback"),
                "http://127.0.0.2:1/callback".to_owned(),
            ] {
                assert!(!matches(&registered, &other), "{other}");
            }
        }
    }

    #[test]
    fn a_form_may_lead_to_the_origin_or_the_private_scheme() {
        for (uri, expected, shown) in [
            ("https://app.example/callback", "https://app.example", "app.example"),
            ("https://app.example:8443/x?y", "https://app.example:8443", "app.example"),
            ("http://127.0.0.1:4000/x", "http://127.0.0.1:4000", "127.0.0.1"),
            ("http://[::1]:4000/x", "http:", "[::1]"),
            ("com.example.app://callback", "com.example.app:", "com.example.app"),
        ] {
            assert_eq!((source(uri).as_str(), place(uri)), (expected, shown));
        }
    }
}
