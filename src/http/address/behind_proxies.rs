//! Tests: how the headers of proxies change the URLs in a response.

use super::{BadHost, tests};

/// The base URL and the client of a request for the host `inner` through a proxy at 10.0.0.1; 10.0.0.0/8 is trusted.
fn ask(headers: &[(&'static str, &str)]) -> (Result<String, BadHost>, String) {
    tests::ask("::ffff:10.0.0.1", &[&[("host", "inner")], headers].concat())
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
    assert_eq!(client(&[("x-forwarded-for", "1.1.1.1"), ("x-forwarded-for", "203.0.113.9, 10.0.0.2")]), "203.0.113.9");
    assert_eq!(client(&[("forwarded", "for=1.1.1.1, for=203.0.113.9"), ("forwarded", "for=10.0.0.2")]), "203.0.113.9");
    assert_eq!(client(&[("forwarded", "for=1.1.1.1, for=unknown")]), "10.0.0.1");
    assert_eq!(client(&[]), "10.0.0.1");
}
